//! `ragsql init`: a new project around somebody's own RAG service, or around the gateway inside this binary.
//!
//! Nothing that exists is overwritten, and nothing is left behind when the files that were written do not pass the checks
//! of every other verb.

mod asking;
mod models;

use super::Ended;
use super::context::Context;
use super::dataset::{check_id, entry};
use crate::cli::own::InitArgs;
use crate::error::{Failure, Kind, Result};
use crate::experiment::load::{Experiment, Files};
use crate::experiment::question;
use crate::ui;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The approaches of a project that has no service of its own.
const EMBEDDED_ALIASES: [&str; 2] = ["vanilla-rag", "hybrid-rag"];

/// What goes into the files.
struct Wanted {
    base_url: Option<String>,
    aliases: Vec<String>,
    /// Copied into the project; null writes samples.
    questions: Option<PathBuf>,
    /// As it is written into the catalogue.
    corpus: String,
    /// Whether a sample document is written.
    has_sample: bool,
    /// Whether the corpus is a folder that a person named.
    has_documents: bool,
}

impl Wanted {
    /// Whether the gateway inside this binary will find no document.
    fn needs_documents(&self) -> bool {
        self.base_url.is_none() && !self.has_documents && !self.has_sample
    }
}

/// Makes the project.
pub fn init(context: &Context, arguments: &InitArgs) -> Result<Ended> {
    check_id(&arguments.dataset)?;
    arguments.api_key_env.as_deref().map(check_variable).transpose()?;
    let folder = context.path(&arguments.directory);
    let Some(wanted) = decide(context, arguments, &folder)? else { return Ok(Ended::WithFailures) };
    let files = files(context, arguments, &wanted)?;
    let taken: Vec<String> = files
        .iter()
        .map(|(name, _)| folder.join(name))
        .filter(|path| path.symlink_metadata().is_ok())
        .map(|path| format!("`{}` exists already", context.shown(&path)))
        .collect();
    if !taken.is_empty() {
        let hint = "nothing was written; name another folder, or move these files away".to_owned();
        return Err(Failure { kind: Kind::Input, messages: taken, hints: vec![hint] });
    }
    let mut written = Written::default();
    let checked = written.all(context, &folder, &files, &wanted).and_then(|()| {
        let experiment = Experiment::load(&folder, &Files::default())?;
        Ok(experiment.load_questions(&*experiment.dataset(&arguments.dataset)?)?)
    });
    if let Err(failure) = checked {
        written.undo();
        return Err(context.shortened(failure).hint("nothing was written"));
    }
    for (name, _) in &files {
        ui::data(&format!("{}\n", Path::new(&context.shown(&folder)).join(name).display()));
    }
    let shown = context.shown(&folder);
    if wanted.needs_documents() {
        ui::status(&format!("put documents into {}", Path::new(&shown).join(&wanted.corpus).display()));
        ui::status(&format!("then the project is ready: cd {shown}, then ragsql check, ragsql run"));
        return Ok(Ended::Done);
    }
    ui::status(&format!("the project is ready: cd {shown}, then ragsql check, ragsql run"));
    Ok(Ended::Done)
}

/// Takes flags, asks for the rest on a terminal. Null when the models were listed and nobody chose.
fn decide(context: &Context, arguments: &InitArgs, folder: &Path) -> Result<Option<Wanted>> {
    let mut person = asking::Person::on_terminal(!arguments.yes);
    let mut aliases: Vec<String> =
        arguments.aliases.iter().map(|alias| alias.trim().to_owned()).filter(|alias| !alias.is_empty()).collect();
    let mut base_url = arguments.from.clone().or_else(|| arguments.endpoint.clone());
    if base_url.is_none()
        && aliases.is_empty()
        && let Some(person) = &mut person
    {
        let question = "base URL of your RAG service (empty: the gateway inside ragsql)";
        base_url = person.ask(question)?.filter(|url| !url.is_empty());
    }
    if let Some(url) = &base_url {
        base_url = Some(models::base_url(url)?);
    }
    if aliases.is_empty() {
        match (&base_url, &mut person) {
            (Some(url), person) if arguments.from.is_some() || person.is_some() => {
                let listed = models::list(url, arguments.api_key_env.as_deref())?;
                for (number, model) in listed.iter().enumerate() {
                    ui::data(&ui::visible(&format!("{:>3}  {}\n", number + 1, model.replace(['\n', '\t'], " "))));
                }
                let Some(person) = person else {
                    ui::hint("choose with `--alias NAME,..`; nothing was written");
                    return Ok(None);
                };
                aliases = person.choose(&listed)?;
            }
            (Some(_), _) => {
                let message = "nobody says which models to measure";
                return Err(Failure::new(Kind::Input, message)
                    .hint("name them with `--alias NAME,..`, or list them with `--from URL`"));
            }
            (None, _) => aliases = EMBEDDED_ALIASES.map(str::to_owned).to_vec(),
        }
    }
    let mut questions = arguments.questions.as_deref().map(|file| context.path(file));
    if questions.is_none()
        && arguments.documents.is_none()
        && let Some(person) = &mut person
    {
        let answer = person.ask("question file: .csv, .yaml or .jsonl (empty: two samples)")?;
        questions = answer.filter(|file| !file.is_empty()).map(|file| context.path(Path::new(&file)));
    }
    if let Some(file) = &questions {
        question::load(file, &context.shown(file), None)?;
    }
    let has_sample = arguments.documents.is_none() && questions.is_none();
    let corpus = match &arguments.documents {
        None => format!("corpus/{}", arguments.dataset),
        Some(documents) => {
            let documents = context.path(documents);
            if !documents.is_dir() {
                let message = format!("`{}` is no folder of documents", context.shown(&documents));
                return Err(Failure::new(Kind::Input, message));
            }
            documents.strip_prefix(folder).unwrap_or(&documents).to_string_lossy().into_owned()
        }
    };
    Ok(Some(Wanted { base_url, aliases, questions, corpus, has_sample, has_documents: arguments.documents.is_some() }))
}

