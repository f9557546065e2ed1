//! The compatibility matrix: the evidence of one run in the shape that older tools read.
//!
//! Reads canonical rows in the order of the plan and writes JSON piece by piece, so that a long run never stands in
//! memory twice. Source of the shape: `contract/evaluation.md` section 1.8, with a final newline.

use super::Result;
use crate::json::{pretty, round_to};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Everything of a matrix but its cells.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// URL of the gateway; null for the embedded one, whose port means nothing tomorrow.
    pub base: Option<String>,
    /// The aliases that were called, in order.
    pub models: Vec<MatrixModel>,
    /// As given, relative to the project.
    pub queries_file: String,
    /// Names the run.
    pub run_id: String,
    /// Names the dataset.
    pub dataset_id: String,
    /// The evidence file.
    pub canonical_rows_file: String,
    /// The evaluation JSON.
    pub evaluation_summary_file: String,
    /// The questions, in order.
    pub queries: Vec<MatrixQuery>,
    /// Provenance of the run, as in its rows.
    pub runtime: Map<String, Value>,
    /// The ingestion, as in its rows.
    pub ingestion: Map<String, Value>,
}

/// One alias of a matrix.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatrixModel {
    pub model: String,
    pub base_model: String,
    pub flavor: String,
    pub requires_reingest: bool,
    pub experimental: bool,
}

/// One question of a matrix.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatrixQuery {
    pub id: String,
    pub query: String,
    pub expect_winner: Option<String>,
    pub rationale: Option<String>,
}

/// Writes the matrix with one cell per row; the caller gives the rows in the order of the plan.
///
/// Rows are canonical rows as JSON; a part that a row lacks becomes null. Free-form parts keep the order of keys they
/// have in the row, which is sorted for rows read from disk.
pub fn write_matrix<E: From<super::Error>>(
    out: &mut dyn Write,
    matrix: &Matrix,
    rows: impl Iterator<Item = Result<Value, E>>,
) -> Result<(), E> {
    let head = json!({
        "base": matrix.base,
        "models": matrix.models.iter().map(|model| model.model.as_str()).collect::<Vec<_>>(),
        "model_profiles": matrix.models.iter().map(profile).collect::<Vec<_>>(),
        "queries_file": matrix.queries_file,
        "run_id": matrix.run_id,
        "dataset_id": matrix.dataset_id,
        "canonical_rows_file": matrix.canonical_rows_file,
        "evaluation_summary_file": matrix.evaluation_summary_file,
        "queries": matrix.queries.iter().map(query).collect::<Vec<_>>(),
        "runtime": matrix.runtime,
    });
    let text = pretty(&head).map_err(super::Error::from)?;
    let mut write = |text: &str| out.write_all(text.as_bytes()).map_err(|error| E::from(super::Error::Write(error)));
    write(text.strip_suffix("\n}").unwrap_or(&text))?;
    write(",\n  \"cells\": [")?;
    let mut is_empty = true;
    for row in rows {
        let text = pretty(&cell(&row?)).map_err(super::Error::from)?;
        write(if is_empty { "\n    " } else { ",\n    " })?;
        write(&text.replace('\n', "\n    "))?;
        is_empty = false;
    }
    write(if is_empty { "]" } else { "\n  ]" })?;
    let ingestion = pretty(&Value::Object(matrix.ingestion.clone())).map_err(super::Error::from)?;
    write(&format!(",\n  \"ingestion\": {}\n}}\n", ingestion.replace('\n', "\n  ")))
}

fn profile(model: &MatrixModel) -> Value {
    json!({
        "model": model.model,
        "base_model": model.base_model,
        "flavor": model.flavor,
        "requires_reingest": model.requires_reingest,
        "experimental": model.experimental,
    })
}

fn query(query: &MatrixQuery) -> Value {
    json!({
        "id": query.id,
        "query": query.query,
        "expect_winner": query.expect_winner,
        "rationale": query.rationale,
    })
}

/// One cell of the matrix from its canonical row.
pub fn cell(row: &Value) -> Value {
    let (approach, evidence) = (&row["approach"], &row["evidence"]);
    // Seconds with one decimal, half to even on the exact binary value: the one number this shape changes.
    let latency_ms = row["metrics"]["operational"]["latency_ms"].as_f64().unwrap_or(0.0);
    let is_ok = row["status"] == "ok";
    let mut cell = json!({
        "query_id": row["question"]["id"],
        "model": approach["model"],
        "base_model": approach["base_model"],
        "flavor": approach["flavor"],
        "requires_reingest": approach["requires_reingest"],
        "ok": is_ok,
        "latency_s": round_to(latency_ms / 1000.0, 1),
    });
    if !is_ok {
        let part = |key: &str| row["error"][key].as_str().unwrap_or_default();
        cell["error"] = format!("{}: {}", part("type"), part("message")).into();
        return cell;
    }
    cell["raw"] = evidence["raw_content"].clone();
    cell["answer"] = evidence["answer"].clone();
    let sources = evidence["sources"].as_array().map_or(&[][..], Vec::as_slice);
    cell["sources"] = sources
        .iter()
        .map(|source| json!({"title": source["title"], "score": source["score"]}))
        .collect::<Vec<_>>()
        .into();
    cell["metrics"] = evidence["server_metrics"].clone();
    if let Some(metadata) = evidence.get("approach_metadata").filter(|metadata| metadata != &&json!({})) {
        cell["approach_metadata"] = metadata.clone();
    }
    cell
}
