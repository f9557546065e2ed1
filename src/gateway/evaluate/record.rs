//! Metrics, records as evaluators see them, and outcomes.

use crate::wire::evaluate::EvaluateRecord;
use serde_json::Value;

/// One of the four Ragas metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The share of the answer's statements that the contexts support: 0 to 1.
    Faithfulness,
    /// How close questions generated from the answer are to the question: a mean cosine, at most 1.
    AnswerRelevancy,
    /// Whether useful contexts come before useless ones: 0 to 1.
    ContextPrecision,
    /// The share of the reference's statements that the contexts support: 0 to 1.
    ContextRecall,
}

impl Metric {
    /// All metrics, in the order of the documentation.
    pub const ALL: [Metric; 4] =
        [Metric::Faithfulness, Metric::AnswerRelevancy, Metric::ContextPrecision, Metric::ContextRecall];

    /// The name in requests and rows.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Faithfulness => "faithfulness",
            Metric::AnswerRelevancy => "answer_relevancy",
            Metric::ContextPrecision => "context_precision",
            Metric::ContextRecall => "context_recall",
        }
    }

    /// The first thing this metric needs and the record lacks.
    pub(super) fn lacks(self, record: &Record) -> Option<Reason> {
        let of_answer = matches!(self, Metric::Faithfulness | Metric::AnswerRelevancy);
        if of_answer && record.answer.trim().is_empty() {
            Some(Reason::EmptyAnswer)
        } else if self != Metric::AnswerRelevancy && record.contexts.is_empty() {
            Some(Reason::NoContexts)
        } else if !of_answer && record.reference.is_none() {
            Some(Reason::NoReference)
        } else {
            None
        }
    }
}

/// Why a score is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The text has no statement to judge.
    NoClaims,
    /// No context, or only blank ones.
    NoContexts,
    /// No reference answer, or a blank one.
    NoReference,
    /// The answer is empty or blank.
    EmptyAnswer,
    /// The evaluator gave NaN or an infinity.
    NotFinite,
    /// The evaluator gave no outcome for the metric.
    NoVerdict,
    /// The evaluator's reply was not what it was asked for, twice.
    Parse,
    /// The evaluator's reply ended at its token limit.
    Truncated,
    /// The evaluator declined.
    Refused,
    /// The evaluator's message had no text in it.
    Empty,
    /// A model gave no complete reply in time.
    Timeout,
    /// A model refused because of its load or a quota.
    RateLimited,
    /// A call failed in any other way.
    GatewayError,
}

impl Reason {
    /// The code in responses and rows.
    pub fn code(self) -> &'static str {
        match self {
            Reason::NoClaims => "no_claims",
            Reason::NoContexts => "no_contexts",
            Reason::NoReference => "no_reference",
            Reason::EmptyAnswer => "empty_answer",
            Reason::NotFinite => "score_not_finite",
            Reason::NoVerdict => "evaluator_silent",
            Reason::Parse => "evaluator_parse",
            Reason::Truncated => "truncated",
            Reason::Refused => "evaluator_refused",
            Reason::Empty => "evaluator_empty",
            Reason::Timeout => "timeout",
            Reason::RateLimited => "rate_limited",
            Reason::GatewayError => "gateway_error",
        }
    }
}

/// A record as evaluators see it: blank contexts and a blank reference are gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The question as typed.
    pub question: String,
    /// The answer as given.
    pub answer: String,
    /// The contexts that are not blank, in order.
    pub contexts: Vec<RecordContext>,
    /// The reference answer, unless it is missing or blank.
    pub reference: Option<String>,
}

/// A context with its place in the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordContext {
    /// Counted from 0, blank contexts included.
    pub position: usize,
    /// The text of the context.
    pub text: String,
}

impl Record {
    pub(super) fn new(record: EvaluateRecord) -> Self {
        let contexts = record.contexts.into_iter().enumerate().filter(|(_, text)| !text.trim().is_empty());
        Self {
            question: record.question,
            answer: record.answer,
            contexts: contexts.map(|(position, text)| RecordContext { position, text }).collect(),
            reference: record.ground_truth.filter(|text| !text.trim().is_empty()),
        }
    }
}

/// The score of one metric of one record.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The score; null when it could not be measured.
    pub score: Option<f64>,
    /// Why the score is null; none otherwise.
    pub reason: Option<Reason>,
    /// What the score rests on: statements, verdicts, generated questions.
    pub details: Option<Value>,
}

impl Outcome {
    /// A measured score.
    pub fn scored(score: f64, details: Value) -> Self {
        Self { score: Some(score), reason: None, details: Some(details) }
    }

    /// A null with its reason.
    pub fn missing(reason: Reason, details: Value) -> Self {
        Self { score: None, reason: Some(reason), details: Some(details) }
    }
}
