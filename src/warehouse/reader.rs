//! The strict reader of one evidence line.
//!
//! Reads a line of text, returns typed parts, and refuses a wrong type with the name of its field: nothing is inferred
//! and nothing is cast. Free-form parts (usage, metadata, provenance) stay in the whole text of the row.

use crate::json;
use serde_json::{Map, Value};

/// How much of a source's text stands beside its title; pages show less.
const SNIPPET_START_CHARS: usize = 800;

/// One evidence row, typed. Field names are those of `store.cell`.
#[derive(Debug, Default)]
pub struct CellRow {
    pub row_id: String,
    pub schema_version: Option<i64>,
    pub runner_version: Option<i64>,
    pub run_id: String,
    pub dataset_id: String,
    pub dataset_label: Option<String>,
    pub complexity_level: i64,
    pub question_id: String,
    pub query: Option<String>,
    pub ground_truth: Option<String>,
    pub rationale: Option<String>,
    pub expect_winner: Option<String>,
    pub approach: String,
    pub base_approach: Option<String>,
    pub flavor: Option<String>,
    pub evidence_capability: Option<String>,
    pub requires_reingest: Option<bool>,
    pub provider: Option<String>,
    pub seed: Option<String>,
    pub status: String,
    pub latency_ms: Option<i64>,
    pub attempts: Option<i64>,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    pub total_tokens: Option<i64>,
    pub llm_calls: Option<i64>,
    pub chunks: Option<i64>,
    pub answer: Option<String>,
    pub transport: Option<String>,
    pub error_type: Option<String>,
    pub error_message: Option<String>,
    pub ragas_status: Option<String>,
    pub ragas_error_type: Option<String>,
    pub evaluator_model: Option<String>,
    pub embeddings_model: Option<String>,
    pub judge_status: Option<String>,
    pub contexts_missing: bool,
    /// Every metric the row mentions anywhere, sorted by name.
    pub scores: Vec<ScoreEntry>,
    /// Title, beginning of the text and score of each source, in order.
    pub sources: Vec<SourceFact>,
    /// Top-level keys that no row of the contract has.
    pub unknown_keys: Vec<String>,
}

/// What a row says about one metric. Field names are those of `store.score`.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreEntry {
    pub metric: String,
    pub requested: bool,
    pub score_kind: &'static str,
    pub score: Option<f64>,
    pub not_evaluable_reason: Option<String>,
    pub metric_error: Option<String>,
}

const KNOWN_KEYS: [&str; 12] = [
    "approach",
    "dataset",
    "error",
    "evidence",
    "metrics",
    "question",
    "reproducibility",
    "row_id",
    "run_id",
    "runner_version",
    "schema_version",
    "status",
];

