//! Answers of known worth, planted to see whether a judge can be trusted.
//!
//! Reads a question, writes extra answers. Canaries are shown in a call of their own, so that they change nothing about the
//! verdict that counts. `metrics/audit_canaries` and `metrics/audit_duplicates` say what judges make of them; they are never
//! ranked.

use super::error::PanelError;
use super::input::{Answer, Input, Question};
use super::order;
use crate::wire::judging::NO_ANSWER;

/// The names of planted answers begin with this; approaches must not.
const PREFIX: &str = "canary/";
const ORDERS: &str = include_str!("../../templates/panel/canary_orders.txt");

/// What is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What a failed approach shows.
    Empty,
    /// A text that orders full marks and says nothing else.
    OrdersFullMarks,
    /// The text of another answer in the same prompt.
    Duplicate,
}

impl Kind {
    /// The name shown in records.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Empty => "canary/empty",
            Kind::OrdersFullMarks => "canary/orders_full_marks",
            Kind::Duplicate => "canary/duplicate",
        }
    }
}

/// Refuses approaches that have the name of a canary.
pub fn refuse_reserved_names(input: &Input) -> Result<(), PanelError> {
    let mut answers = input.questions.iter().flat_map(|question| &question.answers);
    match answers.find(|answer| answer.approach.starts_with(PREFIX)) {
        Some(answer) => Err(PanelError::ReservedName { name: answer.approach.clone() }),
        None => Ok(()),
    }
}

/// The answers to plant beside those of `question`.
///
/// The duplicate repeats [`original`]; without any answer there is none.
pub fn plant(question: &Question) -> Vec<Answer> {
    let mut planted =
        vec![Answer::new(Kind::Empty.name(), None), Answer::new(Kind::OrdersFullMarks.name(), Some(ORDERS.trim_end()))];
    if let Some(original) = original(question) {
        planted.push(Answer { approach: Kind::Duplicate.name().to_owned(), ..original.clone() });
    }
    planted
}

/// The answer that the duplicate repeats: the first real one in the stable order.
pub fn original(question: &Question) -> Option<&Answer> {
    let names: Vec<&str> = question.answers.iter().map(|answer| answer.approach.as_str()).collect();
    let mut ordered = order::stable(&question.id, &names).into_iter().map(|index| &question.answers[index]);
    ordered.find(|answer| answer.is_answered && answer.shown != NO_ANSWER)
}
