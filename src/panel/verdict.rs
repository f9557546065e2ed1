//! One verdict as it is stored: a line of the sidecar `<stem>.verdicts.jsonl`.
//!
//! Holds everything needed to recompute the artifact, audit the judge, and decide whether the call must be made again.
//! Old lines stay readable: fields are only ever added.

use super::ask::Ask;
use super::plan::Plan;
use super::reply::{LabelScore, Reading, Reason, Score};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the line's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// Which call about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The order of the rule.
    Forward,
    /// The same answers from last to first.
    Reverse,
    /// With planted answers; never ranked.
    Canary,
}

/// How much of a verdict counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Every answer shown has a score.
    Scored,
    /// Some have.
    Incomplete,
    /// None has.
    Unscored,
}

/// What the verdict depends on beside the prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallSettings {
    /// `atlas-litellm`, `embedded` or `openai-compatible`.
    pub backend: String,
    /// The endpoint word or a URL without user-info.
    pub endpoint: String,
    /// 0..=2.
    pub temperature: f64,
    /// The `think` switch; null when left out.
    pub thinking: Option<bool>,
}

/// One call, successful or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Wall time in milliseconds.
    pub latency_ms: u64,
    /// The judge's text, unchanged; null when there was none.
    pub raw_reply: Option<String>,
    /// As the gateway said; null when it did not.
    pub finish_reason: Option<String>,
    /// The model that answered; null when the gateway did not say.
    pub response_model: Option<String>,
    /// Token counts as the gateway sent them; null when it did not. Unknown is not zero.
    pub usage: Value,
    /// Why the attempt gave no verdict; null when it did.
    pub reason: Option<Reason>,
    /// One line about the reason; empty without one.
    pub detail: String,
}

/// The score of one answer shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerScore {
    /// The label it was shown under.
    pub label: String,
    /// The approach, or the name of a canary.
    pub approach: String,
    /// 1..=5; null when unscored.
    pub score: Option<f64>,
    /// Why there is no score; null when there is one.
    pub reason: Option<Reason>,
    /// What the judge wrote instead of a score; null when nothing.
    pub value: Value,
}

/// A line of the sidecar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The run whose answers are judged; null for matrices without one.
    pub run_id: Option<String>,
    /// The dataset; null for matrices without one.
    pub dataset_id: Option<String>,
    /// The question.
    pub question_id: String,
    /// The judge model.
    pub judge: String,
    /// Which call about the question.
    pub direction: Direction,
    /// `stable`, `per_judge` or `swap`.
    pub order_rule: String,
    /// The seed of `per_judge`; null for the others.
    pub order_seed: Option<String>,
    /// Approaches and canaries in the order shown.
    pub order: Vec<String>,
    /// Code points of each answer as shown, placeholder included.
    pub shown_characters: Vec<usize>,
    /// Labels in the order shown.
    pub labels: Vec<String>,
    /// SHA-256 of the message.
    pub prompt_sha256: String,
    /// Where and how the judge was asked.
    pub settings: CallSettings,
    /// Every call in order; empty when nobody was asked.
    pub attempts: Vec<Attempt>,
    /// How much of the verdict counts.
    pub state: State,
    /// Why nobody is scored; null otherwise.
    pub reason: Option<Reason>,
    /// One line about the reason; empty without one.
    pub detail: String,
    /// `strict`, `fenced` or `scan`; null without a verdict.
    pub parse: Option<String>,
    /// In the order of the reply, missing answers last; empty when there is no verdict.
    pub scores: Vec<AnswerScore>,
    /// The approach named best; null when none of those shown was.
    pub best: Option<String>,
    /// The judge's sentence, whatever its type.
    pub remark: Value,
    /// Names the reply scored although nobody was shown under them.
    pub surplus: Vec<String>,
}

impl Verdict {
    /// Combines what was asked, what was tried and what the last reply says.
    pub fn new(plan: &Plan, ask: &Ask, attempts: Vec<Attempt>, reading: Reading) -> Self {
        let state = match reading.failure {
            Some(_) => State::Unscored,
            None if reading.is_complete() => State::Scored,
            None => State::Incomplete,
        };
        let approach = |label: &str| {
            let position = ask.labels.iter().position(|known| known == label);
            position.map(|position| ask.order[position].clone()).unwrap_or_default()
        };
        Self {
            schema_version: SCHEMA_VERSION,
            run_id: plan.input.run_id.clone(),
            dataset_id: plan.input.dataset_id.clone(),
            question_id: ask.question_id.clone(),
            judge: ask.judge.clone(),
            direction: ask.direction,
            order_rule: plan.order.as_str().to_owned(),
            order_seed: plan.order.seed().map(str::to_owned),
            order: ask.order.clone(),
            shown_characters: ask.shown_characters.clone(),
            labels: ask.labels.clone(),
            prompt_sha256: ask.prompt_sha256.clone(),
            settings: plan.call_settings(),
            attempts,
            state,
            reason: reading.failure,
            detail: reading.detail,
            parse: reading.parse.map(|parse| parse.as_str().to_owned()),
            scores: reading.scores.into_iter().map(|entry| answer_score(approach(&entry.label), entry)).collect(),
            best: reading.best.as_deref().map(approach),
            remark: reading.remark,
            surplus: reading.surplus,
        }
    }

    /// Whether this verdict answers `ask` under `settings`: same judge, same message, same answers behind the labels.
    pub fn answers(&self, ask: &Ask, settings: &CallSettings) -> bool {
        self.judge == ask.judge
            && self.question_id == ask.question_id
            && self.direction == ask.direction
            && self.prompt_sha256 == ask.prompt_sha256
            && self.order == ask.order
            && self.settings == *settings
    }

    /// The score of an approach or canary; null when it has none.
    pub fn score_of(&self, approach: &str) -> Option<f64> {
        self.scores.iter().find(|entry| entry.approach == approach).and_then(|entry| entry.score)
    }

    /// The verdict without the texts of its calls, which only the sidecar needs.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        for attempt in &mut self.attempts {
            attempt.raw_reply = None;
        }
        self
    }
}

fn answer_score(approach: String, entry: LabelScore) -> AnswerScore {
    let label = entry.label;
    match entry.score {
        Score::Scored(score) => AnswerScore { label, approach, score: Some(score), reason: None, value: Value::Null },
        Score::Unscored { reason, value } => AnswerScore { label, approach, score: None, reason: Some(reason), value },
    }
}
