//! What each row of an evidence file was made with.
//!
//! Reads `reproducibility` of every line and takes it apart into named facts, once for each different one. Lines that
//! cannot be read are left to the reader of the rows, which names them.

use super::{Cell, Rows, shown, text};
use crate::json;
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The maps that are taken apart; the seed stands beside them.
const PARTS: [&str; 3] = ["config_hashes", "ingestion", "runtime"];

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    reproducibility: Map<String, Value>,
}

/// Adds the provenance of every line.
pub fn provenance(rows: &mut Rows, file: &Path) {
    let Ok(evidence) = std::fs::File::open(file) else { return };
    let mut reader = BufReader::new(evidence);
    let mut known = HashSet::new();
    let mut bytes = Vec::new();
    let mut number = 0;
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
        number += 1;
        if let Ok(line) = serde_json::from_slice::<Line>(&bytes) {
            let id = identity(&line.reproducibility);
            rows.row_provenance.push([Cell::Integer(number), text(&id)]);
            if known.insert(id.clone()) {
                add_facts(rows, &id, &line.reproducibility);
            }
        }
        bytes.clear();
    }
}

fn identity(reproducibility: &Map<String, Value>) -> String {
    let canonical = json::canonical(&Value::Object(reproducibility.clone())).unwrap_or_default();
    Sha256::digest(canonical.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn add_facts(rows: &mut Rows, id: &str, reproducibility: &Map<String, Value>) {
    for part in PARTS {
        if let Some(value) = reproducibility.get(part) {
            add(rows, id, part, value);
        }
    }
}

/// One fact for a single value, a list, or an empty map; the facts of its keys for another map.
fn add(rows: &mut Rows, id: &str, name: &str, value: &Value) {
    let kind = match value {
        Value::Object(map) if !map.is_empty() => {
            return map.iter().for_each(|(key, value)| add(rows, id, &format!("{name}.{key}"), value));
        }
        Value::Object(_) => "map",
        Value::Array(_) => "list",
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
    };
    rows.provenance_fact.push([text(id), text(name), text(kind), shown(value)]);
}
