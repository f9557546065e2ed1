//! Compatibility matrices of every date (`contract/evaluation.md` sections 1.8 and 9).
//!
//! The oldest have no `dataset_id`, no `queries_file` and cells without base and flavor. A cell keeps titles and scores
//! of its sources, not their texts.

use super::record::{Record, milliseconds};
use crate::json;
use serde_json::{Value, json};
use std::collections::HashMap;

pub fn records(text: &str) -> Result<Vec<Record>, String> {
    let whole = json::parse_strict(text).map_err(|error| format!("it is not strict JSON: {error}"))?;
    let list = |key: &str| whole.get(key).and_then(Value::as_array).ok_or_else(|| format!("it has no list `{key}`"));
    let queries: HashMap<&str, &str> = list("queries")?
        .iter()
        .filter_map(|query| Some((query.get("id")?.as_str()?, query.get("query")?.as_str()?)))
        .collect();
    let dataset = whole.get("dataset_id").and_then(Value::as_str).map(str::to_owned);
    list("cells")?.iter().enumerate().map(|(index, cell)| record(cell, index, &queries, dataset.clone())).collect()
}

fn record(
    cell: &Value,
    index: usize,
    queries: &HashMap<&str, &str>,
    dataset: Option<String>,
) -> Result<Record, String> {
    let text = |key: &str| cell.get(key).and_then(Value::as_str).map(str::to_owned);
    let place = || format!("cell {}", index + 1);
    let question_id = text("query_id").ok_or_else(|| format!("{} has no `query_id`", place()))?;
    let query = queries.get(question_id.as_str());
    let query = query.ok_or_else(|| format!("{} asks `{question_id}`, which is not among `queries`", place()))?;
    let is_ok = cell.get("ok").and_then(Value::as_bool).ok_or_else(|| format!("{} has no `ok`", place()))?;
    let source = |source: &Value| {
        let title = source.get("title").and_then(Value::as_str).unwrap_or_default();
        json!({"title": title, "snippet": "", "score": source.get("score")})
    };
    let error = text("error").unwrap_or_default();
    let (kind, message) = error.split_once(": ").unwrap_or(("Error", &error));
    Ok(Record {
        dataset,
        query: (*query).to_owned(),
        question_id,
        approach: Some(text("model").ok_or_else(|| format!("{} has no `model`", place()))?),
        base_approach: text("base_model"),
        flavor: text("flavor"),
        answer: if is_ok { text("answer").unwrap_or_default() } else { String::new() },
        sources: cell.get("sources").and_then(Value::as_array).into_iter().flatten().map(source).collect(),
        // Sources without texts still name what was found; a cell without the field says nothing.
        tells_contexts: cell.get("sources").is_some_and(Value::is_array),
        latency_ms: milliseconds(cell.get("latency_s").and_then(Value::as_f64)),
        server_metrics: cell.get("metrics").filter(|metrics| metrics.is_object()).cloned(),
        error: (!is_ok).then(|| (kind.to_owned(), message.to_owned())),
        ..Record::default()
    })
}
