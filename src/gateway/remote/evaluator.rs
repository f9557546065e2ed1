//! Role `ragas_evaluator` by a chat model and the role `embed`: the four Ragas metrics.
//!
//! Asks for statements, verdicts and questions, and leaves the arithmetic to `evaluate::formula`. Every metric stands
//! alone: what goes wrong in one is its reason and its details, and the others go on. The metrics of a record and the
//! records of a request are asked for side by side; the chat client bounds the calls in flight.
//! Definitions: the collection metrics of Ragas 0.4. One difference in the asking: the questions of answer relevancy come
//! from one call, because three calls at temperature 0 would give one question three times.

mod ask;
mod replies;

pub use ask::EvaluatorPrompts;

use super::chat::ChatClient;
use super::prompt::Material;
use crate::gateway::evaluate::{Evaluator, Metric, Outcome, Reason, Record, formula};
use crate::gateway::roles::Embedder;
use crate::json;
use ask::{Asking, Trouble};
use futures_util::future::{BoxFuture, join_all, try_join_all};
use replies::Attribution;
use serde_json::{Value, json};
use std::sync::Arc;

/// How many questions are generated from an answer: the strictness of Ragas.
const QUESTIONS: usize = 3;

/// A chat model with the prompts of an evaluator, and the embedding that compares questions.
pub struct RemoteEvaluator {
    chat: ChatClient,
    prompts: EvaluatorPrompts,
    embed: Arc<dyn Embedder>,
    max_concurrency: usize,
}

impl RemoteEvaluator {
    /// Joins the parts; calls nobody.
    pub fn new(chat: ChatClient, prompts: EvaluatorPrompts, embed: Arc<dyn Embedder>, max_concurrency: usize) -> Self {
        Self { chat, prompts, embed, max_concurrency }
    }

