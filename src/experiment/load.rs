//! A project folder to one checked [`Experiment`].
//!
//! Reads every experiment file once, so the hashes are those of the bytes that were checked. Writes nothing.

use super::connection::{self, Connection};
use super::dataset::{self, Dataset};
use super::document::{Document, Format};
use super::flavor::{self, Profile};
use super::manifest::{self, Manifest};
use super::paths;
use super::problem::{Problem, Problems, correction, listed, quoted};
use super::question::{self, QuestionFile};
use super::roles::{self, Roles};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The question file of a project that names none.
pub const DEFAULT_QUESTIONS_FILE: &str = "demo/queries.yaml";

/// Which files to read; null is the file of that name under `compare/`. Relative paths start at the project.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// `compare/evaluation.yaml`.
    pub manifest: Option<PathBuf>,
    /// `compare/flavors.yaml`; its default may be missing, a file that was named may not.
    pub flavors: Option<PathBuf>,
    /// `compare/roles.yaml`; its default may be missing, a file that was named may not.
    pub roles: Option<PathBuf>,
    /// `compare/approaches.yaml`; its default may be missing, a file that was named may not.
    pub approaches: Option<PathBuf>,
    /// The preset of the roles file; null is its `default_preset`.
    pub preset: Option<String>,
}

/// Everything a run needs to know before its first call.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Absolute project folder.
    pub root: PathBuf,
    /// What to measure and how.
    pub manifest: Manifest,
    /// The catalogue, in file order.
    pub datasets: Vec<Arc<Dataset>>,
    /// The supported bases, then the flavors in file order.
    pub flavors: Vec<Arc<Profile>>,
    /// Which model does which work.
    pub roles: Roles,
    /// How approaches are asked that are not asked by their alias alone, by alias.
    pub connections: BTreeMap<String, Arc<Connection>>,
    /// For each dataset, what to say when its question file is missing.
    questions_missing: Vec<Problem>,
    /// SHA-256 by the key that rows use; files that are absent are left out.
    hashes: Vec<(&'static str, String)>,
}

impl Experiment {
    /// Reads and checks all experiment files of a project; gives all their problems together.
    ///
    /// Question files are read by [`Experiment::load_questions`], for the dataset that is asked.
    pub fn load(project: &Path, files: &Files) -> Result<Self, Problems> {
        let root = paths::resolve(Path::new("."), project);
        let mut problems = Problems::default();
        let mut hashes = Vec::new();
        let mut read = |key, path: &Path, problems: &mut Problems| {
            let document = Document::read(path, &paths::display(&root, path), Format::Yaml, problems)?;
            hashes.push((key, document.sha256.clone()));
            Some(document)
        };

        let file = paths::resolve(&root, files.manifest.as_deref().unwrap_or(Path::new("compare/evaluation.yaml")));
        let loaded = read("evaluation_manifest", &file, &mut problems)
            .map(|document| manifest::load(&document, &file, &root, &mut problems))
            .unwrap_or_default();
        let datasets = loaded.datasets_file.zip(loaded.root).and_then(|((file, missing), base)| {
            if !file.exists() {
                problems.add(missing);
                return None;
            }
            let document = read("datasets", &file, &mut problems)?;
            Some(dataset::load(&document, &base, &root, &mut problems))
        });
        let flavors = match choose(&root, files.flavors.as_deref(), "compare/flavors.yaml") {
            Some(file) => read("flavors", &file, &mut problems).map(|document| flavor::load(&document, &mut problems)),
            None => Some(flavor::base_profiles()),
        };
        let preset = files.preset.as_deref();
        let roles = match choose(&root, files.roles.as_deref(), "compare/roles.yaml") {
            Some(file) => {
                read("roles", &file, &mut problems).and_then(|document| roles::load(&document, preset, &mut problems))
            }
            None => roles::without_file(preset, &mut problems),
        };

        let approaches = match choose(&root, files.approaches.as_deref(), "compare/approaches.yaml") {
            Some(file) => {
                read("approaches", &file, &mut problems).and_then(|document| connection::load(&document, &mut problems))
            }
            None => Some(connection::Loaded::default()),
        };

        let unknown = approaches.as_ref().map(|loaded| loaded.unknown.clone()).unwrap_or_default();
        let experiment = (|| {
            let (datasets, questions_missing) =
                datasets?.into_iter().map(|listed| (Arc::new(listed.dataset), listed.questions_missing)).unzip();
            let (manifest, flavors, roles) = (loaded.manifest?, flavors?, roles?);
            let connections = approaches?.connections;
            Some(Self { root, manifest, datasets, flavors, roles, connections, questions_missing, hashes })
        })();
        if let Some(experiment) = &experiment {
            for (alias, problem) in unknown.into_iter().filter(|(alias, _)| experiment.profile(alias).is_none()) {
                problems.add(problem.suggest(experiment.nearest_alias(&alias)));
            }
        }
        problems.into_result(experiment)
    }

