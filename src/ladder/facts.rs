//! What the files of a run say, as rows of schema `ladder`.
//!
//! Reads JSON strictly, but as far as it goes: what has another shape becomes a row of `ladder.problem`. Counts and
//! compares nothing.

mod judgments;
mod provenance;

pub use judgments::judgments;
pub use provenance::provenance;

use super::gates::{Expectation, Gate};
use crate::json;
use crate::warehouse::Kind::{Bool, Integer, Text};
use crate::warehouse::{SiteRows, Value as Cell};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::Path;

macro_rules! tables {
    ($($name:ident: [$($kind:ident),*]),* $(,)?) => {
        /// One growing table each; the kinds are those of `sql/schema/0011_ladder.sql`.
        pub struct Rows { $(pub $name: SiteRows),* }

        impl Default for Rows {
            fn default() -> Self {
                Self { $($name: SiteRows::new(stringify!($name), &[$($kind),*])),* }
            }
        }

        impl Rows {
            /// All tables, ready to be written.
            pub fn into_tables(self) -> Vec<SiteRows> {
                vec![$(self.$name),*]
            }
        }
    };
}

tables! {
    expected_run: [Text, Text],
    expected_cell: [Integer, Text, Text],
    expected_metric: [Text],
    expected_judge: [Integer, Text],
    expected_fact: [Text, Text],
    problem: [Integer, Integer, Text],
    matrix_cell: [Integer, Text, Text, Bool, Text],
    row_provenance: [Integer, Text],
    provenance_fact: [Text, Text, Text, Text],
    summary: [Integer],
    summary_dataset: [Text, Integer, Integer, Integer, Integer, Text, Integer, Integer],
    summary_judge: [Text, Integer, Text],
    panel: [Text, Text, Text, Text],
    panel_judge: [Integer, Text],
    panel_question: [Integer, Text],
    panel_mean: [Integer, Text],
    panel_verdict: [Integer, Integer, Text, Text],
    panel_score: [Integer, Text, Text],
}

impl Rows {
    /// Notes something that has not the shape it must have; `place` orders what was found in one file.
    pub fn problem(&mut self, gate: Gate, place: i64, message: String) {
        self.problem.push([Cell::Integer(gate.number() as i64), Cell::Integer(place), Cell::Text(message)]);
    }
}

/// Adds the plan.
pub fn expected(rows: &mut Rows, expectation: &Expectation) {
    rows.expected_run.push([text(&expectation.run_id), text(&expectation.dataset_id)]);
    // An alias that was asked for twice is one cell.
    let mut seen = HashSet::new();
    let cells = expectation.cells.iter().filter(|cell| seen.insert(*cell));
    for (index, (question, approach)) in cells.enumerate() {
        rows.expected_cell.push([place(index), text(question), text(approach)]);
    }
    for metric in &expectation.metrics {
        rows.expected_metric.push([text(metric)]);
    }
    for (index, judge) in expectation.judges.iter().enumerate() {
        rows.expected_judge.push([place(index), text(judge)]);
    }
    for (name, value) in &expectation.facts {
        rows.expected_fact.push([text(name), text(value)]);
    }
}

/// Adds the cells of a compatibility matrix.
pub fn matrix(rows: &mut Rows, file: &Path) {
    let Some(root) = object(rows, Gate::Matrix, file) else { return };
    let Some(Value::Array(cells)) = root.get("cells") else {
        return rows.problem(Gate::Matrix, 0, "`cells` is missing or no list".to_owned());
    };
    for (index, cell) in cells.iter().enumerate() {
        let is_ok = cell.get("ok") == Some(&Value::Bool(true));
        let reason = match cell.get("error") {
            Some(error) if !is_ok => shown(error),
            _ => Cell::Null,
        };
        let named = |key: &str| cell.get(key).map_or(Cell::Null, shown);
        rows.matrix_cell.push([place(index), named("query_id"), named("model"), Cell::Bool(is_ok), reason]);
    }
}

/// Adds what a summary says about its datasets.
pub fn summary(rows: &mut Rows, file: &Path) {
    let Some(root) = object(rows, Gate::Summary, file) else { return };
    rows.summary.push([integer(root.get("schema_version"))]);
    let Some(Value::Object(datasets)) = root.get("datasets") else {
        return rows.problem(Gate::Summary, 0, "`datasets` is missing or no map".to_owned());
    };
    for (id, dataset) in datasets {
        let count = |block: &str, name: &str| integer(dataset.get(block).and_then(|block| block.get(name)));
        let panel = dataset.get("judge_panel");
        rows.summary_dataset.push([
            text(id),
            count("coverage", "total_rows"),
            count("coverage", "ok"),
            count("coverage", "errors"),
            count("coverage", "timeouts"),
            panel.and_then(|panel| panel.get("status")).map_or(Cell::Null, shown),
            count("judge_panel", "evaluated_queries"),
            count("judge_panel", "total_queries"),
        ]);
        let models = panel.and_then(|panel| panel.get("models")).and_then(Value::as_array);
        for (index, judge) in models.into_iter().flatten().enumerate() {
            rows.summary_judge.push([text(id), place(index), shown(judge)]);
        }
    }
}

/// The map that a JSON file holds; what keeps it from being read is noted.
fn object(rows: &mut Rows, gate: Gate, file: &Path) -> Option<Map<String, Value>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = match std::fs::read_to_string(file) {
        Err(error) => Err(format!("`{name}` cannot be read: {error}")),
        Ok(content) => match json::parse_strict(&content) {
            Err(error) => Err(format!("`{name}`, line {}: {error}", error.line)),
            Ok(Value::Object(root)) => Ok(root),
            Ok(_) => Err(format!("`{name}` is not a JSON object")),
        },
    };
    read.map_err(|message| rows.problem(gate, 0, message)).ok()
}

fn text(value: &str) -> Cell {
    Cell::Text(value.to_owned())
}

/// Text as it is, null as none, everything else as its JSON text.
fn shown(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(json::compact(other).unwrap_or_default()),
    }
}

fn integer(value: Option<&Value>) -> Cell {
    value.and_then(Value::as_i64).map_or(Cell::Null, Cell::Integer)
}

/// A place in a list, from 1.
fn place(index: usize) -> Cell {
    Cell::Integer(index as i64 + 1)
}
