//! The models that scored the rows of an evidence file.
//!
//! Reads `metrics.ragas.evaluator_model` of every line and nothing else; adds one row a model. A line that is no JSON
//! object is an error with its place, because a notice of models must not be quietly incomplete.

use super::rows::Rows;
use super::{Place, text};
use crate::report::{Error, Result};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    metrics: Option<Metrics>,
}

#[derive(Deserialize)]
struct Metrics {
    #[serde(default)]
    ragas: Option<Ragas>,
}

#[derive(Deserialize)]
struct Ragas {
    #[serde(default)]
    evaluator_model: Option<Value>,
}

/// Adds the evaluator models of one evidence file.
pub fn read(rows: &mut Rows, place: Place, path: &Path) -> Result<()> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let mut reader = BufReader::new(std::fs::File::open(path).map_err(failed)?);
    let mut models = BTreeSet::new();
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
            break;
        }
        number += 1;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let bad = |reason: String| Error::Snapshot { path: place.path.to_owned(), line: number, reason };
        // A derived reader also takes a list for a struct.
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(bad("is no JSON object".to_owned()));
        }
        let line: Line = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
        let ragas = line.metrics.and_then(|metrics| metrics.ragas);
        if let Some(Value::String(model)) = ragas.and_then(|ragas| ragas.evaluator_model) {
            models.insert(model);
        }
    }
    for model in models {
        rows.evaluator.push([text(place.dataset_id), text(place.tier), text(&model)]);
    }
    Ok(())
}