    fn asking(&self) -> Asking<'_> {
        Asking { chat: &self.chat, prompts: &self.prompts }
    }

    /// The share of the answer's statements that the contexts support.
    async fn faithfulness(&self, record: &Record) -> Result<Outcome, Trouble> {
        let material = Material { question: &record.question, answer: &record.answer, ..Material::default() };
        let statements = self.asking().reply(&self.prompts.statements, &material, replies::statements).await?;
        if statements.is_empty() {
            return Ok(Outcome::missing(Reason::NoClaims, json!({ "statements": [] })));
        }
        let contexts = texts(record);
        let material = Material { contexts: &contexts, statements: &statements, ..Material::default() };
        let read = |value: &Value| replies::verdicts(value, statements.len());
        let verdicts = self.asking().reply(&self.prompts.verdicts, &material, read).await;
        let verdicts = verdicts.map_err(|trouble| trouble.with("statements", json!(statements)))?;
        let shown = statements.iter().zip(&verdicts).map(|(statement, verdict)| {
            json!({"statement": statement, "verdict": u8::from(verdict.holds), "reason": verdict.reason})
        });
        let details = json!({ "statements": shown.collect::<Vec<_>>() });
        let holds: Vec<bool> = verdicts.iter().map(|verdict| verdict.holds).collect();
        Ok(outcome(formula::share_of_true(&holds), details))
    }

    /// The mean cosine between the question and the questions that the answer answers.
    async fn answer_relevancy(&self, record: &Record) -> Result<Outcome, Trouble> {
        let material = Material { answer: &record.answer, questions_n: QUESTIONS, ..Material::default() };
        let read = |value: &Value| replies::questions(value, QUESTIONS);
        let questions = self.asking().reply(&self.prompts.questions, &material, read).await?;
        let generated = questions.iter().map(|question| question.text.clone());
        let asked: Vec<String> = std::iter::once(record.question.clone()).chain(generated).collect();
        let vectors = self.embed.embed(&asked).await;
        let vectors = vectors.map_err(|error| {
            let texts: Vec<&String> = questions.iter().map(|question| &question.text).collect();
            Trouble::of_call(&error).with("questions", json!(texts))
        })?;
        let [question, generated @ ..] = vectors.as_slice() else {
            return Err(Trouble::new(Reason::GatewayError, "the embedding gave no vectors".to_owned()));
        };
        // A vector without direction makes no score: not a number, which is told as such.
        let cosine = |left: &[f32], right: &[f32]| formula::cosine(left, right).unwrap_or(f64::NAN);
        let cosines: Vec<f64> = generated.iter().map(|vector| cosine(question, vector)).collect();
        let shown = questions.iter().zip(&cosines).map(|(question, cosine)| {
            json!({
                "question": question.text,
                "noncommittal": u8::from(question.is_noncommittal),
                "cosine": json::round_to(*cosine, 6),
            })
        });
        let details = json!({ "questions": shown.collect::<Vec<_>>() });
        let noncommittal: Vec<bool> = questions.iter().map(|question| question.is_noncommittal).collect();
        Ok(outcome(formula::answer_relevancy(&cosines, &noncommittal), details))
    }

    /// Whether useful contexts come first; one call for each context.
    async fn context_precision(&self, record: &Record) -> Result<Outcome, Trouble> {
        let reference = record.reference.as_deref().unwrap_or_default();
        let verdicts = try_join_all(record.contexts.iter().map(|context| async move {
            let material = Material { question: &record.question, reference, ..Material::default() };
            let shown = [context.text.as_str()];
            let material = Material { contexts: &shown, ..material };
            let verdict = self.asking().reply(&self.prompts.context, &material, replies::verdict).await;
            verdict.map_err(|trouble| trouble.with("context", json!(context.position)))
        }));
        let verdicts = verdicts.await?;
        let shown = record.contexts.iter().zip(&verdicts).map(|(context, verdict)| {
            json!({"context": context.position, "verdict": u8::from(verdict.holds), "reason": verdict.reason})
        });
        let details = json!({ "contexts": shown.collect::<Vec<_>>() });
        let holds: Vec<bool> = verdicts.iter().map(|verdict| verdict.holds).collect();
        Ok(outcome(Some(formula::context_precision(&holds)), details))
    }

    /// The share of the reference's statements that the contexts support.
    async fn context_recall(&self, record: &Record) -> Result<Outcome, Trouble> {
        let contexts = texts(record);
        let material = Material {
            question: &record.question,
            reference: record.reference.as_deref().unwrap_or_default(),
            contexts: &contexts,
            ..Material::default()
        };
        let attributions = self.asking().reply(&self.prompts.recall, &material, replies::attributions).await?;
        let shown = attributions.iter().map(|Attribution { statement, verdict }| {
            json!({"statement": statement, "verdict": u8::from(verdict.holds), "reason": verdict.reason})
        });
        let details = json!({ "statements": shown.collect::<Vec<_>>() });
        let holds: Vec<bool> = attributions.iter().map(|attribution| attribution.verdict.holds).collect();
        Ok(outcome(formula::share_of_true(&holds), details))
    }
}

impl Evaluator for RemoteEvaluator {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn embeddings_name(&self) -> &str {
        self.embed.name()
    }

    fn max_concurrency(&self) -> usize {
        self.max_concurrency
    }

    fn score<'a>(&'a self, metrics: &'a [Metric], record: &'a Arc<Record>) -> BoxFuture<'a, Vec<Outcome>> {
        Box::pin(join_all(metrics.iter().map(move |metric| async move {
            let scored = match metric {
                Metric::Faithfulness => self.faithfulness(record).await,
                Metric::AnswerRelevancy => self.answer_relevancy(record).await,
                Metric::ContextPrecision => self.context_precision(record).await,
                Metric::ContextRecall => self.context_recall(record).await,
            };
            scored.unwrap_or_else(Trouble::outcome)
        })))
    }
}

fn texts(record: &Record) -> Vec<&str> {
    record.contexts.iter().map(|context| context.text.as_str()).collect()
}

/// A score with its details, or the null of a text without statements.
fn outcome(score: Option<f64>, details: Value) -> Outcome {
    match score {
        Some(score) => Outcome::scored(score, details),
        None => Outcome::missing(Reason::NoClaims, details),
    }
}
