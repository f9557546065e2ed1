//! The facts of a results site: catalogue, manifests, published snapshots and judgments, as tables of schema `site`.
//!
//! Reads the files that the catalogue names, below one root; writes the tables of a warehouse. Judges nothing: what has
//! not the shape it must have becomes a row of `site.problem`, and the checks under `sql/checks` decide what that means.

mod evaluation;
mod evaluators;
mod panel;
mod render;
mod rows;

pub use render::{given, render_all};

use super::{Error, Result};
use crate::warehouse::{Value, Warehouse};
use rows::Rows;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Everything a results site is made of, besides the files it names.
#[derive(Debug, Clone, Default)]
pub struct SiteInputs {
    /// The folder that paths of the catalogue start at.
    pub root: PathBuf,
    /// Name of the site; titles begin with it.
    pub name: String,
    /// Titles of pages by name, as a documentation manifest has them; others are made from the name of the site.
    pub titles: BTreeMap<String, String>,
    /// The dataset catalogue, candidates included, in its order.
    pub datasets: Vec<DatasetFacts>,
    /// Models of the evaluation manifest, in its order.
    pub base_approaches: Vec<String>,
    /// The flavors manifest, in its order.
    pub flavors: Vec<FlavorFacts>,
    /// Base approaches that the project calls experimental.
    pub experimental: Vec<String>,
    /// Models that answer today.
    pub models: Vec<ModelFacts>,
    /// Published files, for the ledger.
    pub artifacts: Vec<ArtifactFacts>,
}

/// One dataset of the catalogue.
#[derive(Debug, Clone, Default)]
pub struct DatasetFacts {
    pub id: String,
    pub label: Option<String>,
    /// 1 or more.
    pub complexity_level: Option<i64>,
    /// `measured` or `candidate`.
    pub status: Option<String>,
    pub ingestion_profile: Option<String>,
    pub graph_nature: Option<String>,
    /// Relative to the root.
    pub questions_file: Option<String>,
    pub source_url: Option<String>,
    /// Published files of the base tier.
    pub base: SnapshotPaths,
    /// Published files of the flavor tier.
    pub flavors: SnapshotPaths,
}

/// The published files of one tier, relative to the root; null when the catalogue names none.
#[derive(Debug, Clone, Default)]
pub struct SnapshotPaths {
    pub evaluation: Option<String>,
    pub judgments: Option<String>,
    pub evidence: Option<String>,
}

/// One flavor of the flavors manifest.
#[derive(Debug, Clone, Default)]
pub struct FlavorFacts {
    pub alias: String,
    pub base: String,
}

/// One model that answers for the project.
#[derive(Debug, Clone, Default)]
pub struct ModelFacts {
    /// For instance `light_gen`.
    pub role: String,
    /// `generation` or `lightrag`.
    pub part: String,
    /// The model as the project names it.
    pub model: String,
}

/// One published file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArtifactFacts {
    /// Relative to the results folder.
    pub path: String,
    pub size_bytes: u64,
    /// Lower-case hex.
    pub sha256: String,
}

/// Where a snapshot belongs.
#[derive(Debug, Clone, Copy)]
struct Place<'facts> {
    dataset_id: &'facts str,
    /// `base` or `flavors`.
    tier: &'static str,
    /// As the catalogue writes it, for messages.
    path: &'facts str,
}

