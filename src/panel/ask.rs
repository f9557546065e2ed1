//! The calls a panel has to make for one judge and one question.
//!
//! Reads a question, an order rule and a template; writes [`Ask`]s. Pure: the same inputs give the same prompts, which
//! is what lets a panel continue.

use super::canary;
use super::error::PanelError;
use super::input::{Answer, Question};
use super::order::{OrderRule, label};
use super::prompt::{Labelled, Template, fingerprint};
use super::verdict::Direction;

/// One call: what is shown to whom, and who stands behind each label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The judge asked.
    pub judge: String,
    /// The question id.
    pub question_id: String,
    /// Which of the calls about this question.
    pub direction: Direction,
    /// Approaches, and names of canaries, in the order shown.
    pub order: Vec<String>,
    /// Code points of each answer as shown, as many as `order`.
    pub shown_characters: Vec<usize>,
    /// Labels in the order shown, as many as `order`.
    pub labels: Vec<String>,
    /// The message.
    pub prompt: String,
    /// SHA-256 of the message.
    pub prompt_sha256: String,
}

/// Prepares the calls of `judge` about `question`: one, with `swap` two, with canaries one more.
///
/// A question without answers gives one call that is never made, because nobody could be scored.
pub fn asks(
    judge: &str,
    question: &Question,
    rule: &OrderRule,
    with_canaries: bool,
    template: &Template,
) -> Result<Vec<Ask>, PanelError> {
    let shown: Vec<&Answer> = question.answers.iter().collect();
    let forward = ordered(judge, question, rule, &shown);
    let mut asks = vec![ask(judge, question, Direction::Forward, &forward, template)?];
    if *rule == OrderRule::Swap && !forward.is_empty() {
        let reverse: Vec<&Answer> = forward.iter().rev().copied().collect();
        asks.push(ask(judge, question, Direction::Reverse, &reverse, template)?);
    }
    if with_canaries && !forward.is_empty() {
        let planted = canary::plant(question);
        let all: Vec<&Answer> = shown.into_iter().chain(&planted).collect();
        asks.push(ask(judge, question, Direction::Canary, &ordered(judge, question, rule, &all), template)?);
    }
    Ok(asks)
}

fn ordered<'a>(judge: &str, question: &Question, rule: &OrderRule, answers: &[&'a Answer]) -> Vec<&'a Answer> {
    let names: Vec<&str> = answers.iter().map(|answer| answer.approach.as_str()).collect();
    rule.forward(&question.id, judge, &names).into_iter().map(|index| answers[index]).collect()
}

fn ask(
    judge: &str,
    question: &Question,
    direction: Direction,
    shown: &[&Answer],
    template: &Template,
) -> Result<Ask, PanelError> {
    let labels: Vec<String> = (0..shown.len()).map(label).collect();
    let labelled: Vec<Labelled> =
        shown.iter().zip(&labels).map(|(answer, label)| Labelled { label, text: &answer.shown }).collect();
    let prompt = template.render(question, &labelled)?;
    Ok(Ask {
        judge: judge.to_owned(),
        question_id: question.id.clone(),
        direction,
        order: shown.iter().map(|answer| answer.approach.clone()).collect(),
        shown_characters: shown.iter().map(|answer| answer.shown.chars().count()).collect(),
        labels,
        prompt_sha256: fingerprint(&prompt),
        prompt,
    })
}