/// Names below the project's folder, with what goes into them.
fn files(context: &Context, arguments: &InitArgs, wanted: &Wanted) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let id = &arguments.dataset;
    let quoted = |text: &str| json!(text).to_string();
    let aliases: Vec<String> = wanted.aliases.iter().map(|alias| quoted(alias)).collect();
    let ending = wanted.questions.as_deref().and_then(Path::extension).map_or("csv".into(), |e| e.to_string_lossy());
    let questions_name = format!("demo/{id}.{ending}");
    let render = |template: &str, values: &serde_json::Value| -> Result<Vec<u8>> {
        Ok(context.templates.render(template, values)?.into_bytes())
    };
    let questions = match &wanted.questions {
        Some(file) => std::fs::read(file)
            .map_err(|error| Failure::new(Kind::Input, format!("cannot read `{}`: {error}", context.shown(file))))?,
        None if wanted.has_sample => render("project/questions.csv", &json!({}))?,
        // Samples are about the sample document, so with documents of one's own they name none.
        None => render("project/questions_plain.csv", &json!({}))?,
    };
    let manifest = json!({"aliases": aliases, "seed": quoted(&format!("{id}-v1"))});
    let entry = entry(context, id, id, &wanted.corpus, &questions_name)?;
    let mut files = vec![
        (PathBuf::from("compare/evaluation.yaml"), render("project/evaluation.yaml.j2", &manifest)?),
        (PathBuf::from("compare/datasets.yaml"), render("project/datasets.yaml.j2", &json!({"entry": entry}))?),
        (PathBuf::from(questions_name), questions),
    ];
    if let Some(url) = &wanted.base_url {
        let key = arguments.api_key_env.as_deref().map(quoted);
        let values = json!({"base_url": quoted(url), "api_key_env": key, "aliases": aliases});
        files.push((PathBuf::from("compare/approaches.yaml"), render("project/approaches.yaml.j2", &values)?));
    }
    if wanted.has_sample {
        let name = PathBuf::from(format!("{}/welcome.md", wanted.corpus));
        files.push((name, render("project/welcome.md", &json!({}))?));
    }
    Ok(files)
}

/// What was made, outermost first, so that it can be taken back.
#[derive(Default)]
struct Written {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Written {
    /// Writes every file, and makes the corpus folder when documents are still to come.
    fn all(&mut self, context: &Context, folder: &Path, files: &[(PathBuf, Vec<u8>)], wanted: &Wanted) -> Result<()> {
        for (name, content) in files {
            self.file(context, &folder.join(name), content)?;
        }
        match wanted.has_documents {
            true => Ok(()),
            false => self.folder(context, &folder.join(&wanted.corpus)),
        }
    }

    fn file(&mut self, context: &Context, path: &Path, content: &[u8]) -> Result<()> {
        if let Some(folder) = path.parent() {
            self.folder(context, folder)?;
        }
        let failed = |error: std::io::Error| unwritable(context, path, &error);
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        self.files.push(path.to_owned());
        std::io::Write::write_all(&mut file, content).map_err(failed)
    }

    fn folder(&mut self, context: &Context, folder: &Path) -> Result<()> {
        let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            std::fs::create_dir(folder).map_err(|error| unwritable(context, folder, &error))?;
            self.folders.push(folder.to_owned());
        }
        Ok(())
    }

    /// Removes what was made. A folder that somebody else put something into meanwhile stays.
    fn undo(&self) {
        for file in &self.files {
            let _ = std::fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

fn unwritable(context: &Context, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::Outside, format!("cannot write `{}`: {error}", context.shown(path)))
}

/// The name of an environment variable. A key that was typed in its place is not shown, and never written.
fn check_variable(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(());
    }
    Err(Failure::new(Kind::Input, "--api-key-env takes the name of an environment variable")
        .hint("put the key into a variable, and name it; nothing was written"))
}