/// Reads every file the catalogue names and fills the tables of schema `site`.
///
/// A file that is missing or has another shape is a row of `site.problem`; evidence that is not JSON lines is an error.
pub fn load(warehouse: &Warehouse, inputs: &SiteInputs) -> Result<()> {
    let mut rows = Rows::default();
    for (index, dataset) in inputs.datasets.iter().enumerate() {
        let position = Value::Integer(index as i64 + 1);
        add_dataset(&mut rows, &position, dataset);
        for (tier, paths) in [("base", &dataset.base), ("flavors", &dataset.flavors)] {
            let named =
                [("evaluation", &paths.evaluation), ("judgments", &paths.judgments), ("evidence", &paths.evidence)];
            for (kind, path) in named {
                let facts = path.as_ref().and_then(|path| fingerprint(&inputs.root.join(path)).ok());
                let (size, sha256) =
                    facts.map_or((Value::Null, Value::Null), |(size, sha256)| (size_value(size), Value::Text(sha256)));
                rows.snapshot.push([
                    position.clone(),
                    text(&dataset.id),
                    text(tier),
                    text(kind),
                    text_or_null(path.as_deref()),
                    size,
                    sha256,
                ]);
                let Some(path) = path else { continue };
                read_snapshot(&mut rows, &inputs.root, Place { dataset_id: &dataset.id, tier, path }, kind)?;
            }
        }
    }
    for (index, approach) in inputs.base_approaches.iter().enumerate() {
        let position = Value::Integer(index as i64 + 1);
        rows.approach.push([position, text("base"), text(approach), text(approach)]);
    }
    for (index, flavor) in inputs.flavors.iter().enumerate() {
        let position = Value::Integer(index as i64 + 1);
        rows.approach.push([position, text("flavors"), text(&flavor.alias), text(&flavor.base)]);
    }
    for family in &inputs.experimental {
        rows.experimental.push([text(family)]);
    }
    for model in &inputs.models {
        rows.model.push([text(&model.role), text(&model.part), text(&model.model)]);
    }
    for artifact in &inputs.artifacts {
        rows.artifact.push([text(&artifact.path), size_value(artifact.size_bytes), text(&artifact.sha256)]);
    }
    Ok(warehouse.replace_site(&rows.into_tables())?)
}

fn add_dataset(rows: &mut Rows, position: &Value, dataset: &DatasetFacts) {
    rows.dataset.push([
        position.clone(),
        text(&dataset.id),
        text_or_null(dataset.label.as_deref()),
        dataset.complexity_level.map_or(Value::Null, Value::Integer),
        text_or_null(dataset.status.as_deref()),
        text_or_null(dataset.ingestion_profile.as_deref()),
        text_or_null(dataset.graph_nature.as_deref()),
        text_or_null(dataset.questions_file.as_deref()),
        text_or_null(dataset.source_url.as_deref()),
    ]);
}

fn read_snapshot(rows: &mut Rows, root: &Path, place: Place, kind: &str) -> Result<()> {
    let path = root.join(place.path);
    if kind == "evidence" {
        return evaluators::read(rows, place, &path);
    }
    match std::fs::read_to_string(&path) {
        Err(error) => rows.problem(place, 6, "", format!("cannot read `{}`: {error}", place.path)),
        Ok(content) => match crate::json::parse_strict(&content) {
            Err(error) => {
                rows.problem(place, 6, "", format!("`{}`, line {}: {error}", place.path, error.line));
            }
            Ok(serde_json::Value::Object(root)) if kind == "evaluation" => evaluation::read(rows, place, &root),
            Ok(serde_json::Value::Object(root)) => panel::read(rows, place, &root),
            Ok(_) => rows.problem(place, 6, "", format!("`{}` is not a JSON object", place.path)),
        },
    }
    Ok(())
}

/// Lists the files of a folder that were published there, with sizes and hashes, in order of name.
///
/// Folders in it count, since each holds the files of one dataset. Hidden files and folders are left out; a missing folder
/// holds nothing.
pub fn artifacts(folder: &Path) -> Result<Vec<ArtifactFacts>> {
    let mut found = Vec::new();
    if folder.exists() {
        add_artifacts(&mut found, folder, "")?;
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn add_artifacts(found: &mut Vec<ArtifactFacts>, folder: &Path, below: &str) -> Result<()> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    };
    for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
        let entry = entry.map_err(failed(folder))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if name.starts_with('.') || (below.is_empty() && name == "README.md") {
            continue;
        }
        if below.is_empty() && path.is_dir() {
            add_artifacts(found, &path, &format!("{name}/"))?;
        } else if path.is_file() {
            let (size_bytes, sha256) = fingerprint(&path).map_err(failed(&path))?;
            found.push(ArtifactFacts { path: format!("{below}{name}"), size_bytes, sha256 });
        }
    }
    Ok(())
}

/// Size and SHA-256 of a file, read piece by piece.
pub(super) fn fingerprint(path: &Path) -> std::io::Result<(u64, String)> {
    let mut file = std::fs::File::open(path)?;
    let mut hash = Sha256::new();
    let mut size_bytes = 0;
    let mut piece = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            break;
        }
        hash.update(&piece[..read]);
        size_bytes += read as u64;
    }
    Ok((size_bytes, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

fn size_value(size_bytes: u64) -> Value {
    Value::Integer(i64::try_from(size_bytes).unwrap_or(i64::MAX))
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn text_or_null(value: Option<&str>) -> Value {
    value.map_or(Value::Null, text)
}
