//! One foreign result, and the canonical line it becomes.

use crate::evidence::row::{RUNNER_VERSION, SCHEMA_VERSION, row_id};
use crate::json;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};

/// What the person who imports says, in place of what the file says or when it says nothing.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// The run; every import needs one of its own.
    pub run_id: String,
    /// Wins over the file's dataset.
    pub dataset: Option<String>,
    /// Wins over the file's approach.
    pub approach: Option<String>,
    /// How relational each known dataset is; 1 for one that nobody knows.
    pub complexity_levels: BTreeMap<String, u32>,
}

/// The file that rows come from.
pub(super) struct Source<'a> {
    pub origin: &'a str,
    pub file: &'a str,
    pub sha256: &'a str,
}

/// One result as its file tells it. What a file does not tell is null or empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub dataset: Option<String>,
    pub question_id: String,
    pub query: String,
    pub ground_truth: Option<String>,
    pub approach: Option<String>,
    pub base_approach: Option<String>,
    pub flavor: Option<String>,
    pub answer: String,
    pub contexts: Vec<String>,
    /// Whether the tool says which contexts the answer had; an empty list is a saying.
    pub tells_contexts: bool,
    /// `{title, snippet, score}` each.
    pub sources: Vec<Value>,
    pub latency_ms: Option<u64>,
    /// `prompt_tokens`, `completion_tokens`, `total_tokens`.
    pub token_usage: Map<String, Value>,
    pub server_metrics: Option<Value>,
    pub model: Option<String>,
    /// By metric; finite.
    pub scores: Vec<(String, f64)>,
    /// Metrics without a score, with the reason.
    pub unscored: Vec<(String, String)>,
    /// Kind and words; null for an answer.
    pub error: Option<(String, String)>,
}

/// The canonical lines; two results of one cell are an error, because only one row of a cell counts.
pub(super) fn lines(records: &[Record], source: &Source, labels: &Labels) -> Result<Vec<String>, String> {
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for record in records {
        let row = row(record, source, labels);
        let id = row["row_id"].as_str().unwrap_or_default().to_owned();
        if !seen.insert(id) {
            let approach = row["approach"]["model"].as_str().unwrap_or_default();
            return Err(format!("question `{}` of `{approach}` is there twice", record.question_id));
        }
        lines.push(json::canonical(&row).map_err(|error| error.to_string())?);
    }
    Ok(lines)
}

fn row(record: &Record, source: &Source, labels: &Labels) -> Value {
    let pick = |named: &Option<String>, said: &Option<String>, otherwise: &str| {
        named.clone().or_else(|| said.clone()).unwrap_or_else(|| otherwise.to_owned())
    };
    let dataset = pick(&labels.dataset, &record.dataset, source.origin);
    let complexity_level = labels.complexity_levels.get(&dataset).copied().unwrap_or(1).max(1);
    let approach = pick(&labels.approach, &record.approach, source.origin);
    let is_ok = record.error.is_none();
    let scored = record.scores.iter().map(|(name, _)| name.as_str());
    let named: Vec<&str> = scored.chain(record.unscored.iter().map(|(name, _)| name.as_str())).collect();
    let scores: Map<String, Value> = record.scores.iter().map(|(name, score)| (name.clone(), json!(score))).collect();
    let errors: Map<String, Value> =
        record.unscored.iter().map(|(name, reason)| (name.clone(), json!(reason))).collect();
    let ragas = match (is_ok, named.is_empty()) {
        (false, _) => json!({"status": "not_run", "requested": [], "scores": {}}),
        (true, true) => json!({"status": "disabled", "requested": [], "scores": {}, "not_evaluable": {},
            "evaluator_model": null, "embeddings_model": null}),
        (true, false) => json!({"status": if errors.is_empty() { "ok" } else { "partial" }, "requested": named,
            "scores": scores, "metric_errors": errors, "not_evaluable": {}, "evaluator_model": source.origin,
            "embeddings_model": null, "metadata": {}}),
    };
    let mut operational = json!({"attempts": 1, "latency_ms": record.latency_ms});
    if is_ok {
        operational["token_usage"] = record.token_usage.clone().into();
        operational["server"] = record.server_metrics.clone().unwrap_or_default();
    }
    let status = match &record.error {
        None => "ok",
        Some((kind, _)) if kind.ends_with("Timeout") => "timeout",
        Some(_) => "error",
    };
    let mut row = json!({
        "schema_version": SCHEMA_VERSION,
        "runner_version": RUNNER_VERSION,
        "run_id": labels.run_id,
        "row_id": row_id(&labels.run_id, &dataset, &record.question_id, &approach),
        "dataset": {"id": dataset, "label": dataset, "complexity_level": complexity_level,
            "questions_file": "", "corpus_path": ""},
        "question": {"id": record.question_id, "query": record.query, "ground_truth": record.ground_truth,
            "rationale": null, "expect_winner": null},
        "approach": {"model": approach, "base_model": record.base_approach.clone().unwrap_or_else(|| approach.clone()),
            "flavor": record.flavor.as_deref().unwrap_or("default"), "evidence_capability": "answer_with_contexts",
            "requires_reingest": false, "provider": format!("import:{}", source.origin)},
        "reproducibility": {"seed": "", "config_hashes": {}, "ingestion": {},
            "runtime": {"import": {"origin": source.origin, "file": source.file, "sha256": source.sha256}}},
        "status": status,
        "evidence": {"answer": record.answer, "raw_content": record.answer, "contexts": record.contexts,
            "sources": record.sources, "token_usage": record.token_usage, "server_metrics": record.server_metrics,
            "response_id": null, "response_model": record.model,
            "transport": if is_ok { json!("structured") } else { Value::Null }},
        "metrics": {"operational": operational, "ragas": ragas, "judge_panel": {"status": "disabled"}},
        "error": record.error.as_ref().map(|(kind, message)| json!({"type": kind, "message": message})),
    });
    if is_ok && !record.tells_contexts {
        // What a tool does not tell is unknown, and no retrieval that found nothing.
        row["evidence"]["approach_metadata"] = json!({"contexts_missing": true});
    }
    row
}

/// Sources of contexts that have no names.
pub(super) fn untitled(contexts: &[String]) -> Vec<Value> {
    contexts.iter().map(|context| json!({"title": "", "snippet": context, "score": null})).collect()
}

/// Whole milliseconds of seconds; null for what is no time.
pub(super) fn milliseconds(seconds: Option<f64>) -> Option<u64> {
    seconds.filter(|seconds| (0.0..1e9).contains(seconds)).map(|seconds| (seconds * 1000.0).round() as u64)
}

/// The three counts of a usage, from whatever they are called; absent where the tool has none.
pub(super) fn usage(tool: Option<&Value>, prompt: &str, completion: &str, total: &str) -> Map<String, Value> {
    let mut usage = Map::new();
    for (ours, theirs) in [("prompt_tokens", prompt), ("completion_tokens", completion), ("total_tokens", total)] {
        if let Some(count) = tool.and_then(|tool| tool.get(theirs)).filter(|count| count.is_u64()) {
            usage.insert(ours.to_owned(), count.clone());
        }
    }
    usage
}
