//! What a request may contain (`contract/gateway.md` annex A; an empty answer is allowed, section 0 item 11).

use super::{Evaluator, Metric};
use crate::wire::evaluate::EvaluateRequest;

const MOST_RECORDS: usize = 100;
const MOST_CONTEXTS: usize = 50;
const LONGEST_QUESTION: usize = 8_000;
const LONGEST_ANSWER: usize = 16_000;
const LONGEST_CONTEXT: usize = 32_000;
const LONGEST_REFERENCE: usize = 16_000;

/// Says why a request is refused; every kind is the caller's fault (HTTP 400).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// No record, or too many.
    #[error("`records` has {0} entries; 1 to {MOST_RECORDS} are allowed")]
    Records(usize),
    /// No metric.
    #[error("`metrics` is empty; choose from {}", metric_names())]
    NoMetric,
    /// A metric that does not exist.
    #[error("unknown metric `{name}`; choose from {}", metric_names())]
    UnknownMetric {
        /// The name in the request.
        name: String,
    },
    /// A text or list of a record is too long.
    #[error("`records[{record}].{field}` has {size} {unit}; at most {limit} are allowed")]
    TooLong {
        /// Position of the record.
        record: usize,
        /// The field, with the position inside it.
        field: String,
        /// Its size.
        size: usize,
        /// What is counted.
        unit: &'static str,
        /// The most that is allowed.
        limit: usize,
    },
    /// A model this gateway does not have in that role.
    #[error("`{field}` is `{asked}`, but this gateway evaluates with `{configured}`")]
    Model {
        /// The field of the request.
        field: &'static str,
        /// What was asked for.
        asked: String,
        /// What there is.
        configured: String,
    },
}

/// Checks a whole request; gives its metrics, each once, in the order of the request.
pub(super) fn check(request: &EvaluateRequest, evaluator: &dyn Evaluator) -> Result<Vec<Metric>, EvaluateError> {
    if !(1..=MOST_RECORDS).contains(&request.records.len()) {
        return Err(EvaluateError::Records(request.records.len()));
    }
    check_model("evaluator_model", request.evaluator_model.as_deref(), evaluator.name())?;
    check_model("embeddings_model", request.embeddings_model.as_deref(), evaluator.embeddings_name())?;
    let mut metrics = Vec::new();
    for name in &request.metrics {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        let metric = metric.ok_or_else(|| EvaluateError::UnknownMetric { name: name.clone() })?;
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    if metrics.is_empty() {
        return Err(EvaluateError::NoMetric);
    }
    for (index, record) in request.records.iter().enumerate() {
        check_text(index, "question", &record.question, LONGEST_QUESTION)?;
        check_text(index, "answer", &record.answer, LONGEST_ANSWER)?;
        check_text(index, "ground_truth", record.ground_truth.as_deref().unwrap_or_default(), LONGEST_REFERENCE)?;
        check_size(index, "contexts", record.contexts.len(), "entries", MOST_CONTEXTS)?;
        for (position, context) in record.contexts.iter().enumerate() {
            check_text(index, &format!("contexts[{position}]"), context, LONGEST_CONTEXT)?;
        }
    }
    Ok(metrics)
}

fn check_model(field: &'static str, asked: Option<&str>, configured: &str) -> Result<(), EvaluateError> {
    match asked {
        Some(asked) if asked != configured => {
            Err(EvaluateError::Model { field, asked: asked.to_owned(), configured: configured.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Lengths are counted in characters, never in bytes.
fn check_text(record: usize, field: &str, text: &str, limit: usize) -> Result<(), EvaluateError> {
    check_size(record, field, text.chars().count(), "characters", limit)
}

fn check_size(record: usize, field: &str, size: usize, unit: &'static str, limit: usize) -> Result<(), EvaluateError> {
    if size <= limit {
        return Ok(());
    }
    Err(EvaluateError::TooLong { record, field: field.to_owned(), size, unit, limit })
}

fn metric_names() -> String {
    Metric::ALL.map(|metric| format!("`{}`", metric.name())).join(", ")
}