/// Parses one line; the error names the field and what is wrong with it.
pub fn read_row(line: &str) -> Result<CellRow, String> {
    let value = json::parse_strict(line).map_err(|error| match error.column {
        0 => format!("is not a JSON row: {error}"),
        column => format!("is not a JSON row: {error}, at column {column}"),
    })?;
    let Value::Object(mut row) = value else { return Err("is not a JSON object".to_owned()) };
    let unknown_keys = row.keys().filter(|key| !KNOWN_KEYS.contains(&key.as_str())).cloned().collect();
    let mut dataset = required_object(&mut row, "dataset")?;
    let mut question = required_object(&mut row, "question")?;
    let mut approach = required_object(&mut row, "approach")?;
    let mut metrics = required_object(&mut row, "metrics")?;
    let mut evidence = object(&mut row, "evidence")?;
    let mut error = object(&mut row, "error")?;
    let mut reproducibility = object(&mut row, "reproducibility")?;
    let mut operational = object(&mut metrics, "metrics.operational")?;
    let mut ragas = object(&mut metrics, "metrics.ragas")?;
    let mut judge_panel = object(&mut metrics, "metrics.judge_panel")?;
    let usage = free_form(&evidence, "token_usage");
    let server = free_form(&evidence, "server_metrics");
    let status = required_text(&mut row, "status")?;
    let latency_ms = integer(&mut operational, "metrics.operational.latency_ms")?;
    // Other tools do not always keep times.
    let is_import = approach.get("provider").and_then(Value::as_str).is_some_and(|name| name.starts_with("import:"));
    if status == "ok" && latency_ms.is_none() && !is_import {
        return Err("`metrics.operational.latency_ms` is missing".to_owned());
    }
    let row_id = required_text(&mut row, "row_id")?;
    if row_id.is_empty() {
        return Err("`row_id` is empty".to_owned());
    }
    Ok(CellRow {
        row_id,
        schema_version: integer(&mut row, "schema_version")?,
        runner_version: integer(&mut row, "runner_version")?,
        run_id: required_text(&mut row, "run_id")?,
        dataset_id: required_text(&mut dataset, "dataset.id")?,
        dataset_label: text(&mut dataset, "dataset.label")?,
        complexity_level: integer(&mut dataset, "dataset.complexity_level")?
            .ok_or("`dataset.complexity_level` is missing")?,
        question_id: required_text(&mut question, "question.id")?,
        query: text(&mut question, "question.query")?,
        ground_truth: text(&mut question, "question.ground_truth")?,
        rationale: text(&mut question, "question.rationale")?,
        expect_winner: text(&mut question, "question.expect_winner")?,
        approach: required_text(&mut approach, "approach.model")?,
        base_approach: text(&mut approach, "approach.base_model")?,
        flavor: text(&mut approach, "approach.flavor")?,
        evidence_capability: text(&mut approach, "approach.evidence_capability")?,
        requires_reingest: boolean(&mut approach, "approach.requires_reingest")?,
        provider: text(&mut approach, "approach.provider")?,
        // An integer seed keeps its digits, whatever its size.
        seed: untyped_text(reproducibility.remove("seed")),
        status,
        latency_ms,
        attempts: integer(&mut operational, "metrics.operational.attempts")?,
        prompt_tokens: count(&usage, "prompt_tokens"),
        completion_tokens: count(&usage, "completion_tokens"),
        total_tokens: count(&usage, "total_tokens"),
        llm_calls: count(&server, "llm_calls"),
        chunks: count(&server, "chunks"),
        answer: text(&mut evidence, "evidence.answer")?,
        transport: text(&mut evidence, "evidence.transport")?,
        error_type: text(&mut error, "error.type")?,
        error_message: text(&mut error, "error.message")?,
        contexts_missing: contexts_missing(&evidence),
        scores: scores(&mut ragas)?,
        sources: sources(&evidence),
        ragas_status: text(&mut ragas, "metrics.ragas.status")?,
        ragas_error_type: untyped_text(ragas.remove("error_type")),
        evaluator_model: untyped_text(ragas.remove("evaluator_model")),
        embeddings_model: untyped_text(ragas.remove("embeddings_model")),
        judge_status: text(&mut judge_panel, "metrics.judge_panel.status")?,
        unknown_keys,
    })
}

/// Whether the row says that its service handed out no contexts.
fn contexts_missing(evidence: &Map<String, Value>) -> bool {
    evidence.get("approach_metadata").and_then(|metadata| metadata.get("contexts_missing")) == Some(&Value::Bool(true))
}

/// What pages and retrieval metrics need of a source, without opening the whole row again.
#[derive(Debug)]
pub struct SourceFact {
    /// Empty when it has none.
    pub title: String,
    /// The first [`SNIPPET_START_CHARS`] characters of its text; null when it has none.
    pub snippet_start: Option<String>,
    /// Characters of the whole text.
    pub snippet_chars: Option<i64>,
    /// Null when it has none that is a number.
    pub score: Option<f64>,
}

