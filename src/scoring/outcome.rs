//! The `metrics.ragas` part of a row in each of its states. Pure. Source: `contract/evaluation.md` section 4.4.

use super::eligibility::Eligibility;
use super::reply::{EvaluatorReply, MalformedReply, verdict};
use crate::wire::failure::CallFailure;
use serde_json::{Map, Value, json};

/// Reasons of a null score that say the metric does not apply to this answer, and not that scoring failed.
const NOT_APPLICABLE: [&str; 4] = ["no_claims", "no_contexts", "no_reference", "empty_answer"];

/// The state of a cell that failed: nothing was asked.
pub fn not_run() -> Map<String, Value> {
    object(json!({"status": "not_run", "requested": [], "scores": {}}))
}

/// The state without an evaluator: no metrics in the manifest, or no endpoint. `requested` keeps repeats.
pub fn disabled(requested: &[String]) -> Map<String, Value> {
    object(json!({
        "status": "disabled", "requested": requested, "scores": {}, "not_evaluable": {},
        "evaluator_model": null, "embeddings_model": null,
    }))
}

/// The state when no call is made: nothing was requested, or nothing is eligible.
pub(super) fn uncalled(eligibility: &Eligibility) -> Map<String, Value> {
    let status = if eligibility.requested.is_empty() { "disabled" } else { "not_evaluable" };
    base(eligibility, status)
}

/// The state after all attempts failed.
pub(super) fn failed(eligibility: &Eligibility, failure: &CallFailure) -> Map<String, Value> {
    let mut result = base(eligibility, "error");
    result.insert("error_type".to_owned(), failure.kind.as_str().into());
    result.insert("error".to_owned(), failure.to_string().into());
    result
}

/// The state after an answer.
pub(super) fn answered(eligibility: &Eligibility, reply: EvaluatorReply) -> Result<Map<String, Value>, MalformedReply> {
    let mut scores = Map::new();
    let mut errors = Map::new();
    let mut not_evaluable = not_evaluable(eligibility);
    for metric in &eligibility.eligible {
        let score = reply.scores.get(metric);
        match verdict(metric, score)? {
            Ok(value) => {
                scores.insert(metric.clone(), value.into());
            }
            Err(code) => {
                let told = reply.reasons.get(metric).and_then(Value::as_str).filter(|reason| !reason.is_empty());
                let missing = score.is_none_or(Value::is_null);
                let reason = told.filter(|_| missing).unwrap_or(code);
                let place = if NOT_APPLICABLE.contains(&reason) { &mut not_evaluable } else { &mut errors };
                place.insert(metric.clone(), reason.into());
            }
        }
    }
    let status = match (scores.is_empty(), errors.is_empty(), not_evaluable.is_empty()) {
        (true, false, _) => "error",
        (true, true, _) => "not_evaluable",
        (false, true, true) => "ok",
        (false, _, _) => "partial",
    };
    let mut result = base(eligibility, status);
    result.insert("scores".to_owned(), scores.into());
    result.insert("metric_errors".to_owned(), errors.into());
    result.insert("not_evaluable".to_owned(), not_evaluable.into());
    result.insert("evaluator_model".to_owned(), reply.evaluator_model);
    result.insert("embeddings_model".to_owned(), reply.embeddings_model);
    result.insert("metadata".to_owned(), reply.metadata);
    let details = reply.details.into_iter().filter(|(metric, _)| eligibility.eligible.contains(metric));
    let details: Map<String, Value> = details.collect();
    // An evaluator that says nothing about its scores leaves the row as it always was.
    if !details.is_empty() {
        result.insert("details".to_owned(), details.into());
    }
    Ok(result)
}

fn base(eligibility: &Eligibility, status: &str) -> Map<String, Value> {
    object(json!({
        "requested": eligibility.requested, "scores": {}, "metric_errors": {},
        "not_evaluable": not_evaluable(eligibility),
        "evaluator_model": null, "embeddings_model": null, "status": status,
    }))
}

fn not_evaluable(eligibility: &Eligibility) -> Map<String, Value> {
    eligibility.ineligible.iter().map(|(metric, reason)| (metric.clone(), (*reason).into())).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
