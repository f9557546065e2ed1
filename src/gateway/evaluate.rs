//! `POST /api/rag/evaluate` without HTTP: limits, reasons for missing scores, and one outcome per record and metric.
//!
//! Reads a request, asks an [`Evaluator`], gives the response. Nothing here does I/O or judges a text. A record that
//! cannot be scored gives nulls with reasons and leaves the others alone; a request outside the limits is refused whole.

pub mod formula;
mod limits;
mod record;

pub use limits::EvaluateError;
pub use record::{Metric, Outcome, Reason, Record, RecordContext};

use crate::wire::evaluate::{EvaluateRequest, EvaluateResponse, EvaluateResult};
use serde_json::{Map, Value, json};

/// Judges records; whoever provides the judgement.
pub trait Evaluator: Send + Sync {
    /// The evaluator's name as rows and pages show it.
    fn name(&self) -> &str;
    /// The name of the embeddings it compares questions with.
    fn embeddings_name(&self) -> &str;
    /// Scores one metric of one record. What the metric needs (answer, contexts, reference) is known to be there.
    fn score(&self, metric: Metric, record: &Record<'_>) -> Outcome;
}

/// Scores every record of a request with every metric it asks for, repeated metrics once.
///
/// `results[i].scores` has a number or null per metric. Each null has its reason under `metadata.reasons`; what the
/// judgement rests on is under `metadata.details`. Blank contexts count as none and are reported under
/// `metadata.blank_contexts`. The record's own metadata is carried along under `metadata.record`.
pub fn evaluate(request: &EvaluateRequest, evaluator: &dyn Evaluator) -> Result<EvaluateResponse, EvaluateError> {
    let metrics = limits::check(request, evaluator)?;
    let results = request
        .records
        .iter()
        .enumerate()
        .map(|(record_index, record)| {
            let mut scores = Map::new();
            let (mut reasons, mut details) = (Map::new(), Map::new());
            let prepared = Record::new(record);
            for metric in &metrics {
                let outcome = score(*metric, &prepared, evaluator);
                scores.insert(metric.name().to_owned(), json!(outcome.score));
                if let Some(reason) = outcome.reason {
                    reasons.insert(metric.name().to_owned(), json!(reason.code()));
                }
                if let Some(detail) = outcome.details {
                    details.insert(metric.name().to_owned(), detail);
                }
            }
            let mut metadata = Map::new();
            metadata.insert("record".to_owned(), Value::Object(record.metadata.clone()));
            metadata.insert("reasons".to_owned(), Value::Object(reasons));
            metadata.insert("details".to_owned(), Value::Object(details));
            metadata.insert("blank_contexts".to_owned(), json!(record.contexts.len() - prepared.contexts.len()));
            EvaluateResult { record_index, scores, metadata }
        })
        .collect();
    let mut metadata = Map::new();
    metadata.insert("runner".to_owned(), json!("ragsql"));
    Ok(EvaluateResponse {
        metrics: metrics.iter().map(|metric| metric.name().to_owned()).collect(),
        record_count: request.records.len(),
        evaluator_model: evaluator.name().to_owned(),
        embeddings_model: evaluator.embeddings_name().to_owned(),
        results,
        metadata,
    })
}

/// One metric of one record: null with a reason when something it needs is missing or the score is no finite number.
fn score(metric: Metric, record: &Record<'_>, evaluator: &dyn Evaluator) -> Outcome {
    if let Some(reason) = metric.lacks(record) {
        return Outcome { score: None, reason: Some(reason), details: None };
    }
    let outcome = evaluator.score(metric, record);
    match outcome.score {
        Some(score) if !score.is_finite() => Outcome { score: None, reason: Some(Reason::NotFinite), ..outcome },
        _ => outcome,
    }
}