/// Reads `evidence.sources`; a source that is no object has nothing but its place.
fn sources(evidence: &Map<String, Value>) -> Vec<SourceFact> {
    let fact = |source: &Value| {
        let snippet = source.get("snippet").and_then(Value::as_str);
        SourceFact {
            title: source.get("title").and_then(Value::as_str).unwrap_or_default().to_owned(),
            snippet_start: snippet.map(|text| text.chars().take(SNIPPET_START_CHARS).collect()),
            snippet_chars: snippet.map(|text| i64::try_from(text.chars().count()).unwrap_or(i64::MAX)),
            score: source.get("score").and_then(Value::as_f64).filter(|score| score.is_finite()),
        }
    };
    evidence.get("sources").and_then(Value::as_array).into_iter().flatten().map(fact).collect()
}

/// Collects what `metrics.ragas` says about each metric; null maps and lists count as empty.
fn scores(ragas: &mut Map<String, Value>) -> Result<Vec<ScoreEntry>, String> {
    let mut entries: std::collections::BTreeMap<String, ScoreEntry> = Default::default();
    for metric in text_list(ragas, "metrics.ragas.requested")? {
        entry(&mut entries, metric).requested = true;
    }
    for (metric, value) in object(ragas, "metrics.ragas.scores")? {
        let (kind, score) = match &value {
            Value::Null => ("null", None),
            Value::Bool(_) => ("boolean", None),
            Value::Number(number) => ("number", number.as_f64().filter(|score| score.is_finite())),
            Value::String(_) => ("text", None),
            Value::Array(_) => ("list", None),
            Value::Object(_) => ("map", None),
        };
        if kind == "number" && score.is_none() {
            return Err(format!("`metrics.ragas.scores.{metric}` is outside the range of a double"));
        }
        let entry = entry(&mut entries, metric);
        (entry.score_kind, entry.score) = (kind, score);
    }
    for (metric, reason) in object(ragas, "metrics.ragas.not_evaluable")? {
        entry(&mut entries, metric).not_evaluable_reason = Some(untyped_text(Some(reason)).unwrap_or_default());
    }
    for (metric, reason) in object(ragas, "metrics.ragas.metric_errors")? {
        entry(&mut entries, metric).metric_error = Some(untyped_text(Some(reason)).unwrap_or_default());
    }
    Ok(entries.into_values().collect())
}

fn entry(entries: &mut std::collections::BTreeMap<String, ScoreEntry>, metric: String) -> &mut ScoreEntry {
    entries.entry(metric.clone()).or_insert_with(|| ScoreEntry {
        metric,
        requested: false,
        score_kind: "absent",
        score: None,
        not_evaluable_reason: None,
        metric_error: None,
    })
}

/// Takes the value at the last part of a dotted path out of its map.
fn take(map: &mut Map<String, Value>, path: &str) -> Option<Value> {
    let key = path.rsplit('.').next().unwrap_or(path);
    map.get_mut(key).map(Value::take)
}

fn wrong(path: &str, found: &Value, expected: &str) -> String {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    };
    format!("`{path}` is {found}, expected {expected}")
}

fn text(map: &mut Map<String, Value>, path: &str) -> Result<Option<String>, String> {
    match take(map, path) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong(path, &other, "text")),
    }
}

fn required_text(map: &mut Map<String, Value>, path: &str) -> Result<String, String> {
    text(map, path)?.ok_or_else(|| format!("`{path}` is missing"))
}

fn integer(map: &mut Map<String, Value>, path: &str) -> Result<Option<i64>, String> {
    match take(map, path) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => match number.as_i64() {
            Some(integer) => Ok(Some(integer)),
            None => Err(format!("`{path}` is {number}, expected an integer of 64 bits")),
        },
        Some(other) => Err(wrong(path, &other, "an integer")),
    }
}

fn boolean(map: &mut Map<String, Value>, path: &str) -> Result<Option<bool>, String> {
    match take(map, path) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(flag)),
        Some(other) => Err(wrong(path, &other, "true or false")),
    }
}

fn object(map: &mut Map<String, Value>, path: &str) -> Result<Map<String, Value>, String> {
    match take(map, path) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(inner)) => Ok(inner),
        Some(other) => Err(wrong(path, &other, "a map")),
    }
}

fn required_object(map: &mut Map<String, Value>, path: &str) -> Result<Map<String, Value>, String> {
    if !map.contains_key(path) {
        return Err(format!("`{path}` is missing"));
    }
    object(map, path)
}

