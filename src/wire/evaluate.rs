//! `POST /api/rag/evaluate`: scoring stored answers.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A batch of records and the metrics wanted for each.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EvaluateRequest {
    /// 1 to 100 records.
    pub records: Vec<EvaluateRecord>,
    /// Names out of `faithfulness`, `answer_relevancy`, `context_precision`, `context_recall`.
    pub metrics: Vec<String>,
    /// Another evaluator than the configured one; null keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluator_model: Option<String>,
    /// Another embeddings model than the configured one; null keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embeddings_model: Option<String>,
}

/// One answer with the evidence it rests on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EvaluateRecord {
    /// The question, at most 8,000 characters.
    pub question: String,
    /// The answer, at most 16,000 characters; may be empty.
    pub answer: String,
    /// At most 50 contexts of at most 32,000 characters each; null stands for none, and a null inside for a blank one.
    #[serde(default, deserialize_with = "contexts")]
    pub contexts: Vec<String>,
    /// The reference answer; null when there is none.
    #[serde(default)]
    pub ground_truth: Option<String>,
    /// Carried through to the result.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// Reads contexts as careless clients send them; a text in the place of the list stays an error.
fn contexts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let contexts: Option<Vec<Option<String>>> = Option::deserialize(deserializer)?;
    Ok(contexts.unwrap_or_default().into_iter().map(Option::unwrap_or_default).collect())
}

/// What the endpoint answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EvaluateResponse {
    /// The metrics that were asked for.
    pub metrics: Vec<String>,
    /// How many records came in.
    pub record_count: usize,
    /// Who judged statements, for instance `builtin/lexical-evaluator`.
    pub evaluator_model: String,
    /// Who embedded texts.
    pub embeddings_model: String,
    /// One entry per record, in order.
    pub results: Vec<EvaluateResult>,
    /// About the whole call.
    pub metadata: Map<String, Value>,
}

/// Scores of one record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EvaluateResult {
    /// Position of the record in the request.
    pub record_index: usize,
    /// Score per metric in 0..=1; null when it could not be measured.
    pub scores: Map<String, Value>,
    /// Reasons for nulls under `reasons`, details per metric under `details`.
    pub metadata: Map<String, Value>,
}
