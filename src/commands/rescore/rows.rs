//! A stored row and the row with other scores that follows from it.
//!
//! Everything but the run, the identity and the scores is the parent's, byte for byte after canonical encoding.

use super::Told;
use crate::error::{Failure, Kind, Result};
use crate::evidence::encoded::EncodedRow;
use crate::evidence::row::{hex, row_id};
use crate::json;
use crate::scoring::{self, ScoringClient, Subject};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// Where a row says that its service handed out no contexts.
const CONTEXTS_MISSING: &str = "/evidence/approach_metadata/contexts_missing";

/// A row that is scored again.
pub struct Parent {
    row: Value,
    sha256: String,
}

impl Parent {
    /// Reads a line of evidence.
    pub fn read(line: &str) -> Result<Self> {
        let row = parse(line)?;
        let parent = Self { row, sha256: hex(&Sha256::digest(line.as_bytes())) };
        for pointer in ["/run_id", "/row_id", "/dataset/id", "/question/id", "/question/query", "/approach/model"] {
            if parent.row.pointer(pointer).and_then(Value::as_str).is_none() {
                return Err(Failure::new(Kind::Input, format!("a row of the parent has no text at `{pointer}`")));
            }
        }
        Ok(parent)
    }

    /// The run it belongs to.
    pub fn run_id(&self) -> &str {
        self.text("/run_id")
    }

    /// Its identity.
    pub fn row_id(&self) -> &str {
        self.text("/row_id")
    }

    /// SHA-256 of its line, in lower-case hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The identity of the same cell in another run.
    pub fn row_id_in(&self, run_id: &str) -> String {
        row_id(run_id, self.text("/dataset/id"), self.text("/question/id"), self.text("/approach/model"))
    }

    /// Whether exactly these metrics were asked for and the scoring of none failed.
    pub fn is_scored_by(&self, metrics: &[String]) -> bool {
        let requested = self.row.pointer("/metrics/ragas/requested").and_then(Value::as_array);
        let is_same =
            requested.is_some_and(|names| names.iter().map(Value::as_str).eq(metrics.iter().map(|m| Some(&**m))));
        is_same && !scoring_failed(&self.row)
    }

    fn scores(&self) -> Map<String, Value> {
        self.row.pointer("/metrics/ragas").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    fn text(&self, pointer: &str) -> &str {
        self.row.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Scores parents.
pub struct Scorer<'a> {
    pub client: ScoringClient,
    pub told: &'a Told,
}

impl Scorer<'_> {
    /// The row that follows from a parent: scored when the cell is `ok`, else `not_run`.
    pub async fn row(&self, parent: &Parent, row_id: &str) -> Result<EncodedRow> {
        let scores = match parent.text("/status") {
            "ok" if self.told.takes_over(parent) => parent.scores(),
            "ok" => {
                let contexts = parent.row.pointer("/evidence/contexts").and_then(Value::as_array);
                let texts = contexts.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
                let contexts: Vec<String> = texts.collect();
                let subject = Subject {
                    question: parent.text("/question/query"),
                    answer: parent.text("/evidence/answer"),
                    contexts: &contexts,
                    contexts_missing: parent.row.pointer(CONTEXTS_MISSING) == Some(&Value::Bool(true)),
                    ground_truth: parent.row.pointer("/question/ground_truth").and_then(Value::as_str),
                    row_id,
                    run_id: &self.told.run_id,
                    dataset_id: parent.text("/dataset/id"),
                };
                self.client.score(&subject).await
            }
            _ => scoring::not_run(),
        };
        let mut row = parent.row.clone();
        row["run_id"] = self.told.run_id.as_str().into();
        row["row_id"] = row_id.into();
        object(&mut row, "metrics")?.insert("ragas".to_owned(), Value::Object(scores));
        object(&mut row, "reproducibility")?.insert("rescored".to_owned(), self.told.of(parent));
        let line = json::canonical(&row).map_err(|error| Failure::new(Kind::Outside, error))?;
        Ok(EncodedRow::from_line(line)?)
    }

    /// Refuses to go on with a run that was made from other rows or by another evaluator.
    pub fn check(&self, parent: &Parent, stored: &str) -> Result<()> {
        let stored = parse(stored)?;
        let wanted = self.told.of(parent);
        if stored.pointer("/reproducibility/rescored") == Some(&wanted) {
            return Ok(());
        }
        let message = format!(
            "the run `{}` was not made from these rows of `{}` by this evaluator with these metrics",
            self.told.run_id,
            parent.run_id()
        );
        Err(Failure::new(Kind::Input, message).hint("give the new scores another --run-id"))
    }
}

/// The dataset of a line of evidence.
pub fn dataset_of(line: &str) -> Result<String> {
    Ok(Parent::read(line.trim_end_matches('\n'))?.text("/dataset/id").to_owned())
}

/// Whether the scoring of a metric failed in a line of evidence.
pub fn has_failed(line: &str) -> Result<bool> {
    Ok(scoring_failed(&parse(line)?))
}

fn scoring_failed(row: &Value) -> bool {
    let errors = row.pointer("/metrics/ragas/metric_errors").and_then(Value::as_object);
    let has_error = errors.is_some_and(|errors| !errors.is_empty());
    has_error || row.pointer("/metrics/ragas/status").is_some_and(|status| status == "error")
}

fn parse(line: &str) -> Result<Value> {
    json::parse_strict(line).map_err(|error| Failure::new(Kind::Input, format!("a stored row cannot be read: {error}")))
}

fn object<'a>(row: &'a mut Value, key: &str) -> Result<&'a mut Map<String, Value>> {
    let found = row.get_mut(key).and_then(Value::as_object_mut);
    found.ok_or_else(|| Failure::new(Kind::Input, format!("a row of the parent has no object `{key}`")))
}
