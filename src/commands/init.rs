//! `ragsql init`: a new project around somebody's own RAG service, or around the gateway inside this binary.
//!
//! Everything is decided and checked before the first file is written, and nothing that exists is overwritten.

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
}

/// Makes the project.
pub fn init(context: &Context, arguments: &InitArgs) -> Result<Ended> {
    check_id(&arguments.dataset)?;
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
    for (name, content) in &files {
        write_new(context, &folder.join(name), content)?;
    }
    let experiment = Experiment::load(&folder, &Files::default())?;
    experiment.load_questions(&*experiment.dataset(&arguments.dataset)?)?;
    for (name, _) in &files {
        ui::data(&format!("{}\n", Path::new(&context.shown(&folder)).join(name).display()));
    }
    let shown = context.shown(&folder);
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
    Ok(Some(Wanted { base_url, aliases, questions, corpus, has_sample }))
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

fn write_new(context: &Context, path: &Path, content: &[u8]) -> Result<()> {
    let failed =
        |error: std::io::Error| Failure::new(Kind::Outside, format!("cannot write `{}`: {error}", context.shown(path)));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    std::io::Write::write_all(&mut file, content).map_err(failed)
}