fn text_list(map: &mut Map<String, Value>, path: &str) -> Result<Vec<String>, String> {
    let items = match take(map, path) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(other) => return Err(wrong(path, &other, "a list")),
    };
    let text = |item| match item {
        Value::String(text) => Ok(text),
        other => Err(wrong(path, &other, "a list of text")),
    };
    items.into_iter().map(text).collect()
}

/// A map that comes from outside: anything else counts as empty.
fn free_form<'map>(map: &'map Map<String, Value>, key: &str) -> Option<&'map Map<String, Value>> {
    map.get(key).and_then(Value::as_object)
}

/// A count that comes from outside: anything but a 64-bit integer counts as unknown.
fn count(map: &Option<&Map<String, Value>>, key: &str) -> Option<i64> {
    map.and_then(|map| map.get(key)).and_then(Value::as_i64)
}

/// Text as it is, null as nothing, everything else as its JSON text.
fn untyped_text(value: Option<Value>) -> Option<String> {
    match value {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(other) => json::compact(&other).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(change: impl Fn(&mut Value)) -> Result<CellRow, String> {
        let mut value = serde_json::json!({
            "row_id": "r", "run_id": "run", "status": "ok", "schema_version": 1, "runner_version": 1,
            "dataset": {"id": "d", "complexity_level": 1}, "question": {"id": "007"}, "approach": {"model": "heron"},
            "evidence": {"answer": "2025-11-02", "token_usage": {"total_tokens": 7, "id": 9007199254740993u64}},
            "metrics": {"operational": {"latency_ms": 12, "attempts": 1}, "ragas": {
                "requested": ["b", "a"], "scores": {"a": 1, "c": true}, "not_evaluable": {"b": "ground_truth_required"}}},
        });
        change(&mut value);
        read_row(&value.to_string())
    }

    #[test]
    fn text_stays_text_and_every_mentioned_metric_is_kept() {
        let row = row(|_| {}).unwrap();
        assert_eq!((row.question_id.as_str(), row.answer.as_deref()), ("007", Some("2025-11-02")));
        assert_eq!(row.total_tokens, Some(7));
        let kinds: Vec<_> = row.scores.iter().map(|entry| (entry.metric.as_str(), entry.score_kind)).collect();
        assert_eq!(kinds, [("a", "number"), ("b", "absent"), ("c", "boolean")]);
        assert_eq!(row.scores[1].not_evaluable_reason.as_deref(), Some("ground_truth_required"));
    }

    #[test]
    fn a_wrong_type_is_refused_by_the_name_of_its_field() {
        type Change = fn(&mut Value);
        let cases: [(Change, &str); 7] = [
            (
                |row| row["metrics"]["operational"]["latency_ms"] = true.into(),
                "`metrics.operational.latency_ms` is true",
            ),
            (|row| row["metrics"]["operational"]["latency_ms"] = "12".into(), "is text, expected an integer"),
            (|row| row["metrics"]["operational"]["latency_ms"] = 1.5.into(), "is 1.5, expected an integer"),
            (|row| row["question"]["id"] = 7.into(), "`question.id` is a number, expected text"),
            (|row| row["row_id"] = "".into(), "`row_id` is empty"),
            (|row| row["metrics"]["ragas"]["requested"] = "a".into(), "`metrics.ragas.requested` is text"),
            (|row| row["dataset"] = Value::Array(Vec::new()), "`dataset` is a list, expected a map"),
        ];
        for (change, message) in cases {
            let found = row(change).unwrap_err();
            assert!(found.contains(message), "{found}");
        }
    }

    #[test]
    fn an_integer_seed_keeps_its_digits_and_an_unknown_key_is_told() {
        let row = row(|row| {
            row["reproducibility"] = serde_json::json!({"seed": 18446744073709551615u64});
            row["Answer"] = "x".into();
        })
        .unwrap();
        assert_eq!(row.seed.as_deref(), Some("18446744073709551615"));
        assert_eq!(row.unknown_keys, ["Answer"]);
    }
}
