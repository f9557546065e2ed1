//! `compare/datasets.yaml` as checked values (`contract/evaluation.md` section 1.2).

use super::document::{Document, Node, Value};
use super::fields::{Check, Fields};
use super::paths;
use super::problem::{Problem, Problems, quoted};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Status of a dataset that the catalogue does not list.
pub const AD_HOC: &str = "ad_hoc";
/// Further keys of the catalogue; text or null, kept as written. Some are read by pages, some by people alone.
const NOTES: [&str; 11] = [
    "source_url",
    "source_notes",
    "adapter",
    "matrix_snapshot",
    "judgment_snapshot",
    "evidence_snapshot",
    "evaluation_snapshot",
    "flavor_matrix_snapshot",
    "flavor_judgment_snapshot",
    "flavor_evidence_snapshot",
    "flavor_evaluation_snapshot",
];
/// Keys that this room reads, and the place for people's own.
const KEYS: [&str; 9] = [
    "id",
    "label",
    "complexity_level",
    "status",
    "corpus_path",
    "questions_file",
    "queries_file",
    "graph_nature",
    "ingestion_profile",
];

/// One dataset: a corpus and the questions asked of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// Unique; text exactly as typed.
    pub id: String,
    /// For people.
    pub label: String,
    /// `measured`, `candidate`, or `ad_hoc` for a question file outside the catalogue.
    pub status: String,
    /// At least 1; higher is more relational.
    pub complexity_level: u32,
    /// Absolute folder of the documents.
    pub corpus_path: PathBuf,
    /// Absolute path of the question file.
    pub questions_file: PathBuf,
    /// For people; may be empty.
    pub graph_nature: String,
    /// Name of the ingestion profile; the id when the file names none.
    pub ingestion_profile: String,
    /// Texts of the entry that reports read, by key: the link to the source and the published files, as written.
    pub notes: BTreeMap<String, String>,
}

/// A dataset and the problem to report when its question file cannot be read.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    /// The checked values.
    pub dataset: Dataset,
    /// Says which line of the catalogue names the question file.
    pub questions_missing: Problem,
}

/// Checks the catalogue; paths are relative to `root`. Names in problems are relative to `project`.
///
/// Neither documents nor questions need to exist: a candidate dataset may not have been made yet.
pub(super) fn load(document: &Document, root: &Path, project: &Path, problems: &mut Problems) -> Vec<Listed> {
    let Some(node) = &document.root else {
        problems.add(Problem::file(&document.source.file, "the file is empty; it needs a list `datasets`"));
        return Vec::new();
    };
    let check = &mut Check::new(document, problems);
    let Some(fields) = Fields::open(node, "catalogue", &["version", "datasets", "extra"], check) else {
        return Vec::new();
    };
    fields.optional("version", 1, check, |c, n, k| c.integer(n, k, 1..=1));
    let nodes = fields.required("datasets", check, Check::list).unwrap_or_default();
    if let Some(entry) = fields.entry("datasets")
        && matches!(&entry.node.value, Value::List(items) if items.is_empty())
    {
        check.refuse(entry.place, "`datasets` must list one dataset at least", None);
    }
    let mut listed: Vec<Listed> = Vec::new();
    let mut ids: Vec<(String, usize)> = Vec::new();
    for node in nodes {
        let Some((dataset, id_line)) = dataset(node, root, &mut ids, check) else { continue };
        let named = paths::display(project, &dataset.questions_file);
        let message = format!("dataset {} names {}, which does not exist", quoted(&dataset.id), quoted(&named));
        let questions_missing = document.source.problem(id_line, message);
        listed.push(Listed { dataset, questions_missing });
    }
    listed
}

fn dataset(
    node: &Node,
    root: &Path,
    ids: &mut Vec<(String, usize)>,
    check: &mut Check,
) -> Option<(Dataset, super::problem::Place)> {
    let known: Vec<&str> = KEYS.into_iter().chain(NOTES).chain(["extra"]).collect();
    let fields = Fields::open(node, "dataset", &known, check)?;
    let id = fields.required("id", check, |check, node, name| {
        let id = check.identifier(node, name)?;
        if id.starts_with('.') || id.contains(|c: char| matches!(c, '/' | '\\') || c.is_control()) {
            let message = format!("{name} must be usable as a file name, not {}", quoted(&id));
            check.refuse(node.place, message, "results are stored under it".to_owned());
        }
        Some(id)
    });
    if let (Some(id), Some(entry)) = (&id, fields.entry("id")) {
        let line = entry.node.place.line;
        match ids.iter().find(|(other, _)| other == id) {
            Some((_, first)) => {
                check.refuse(entry.node.place, format!("the dataset {} is already on line {first}", quoted(id)), None);
            }
            None => ids.push((id.clone(), line)),
        }
    }
    let label = fields.required("label", check, Check::text);
    let status = fields.required("status", check, Check::text);
    let complexity_level = fields.required("complexity_level", check, |c, n, k| c.integer(n, k, 1..=u32::MAX.into()));
    let corpus_path = fields.required("corpus_path", check, path_or_empty);
    // The alias counts only when the contract's own key is absent, even if that one is null.
    let questions_key = match (fields.entry("questions_file"), fields.entry("queries_file")) {
        (None, Some(_)) => "queries_file",
        _ => "questions_file",
    };
    let questions_file = fields.required(questions_key, check, Check::text);
    let graph_nature = fields.optional("graph_nature", Some(String::new()), check, |c, n, k| {
        if n.is_null() { c.text(n, k).map(Some) } else { c.text_or_null(n, k) }
    });
    let ingestion_profile = fields.optional("ingestion_profile", None, check, |c, n, k| c.text(n, k).map(Some));
    let mut notes = BTreeMap::new();
    for key in NOTES {
        if let Some(Some(text)) = fields.optional(key, None, check, Check::text_or_null) {
            notes.insert(key.to_owned(), text);
        }
    }

    let place = fields.entry(questions_key).map_or(node.place, |entry| entry.node.place);
    let id = id?;
    let dataset = Dataset {
        label: label?,
        status: status?,
        complexity_level: u32::try_from(complexity_level?).ok()?,
        corpus_path: paths::resolve(root, corpus_path?),
        questions_file: paths::resolve(root, questions_file?),
        graph_nature: graph_nature?.unwrap_or_default(),
        ingestion_profile: ingestion_profile?.unwrap_or_else(|| id.clone()),
        notes,
        id,
    };
    Some((dataset, place))
}

/// A path; empty text means the root itself.
fn path_or_empty(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    if node.is_null() { check.text(node, name) } else { check.text_or_null(node, name).map(Option::unwrap_or_default) }
}

/// The dataset of a question file that the catalogue does not list.
pub(super) fn ad_hoc(questions_file: &Path, root: &Path) -> Dataset {
    let id = questions_file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = questions_file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Dataset {
        label: format!("Questions of {name}"),
        status: AD_HOC.to_owned(),
        complexity_level: 1,
        corpus_path: root.to_owned(),
        questions_file: questions_file.to_owned(),
        graph_nature: "unspecified".to_owned(),
        ingestion_profile: id.clone(),
        notes: BTreeMap::new(),
        id,
    }
}
