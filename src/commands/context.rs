//! What every command stands on: the project folder and the catalogue of its queries.

use crate::cli::{ExperimentArgs, Global, SelectionArgs};
use crate::error::{Failure, Kind, Result};
use crate::experiment::dataset::Dataset;
use crate::experiment::flavor::Profile;
use crate::experiment::load::{Experiment, Files};
use crate::experiment::manifest::EvidenceCapability;
use crate::experiment::paths;
use crate::experiment::plan::{self, Cell};
use crate::experiment::problem::{Problem, Problems, quoted};
use crate::experiment::question::{Question, QuestionFile};
use crate::experiment::selection::Selection;
use crate::report::templates::Templates;
use crate::warehouse::catalogue::Catalogue;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The manifest that is read when none is named.
pub const MANIFEST: &str = "compare/evaluation.yaml";

/// The project and its queries.
pub struct Context {
    /// Absolute project folder.
    pub project: PathBuf,
    /// Embedded statements, replaced or extended by the project's own `sql/`.
    pub catalogue: Catalogue,
    /// Embedded templates, replaced or extended by the project's own `templates/`.
    pub templates: Templates,
}

impl Context {
    /// Opens a project folder. It need not hold anything yet.
    pub fn open(global: &Global) -> Result<Self> {
        let project = paths::resolve(Path::new("."), &global.project);
        if !project.is_dir() {
            let name = global.project.display();
            return Err(Failure::new(Kind::Input, format!("the project folder `{name}` does not exist")));
        }
        let own = |name: &str| Some(project.join(name)).filter(|folder| folder.is_dir());
        let catalogue = Catalogue::embedded(own("sql").as_deref())?;
        let templates = Templates::embedded(own("templates").as_deref())?;
        Ok(Self { project, catalogue, templates })
    }

    /// Where working artifacts lie.
    pub fn results(&self) -> PathBuf {
        self.project.join("compare").join("results")
    }

    /// The warehouse file.
    pub fn warehouse_file(&self) -> PathBuf {
        self.results().join("warehouse.duckdb")
    }

    /// A path given on the command line: relative ones start at the project.
    pub fn path(&self, given: &Path) -> PathBuf {
        paths::resolve(&self.project, given)
    }

    /// A path given for an artifact: relative ones start at the results folder.
    pub fn artifact(&self, given: &Path) -> PathBuf {
        paths::resolve(&self.results(), given)
    }

    /// How people call a path.
    pub fn shown(&self, path: &Path) -> String {
        paths::display(&self.project, path)
    }

    /// Names files of the project as people do: relative to it.
    pub fn shortened(&self, mut failure: Failure) -> Failure {
        let folder = format!("{}/", self.project.display());
        for text in failure.messages.iter_mut().chain(&mut failure.hints) {
            *text = text.replace(&folder, "");
        }
        failure
    }

    /// Reads and checks the experiment files.
    pub fn experiment(&self, arguments: &ExperimentArgs) -> Result<Experiment> {
        let manifest = relative_default(&arguments.manifest, MANIFEST);
        if manifest.is_none() && !self.project.join(MANIFEST).exists() {
            let message = format!("`{}` holds no {MANIFEST}", self.project.display());
            return Err(Failure::new(Kind::Input, message).hint(
                "go to a project folder, name it with --project, or make one with `ragsql init`; nothing was called",
            ));
        }
        let files = Files {
            manifest,
            flavors: relative_default(&arguments.flavors_file, "compare/flavors.yaml"),
            roles: None,
            approaches: None,
            preset: arguments.roles.clone(),
        };
        Ok(Experiment::load(&self.project, &files)?)
    }
}

/// A path that was given; null when it is the default, which may be missing.
pub fn relative_default(path: &Path, default: &str) -> Option<PathBuf> {
    (path != Path::new(default)).then(|| path.to_path_buf())
}

/// The part of an experiment that one command takes.
#[derive(Debug)]
pub struct Selected {
    /// Where questions and documents come from.
    pub dataset: Arc<Dataset>,
    /// The whole question file.
    pub file: QuestionFile,
    /// The questions taken, in file order.
    pub questions: Vec<Arc<Question>>,
    /// The aliases taken, in the order asked.
    pub profiles: Vec<(Arc<Profile>, EvidenceCapability)>,
    /// Questions x aliases.
    pub cells: Vec<Cell>,
}

/// Chooses dataset, questions and aliases, and lays out the cells.
pub fn select(experiment: &Experiment, arguments: &SelectionArgs) -> Result<Selected> {
    let dataset = experiment.resolve_dataset(arguments.dataset.as_deref(), arguments.questions_file.as_deref())?;
    let file = experiment.load_questions(&dataset)?;
    let questions = file.choose(&arguments.questions, arguments.limit)?;
    let given = |items: &[String]| items.iter().any(|item| !item.trim().is_empty());
    let selection = if given(&arguments.models) {
        Selection::Models(&arguments.models)
    } else if given(&arguments.flavors) {
        Selection::Flavors(&arguments.flavors)
    } else {
        Selection::Manifest
    };
    let profiles = experiment.select(selection)?;
    try_prompts(experiment, &questions, &profiles)?;
    let cells = plan::plan(&dataset, &questions, &profiles);
    Ok(Selected { dataset, file, questions, profiles, cells })
}

/// Puts every question into every prompt, so that one that cannot take it is told before anything is called.
fn try_prompts(
    experiment: &Experiment,
    questions: &[Arc<Question>],
    profiles: &[(Arc<Profile>, EvidenceCapability)],
) -> Result<()> {
    let mut problems = Problems::default();
    for (profile, _) in profiles {
        let prompt = experiment.connections.get(&profile.alias).and_then(|connection| connection.prompt.as_ref());
        for question in prompt.iter().flat_map(|_| questions) {
            if let Some(Err(reason)) = prompt.map(|prompt| prompt.message(&question.query)) {
                let (alias, id) = (quoted(&profile.alias), quoted(&question.id));
                let message = format!("the prompt of {alias} cannot take the question {id}: {reason}");
                problems.add(Problem::file("compare/approaches.yaml", message));
            }
        }
    }
    Ok(problems.into_result(Some(()))?)
}
