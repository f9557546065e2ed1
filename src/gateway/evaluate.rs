//! `POST /api/rag/evaluate` without HTTP: limits, reasons for missing scores, and one outcome per record and metric.
//!
//! Reads a request, asks an [`Evaluator`], gives the response. Nothing here does I/O or judges a text. A record that
//! cannot be scored gives nulls with reasons and leaves the others alone; a request outside the limits is refused whole.
//! Records are scored side by side, as many as the evaluator bears; results keep the order of the request.

pub mod formula;
mod limits;
mod record;

pub use limits::EvaluateError;
pub use record::{Metric, Outcome, Reason, Record, RecordContext};

use crate::wire::evaluate::{EvaluateRecord, EvaluateRequest, EvaluateResponse, EvaluateResult};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Judges records; whoever provides the judgement.
pub trait Evaluator: Send + Sync {
    /// The evaluator's name as rows and pages show it.
    fn name(&self) -> &str;
    /// The name of the embeddings it compares questions with.
    fn embeddings_name(&self) -> &str;
    /// How many records may be scored at once; at least 1.
    fn max_concurrency(&self) -> usize {
        1
    }
    /// Scores some metrics of one record: one outcome per metric, in their order. What the metrics need (answer,
    /// contexts, reference) is known to be there. It never fails: what went wrong is the outcome's reason.
    fn score<'a>(&'a self, metrics: &'a [Metric], record: &'a Arc<Record>) -> BoxFuture<'a, Vec<Outcome>>;
}

/// Scores every record of a request with every metric it asks for, repeated metrics once.
///
/// `results[i].scores` has a number or null per metric. Each null has its reason under `metadata.reasons`; what the
/// judgement rests on is under `metadata.details`. Blank contexts count as none and are reported under
/// `metadata.blank_contexts`. The record's own metadata is carried along under `metadata.record`.
pub async fn evaluate(request: EvaluateRequest, evaluator: &dyn Evaluator) -> Result<EvaluateResponse, EvaluateError> {
    let metrics = limits::check(&request, evaluator)?;
    let record_count = request.records.len();
    let scored: Vec<_> = request
        .records
        .into_iter()
        .enumerate()
        .map(|(index, record)| result(index, record, &metrics, evaluator))
        .collect();
    let results = stream::iter(scored).buffered(evaluator.max_concurrency().max(1)).collect().await;
    let mut metadata = Map::new();
    metadata.insert("runner".to_owned(), json!("ragsql"));
    Ok(EvaluateResponse {
        metrics: metrics.iter().map(|metric| metric.name().to_owned()).collect(),
        record_count,
        evaluator_model: evaluator.name().to_owned(),
        embeddings_model: evaluator.embeddings_name().to_owned(),
        results,
        metadata,
    })
}

/// What the response says about one record.
async fn result(
    record_index: usize,
    mut record: EvaluateRecord,
    metrics: &[Metric],
    evaluator: &dyn Evaluator,
) -> EvaluateResult {
    let given = std::mem::take(&mut record.metadata);
    let contexts_n = record.contexts.len();
    let prepared = Arc::new(Record::new(record));
    let (mut scores, mut reasons, mut details) = (Map::new(), Map::new(), Map::new());
    for (metric, outcome) in metrics.iter().zip(outcomes(metrics, &prepared, evaluator).await) {
        scores.insert(metric.name().to_owned(), json!(outcome.score));
        if let Some(reason) = outcome.reason {
            reasons.insert(metric.name().to_owned(), json!(reason.code()));
        }
        if let Some(detail) = outcome.details {
            details.insert(metric.name().to_owned(), detail);
        }
    }
    let mut metadata = Map::new();
    metadata.insert("record".to_owned(), Value::Object(given));
    metadata.insert("reasons".to_owned(), Value::Object(reasons));
    metadata.insert("details".to_owned(), Value::Object(details));
    metadata.insert("blank_contexts".to_owned(), json!(contexts_n - prepared.contexts.len()));
    EvaluateResult { record_index, scores, metadata }
}

/// One outcome per metric: null with a reason when something it needs is missing, when the evaluator gave none, or when
/// the score is no finite number.
async fn outcomes(metrics: &[Metric], record: &Arc<Record>, evaluator: &dyn Evaluator) -> Vec<Outcome> {
    let possible: Vec<Metric> = metrics.iter().copied().filter(|metric| metric.lacks(record).is_none()).collect();
    let scored = if possible.is_empty() { Vec::new() } else { evaluator.score(&possible, record).await };
    let mut scored = scored.into_iter();
    let null = |reason: Reason, details: Option<Value>| Outcome { score: None, reason: Some(reason), details };
    metrics
        .iter()
        .map(|metric| match metric.lacks(record) {
            Some(reason) => null(reason, None),
            None => match scored.next() {
                Some(outcome) if outcome.score.is_some_and(|score| !score.is_finite()) => {
                    null(Reason::NotFinite, outcome.details)
                }
                Some(outcome) => outcome,
                None => null(Reason::NoVerdict, None),
            },
        })
        .collect()
}
