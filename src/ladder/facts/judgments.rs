//! What a judgments file says (`contract/evaluation.md` section 5.5).
//!
//! Reads the JSON as far as it goes; adds rows.

use super::{Cell, Rows, object, place, shown, text};
use crate::ladder::gates::Gate;
use serde_json::{Map, Value};
use std::path::Path;

/// Adds the judges, the questions and what each judge said.
pub fn judgments(rows: &mut Rows, file: &Path) {
    let Some(root) = object(rows, Gate::Judgments, file) else { return };
    let runtime = |key: &str| root.get("runtime").and_then(|runtime| runtime.get(key)).map_or(Cell::Null, shown);
    let of = |key: &str| root.get(key).map_or(Cell::Null, shown);
    rows.panel.push([of("status"), of("dataset_id"), runtime("backend"), runtime("endpoint")]);
    let judges = root.get("judges").and_then(Value::as_array);
    for (index, judge) in judges.into_iter().flatten().enumerate() {
        rows.panel_judge.push([place(index), shown(judge)]);
    }
    let Some(Value::Array(questions)) = root.get("queries") else {
        return rows.problem(Gate::Judgments, 0, "`queries` is missing or no list".to_owned());
    };
    for (index, question) in questions.iter().enumerate() {
        match question {
            Value::Object(question) => add_question(rows, index, question),
            _ => rows.problem(Gate::Judgments, index as i64 + 1, format!("`queries[{index}]` is no map")),
        }
    }
}

fn add_question(rows: &mut Rows, index: usize, question: &Map<String, Value>) {
    let id = match question.get("query_id").map(shown) {
        Some(Cell::Text(id)) => id,
        _ => return rows.problem(Gate::Judgments, index as i64 + 1, format!("`queries[{index}]` has no `query_id`")),
    };
    rows.panel_question.push([place(index), text(&id)]);
    for approach in keys(question.get("mean_by_approach")) {
        rows.panel_mean.push([place(index), text(approach)]);
    }
    let verdicts = question.get("per_judge").and_then(Value::as_object);
    for (at, (judge, verdict)) in verdicts.into_iter().flatten().enumerate() {
        let reason = match (verdict.get("error"), verdict.get("scores")) {
            (Some(error), _) => shown(error),
            (None, Some(Value::Object(_))) => Cell::Null,
            (None, _) => text("it has no scores"),
        };
        rows.panel_verdict.push([place(index), place(at), text(judge), reason]);
        for approach in keys(verdict.get("scores")) {
            rows.panel_score.push([place(index), text(judge), text(approach)]);
        }
    }
}

fn keys(value: Option<&Value>) -> impl Iterator<Item = &String> {
    value.and_then(Value::as_object).into_iter().flat_map(Map::keys)
}
