//! `builtin/lexical-evaluator`: the four Ragas metrics with shared words in the place of a judging model.
//!
//! The arithmetic is that of `evaluate::formula`; only the verdicts are heuristics. A paraphrase looks unsupported and a
//! false sentence made of the right words looks supported, so these scores compare runs and prove nothing. Pure.

mod claims;
mod questions;
mod support;

use super::embedding::{cosine, embed};
use crate::gateway::evaluate::{Evaluator, Metric, Outcome, Reason, Record, formula};
use crate::json;
use claims::{claims, is_non_committal};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Evidence, Finding, Support};

/// The share of its words a statement of the answer needs in one context.
const SUPPORTED: f64 = 0.75;
/// The share a statement of the reference needs, which is never worded like the context.
const ATTRIBUTED: f64 = 0.6;
/// The share of a reference statement that makes a context useful.
const USEFUL: f64 = 0.45;
/// How many questions are generated from an answer.
const QUESTIONS: usize = 3;

/// The evaluator; it has no settings.
#[derive(Debug, Clone, Copy, Default)]
pub struct LexicalEvaluator;

impl Evaluator for LexicalEvaluator {
    fn name(&self) -> &str {
        super::EVALUATOR
    }

    fn embeddings_name(&self) -> &str {
        super::EMBEDDING
    }

    /// Works on a thread for long work: a record at the limits takes seconds.
    fn score<'a>(&'a self, metrics: &'a [Metric], record: &'a Arc<Record>) -> BoxFuture<'a, Vec<Outcome>> {
        let (metrics, record) = (metrics.to_vec(), Arc::clone(record));
        Box::pin(
            async move { tokio::task::spawn_blocking(move || scored(&metrics, &record)).await.unwrap_or_default() },
        )
    }
}

/// One outcome per metric.
fn scored(metrics: &[Metric], record: &Record) -> Vec<Outcome> {
    let evidence: Vec<Evidence> = record.contexts.iter().map(|context| Evidence::new(&context.text)).collect();
    let reference = record.reference.as_deref().unwrap_or_default();
    let score = |metric: &Metric| match metric {
        Metric::Faithfulness => attributed(&record.answer, record, &evidence, SUPPORTED),
        Metric::AnswerRelevancy => answer_relevancy(record),
        Metric::ContextPrecision => context_precision(reference, record, &evidence),
        Metric::ContextRecall => attributed(reference, record, &evidence, ATTRIBUTED),
    };
    metrics.iter().map(score).collect()
}

/// The share of the statements of a text that one context each supports; null without statements.
fn attributed(text: &str, record: &Record, evidence: &[Evidence], least_share: f64) -> Outcome {
    let mut verdicts = Vec::new();
    let mut statements = Vec::new();
    for claim in claims(text) {
        let (position, support) = best(&claim, record, evidence);
        let finding = support.finding(least_share);
        let supported = finding == Finding::Supported;
        verdicts.push(supported);
        statements.push(json!({
            "statement": claim,
            "verdict": u8::from(supported),
            "reason": finding.code(),
            "context": position,
            "share": number(support.share),
        }));
    }
    let details = json!({ "statements": statements });
    match formula::share_of_true(&verdicts) {
        Some(score) => Outcome::scored(score, details),
        None => Outcome::missing(Reason::NoClaims, details),
    }
}

/// The context that supports a statement best: a supporting one before others, then by share, then the earliest.
fn best(claim: &str, record: &Record, evidence: &[Evidence]) -> (Option<usize>, Support) {
    let mut found: (Option<usize>, Support) = (None, Support::default());
    for (context, evidence) in record.contexts.iter().zip(evidence) {
        let support = evidence.support(claim);
        if found.0.is_none() || support.rank() > found.1.rank() {
            found = (Some(context.position), support);
        }
    }
    found
}

/// The mean cosine between the question and questions made from the answer; 0 when the answer commits to nothing.
fn answer_relevancy(record: &Record) -> Outcome {
    let question = embed(&record.question);
    let mut cosines = Vec::new();
    let mut non_committal = Vec::new();
    let mut questions = Vec::new();
    for sentence in claims::statements(&record.answer).into_iter().take(QUESTIONS) {
        let generated = questions::question_from(&sentence);
        let similarity = cosine(&question, &embed(&generated));
        let refuses = is_non_committal(&sentence);
        questions.push(json!({
            "question": generated,
            "noncommittal": u8::from(refuses),
            "cosine": number(similarity),
        }));
        cosines.push(similarity);
        non_committal.push(refuses);
    }
    let details = json!({ "questions": questions });
    match formula::answer_relevancy(&cosines, &non_committal) {
        Some(score) => Outcome::scored(score, details),
        None => Outcome::missing(Reason::NoClaims, details),
    }
}

/// Rank-weighted precision over the contexts that carry a good part of a reference statement.
fn context_precision(reference: &str, record: &Record, evidence: &[Evidence]) -> Outcome {
    let claims = claims(reference);
    if claims.is_empty() {
        return Outcome::missing(Reason::NoClaims, json!({ "contexts": [] }));
    }
    let mut verdicts = Vec::new();
    let mut contexts = Vec::new();
    for (context, evidence) in record.contexts.iter().zip(evidence) {
        let supports: Vec<Support> = claims.iter().map(|claim| evidence.support(claim)).collect();
        let useful = supports.iter().any(|support| support.is_useful(USEFUL));
        let share = supports.iter().map(|support| support.share).fold(0.0, f64::max);
        verdicts.push(useful);
        contexts.push(json!({ "context": context.position, "verdict": u8::from(useful), "share": number(share) }));
    }
    Outcome::scored(formula::context_precision(&verdicts), json!({ "contexts": contexts }))
}

/// A share or cosine as details show it: six decimals.
fn number(value: f64) -> Value {
    json!(json::round_to(value, 6))
}
