//! Two judges without a language model: `builtin/judge-coverage` and `builtin/judge-grounding`.
//!
//! They read the marked sections of a judge prompt and write the JSON it demands, so the panel talks to them as to any
//! model. They are deterministic heuristics over words: they reward answers that address the question and say
//! something definite, and they know nothing about truth. Text inside a section never steers them.

mod coverage;
mod grounding;
mod words;

use crate::json;
use crate::wire::judging::{self, ANSWER, NEED, NO_ANSWER, QUESTION};
use serde_json::{Map, Number, Value, json};

/// The name of the judge that looks for the words of question and need.
pub const COVERAGE: &str = "builtin/judge-coverage";
/// The name of the judge that looks for definite statements.
pub const GROUNDING: &str = "builtin/judge-grounding";

/// Why a built-in judge cannot answer.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// The name is neither of the two.
    #[error("`{0}` is no built-in judge")]
    UnknownJudge(String),
    /// The last user message is not a judge prompt.
    #[error("a built-in judge only reads judge prompts with marked sections, and this message has none")]
    NoSections,
}

/// What a judge prompt asks.
struct Case<'a> {
    question: &'a str,
    need: &'a str,
    /// Label and text.
    answers: Vec<(&'a str, &'a str)>,
}

/// Replies as `model` to chat `messages`, of which the last one with role `user` is read.
///
/// The reply is the demanded JSON: a score of 1 to 5 in halves for every label, the best label or null when several
/// lead, and one sentence. The same prompt always gets the same reply.
pub fn answer(model: &str, messages: &[Value]) -> Result<String, JudgeError> {
    let rate: fn(&Case, &str) -> f64 = match model {
        COVERAGE => coverage::rate,
        GROUNDING => grounding::rate,
        other => return Err(JudgeError::UnknownJudge(other.to_owned())),
    };
    let prompt = messages.iter().rev().find(|message| message.get("role") == Some(&json!("user")));
    let prompt = prompt.and_then(|message| message.get("content")?.as_str()).ok_or(JudgeError::NoSections)?;
    let case = read(prompt).ok_or(JudgeError::NoSections)?;
    let scores: Vec<(&str, f64)> = case
        .answers
        .iter()
        .map(|(label, text)| (*label, if is_missing(text) { 1.0 } else { in_halves(rate(&case, text)) }))
        .collect();
    let top = scores.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let leaders: Vec<&str> = scores.iter().filter(|(_, score)| *score == top).map(|(label, _)| *label).collect();
    let best = match leaders[..] {
        [one] => Some(one),
        _ => None,
    };
    let reason = match (model, best) {
        (COVERAGE, Some(best)) => format!("{best} shares most words with the question and what it needs."),
        (_, Some(best)) => format!("{best} names most names, numbers and quotations."),
        (_, None) => "Several answers lead by this heuristic.".to_owned(),
    };
    let scores: Map<String, Value> =
        scores.iter().filter_map(|(label, score)| Some(((*label).to_owned(), number(*score)?))).collect();
    // Scores are finite, so the value always has a text.
    Ok(json::compact(&json!({"scores": scores, "best": best, "reason": reason})).unwrap_or_default())
}

fn read(prompt: &str) -> Option<Case<'_>> {
    let sections = judging::sections(prompt);
    let named = |name: &str| sections.iter().find(|section| section.name == name).map(|section| section.text);
    let answers = sections
        .iter()
        .filter_map(|section| Some((section.name.strip_prefix(ANSWER)?.strip_prefix(' ')?, section.text)))
        .collect();
    Some(Case { question: named(QUESTION)?, need: named(NEED).unwrap_or_default(), answers })
}

fn is_missing(text: &str) -> bool {
    text.trim().is_empty() || text == NO_ANSWER
}

/// Turns a share of 0..=1 into the scale, in steps of one half.
fn in_halves(share: f64) -> f64 {
    (2.0 * (1.0 + 4.0 * share.clamp(0.0, 1.0))).round() / 2.0
}

fn number(score: f64) -> Option<Value> {
    Number::from_f64(score).map(Value::Number)
}