    /// Finds a dataset of the catalogue.
    pub fn dataset(&self, id: &str) -> Result<Arc<Dataset>, Problems> {
        self.datasets.iter().find(|dataset| dataset.id == id).cloned().ok_or_else(|| {
            let ids: Vec<&str> = self.datasets.iter().map(|dataset| dataset.id.as_str()).collect();
            Problem::general(format!("unknown dataset {}", quoted(id))).suggest(correction(id, &ids)).into()
        })
    }

    /// Decides which dataset a run measures (`contract/evaluation.md` section 1.5).
    ///
    /// An id wins; a question file given with it replaces the dataset's own, so that rows name the file that was
    /// asked. Without an id it is the dataset whose question file this is: several are an error, none makes an ad hoc
    /// dataset over the project folder. Without both it is the catalogue's only dataset, or that of
    /// `demo/queries.yaml` when there are several.
    pub fn resolve_dataset(&self, id: Option<&str>, questions_file: Option<&Path>) -> Result<Arc<Dataset>, Problems> {
        let named = questions_file.map(|file| paths::resolve(&self.root, file));
        if let Some(id) = id {
            let dataset = self.dataset(id)?;
            return Ok(match named {
                Some(questions_file) if questions_file != dataset.questions_file => {
                    Arc::new(Dataset { questions_file, ..Dataset::clone(&dataset) })
                }
                _ => dataset,
            });
        }
        if let (None, [only]) = (&named, self.datasets.as_slice()) {
            return Ok(Arc::clone(only));
        }
        let file = named.unwrap_or_else(|| paths::resolve(&self.root, DEFAULT_QUESTIONS_FILE));
        let matches: Vec<&Arc<Dataset>> =
            self.datasets.iter().filter(|dataset| dataset.questions_file == file).collect();
        match matches.as_slice() {
            [] => Ok(Arc::new(dataset::ad_hoc(&file, &self.root))),
            [only] => Ok(Arc::clone(only)),
            several => {
                let mut ids: Vec<&str> = several.iter().map(|dataset| dataset.id.as_str()).collect();
                ids.sort_unstable();
                let name = quoted(&paths::display(&self.root, &file));
                let message = format!("{name} holds the questions of several datasets: {}", listed(&ids, "and"));
                let hint = "say which with `--dataset` or `MATRIX_DATASET_ID`".to_owned();
                Err(Problem::general(message).suggest(hint).into())
            }
        }
    }

    /// Reads and checks the questions of a dataset.
    ///
    /// When the dataset's documents are there, relevant sources must be among them. A missing file is reported at the line
    /// of the catalogue that names it; for an ad hoc dataset with the ids that could be asked for instead.
    pub fn load_questions(&self, dataset: &Dataset) -> Result<QuestionFile, Problems> {
        let path = &dataset.questions_file;
        if path.exists() {
            // The folder of an ad hoc dataset is a guess, that of a candidate may not have been made yet, and an empty one
            // belongs to a service that keeps its documents to itself, or waits for them.
            let holds_any = std::fs::read_dir(&dataset.corpus_path).is_ok_and(|mut entries| entries.next().is_some());
            let known = dataset.status != dataset::AD_HOC && holds_any;
            let corpus = known.then_some(dataset.corpus_path.as_path());
            return question::load(path, &paths::display(&self.root, path), corpus);
        }
        let listed_as = self.datasets.iter().position(|listed| listed.as_ref() == dataset);
        let problem = listed_as.and_then(|index| self.questions_missing.get(index)).cloned().unwrap_or_else(|| {
            let ids: Vec<&str> = self.datasets.iter().map(|dataset| dataset.id.as_str()).collect();
            let name = quoted(&paths::display(&self.root, path));
            let hint = format!("datasets of the catalogue: {}", listed(&ids, "and"));
            Problem::general(format!("the question file {name} does not exist")).suggest(hint)
        });
        Err(problem.into())
    }

    /// SHA-256 of the files this run depends on, as rows keep them (`contract/evaluation.md` section 1.7). These are the
    /// bytes that were checked, not those that may lie there now. The catalogue is not among them: another dataset in
    /// it must not end the life of this one's evidence.
    pub fn config_hashes(&self, questions: &QuestionFile) -> Map<String, Value> {
        let mut hashes = Map::new();
        for key in ["evaluation_manifest", "dataset_questions", "flavors", "roles", "approaches"] {
            let hash = match key {
                "dataset_questions" => Some(&questions.sha256),
                _ => self.hashes.iter().find(|(name, _)| *name == key).map(|(_, hash)| hash),
            };
            if let Some(hash) = hash {
                hashes.insert(key.to_owned(), Value::String(hash.clone()));
            }
        }
        hashes
    }
}

/// A file that was named must exist, so it is always read; the default only when it is there.
fn choose(root: &Path, named: Option<&Path>, default: &str) -> Option<PathBuf> {
    match named {
        Some(named) => Some(paths::resolve(root, named)),
        None => Some(paths::resolve(root, default)).filter(|file| file.exists()),
    }
}
