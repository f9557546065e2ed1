//! What a provider's completion says: the answer, or why there is none, and what it cost.
//!
//! Pure. Nothing is invented: a count that is missing or no whole number stays unknown.

use super::thought::Thought;
use crate::gateway::roles::Usage;
use crate::wire::empty::{EmptyAnswer, why_empty};
use crate::wire::failure::{CallFailure, FailureKind};
use serde_json::{Map, Value, json};

/// A completion that can be understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Completion {
    /// Without the reasoning that some servers put in front of it; null when there is no content at all.
    pub text: Option<String>,
    /// The message as it came, for a conversation that goes on.
    pub message: Map<String, Value>,
    /// The reasoning, whichever way it came; empty when there is none.
    pub reasoning: String,
    /// The calls the model asks for, as it wrote them.
    pub tool_calls: Vec<Value>,
    /// As given, for instance `stop` or `length`.
    pub finish_reason: Option<String>,
    /// What the provider counted; null when it counted nothing.
    pub usage: Option<Usage>,
    /// The model that answered, by its own account.
    pub response_model: Option<String>,
    /// Whether characters that came broken were replaced by U+FFFD.
    pub lossy_text: bool,
    /// Events of a stream that were no JSON and were left out.
    pub malformed_event_n: u64,
    /// Why there is no text; null when there is some, or nobody says.
    pub empty: Option<EmptyAnswer>,
}

impl Completion {
    /// Reads the parsed body of a completion. One without a message is a failure.
    pub(super) fn read(value: &Value, lossy_text: bool) -> Result<Self, CallFailure> {
        let refuse = |what: &str| CallFailure::new(FailureKind::Value, format!("the completion has no {what}"));
        let choices = value.get("choices").and_then(Value::as_array).ok_or_else(|| refuse("list of choices"))?;
        let choice = choices.first().ok_or_else(|| refuse("choice"))?;
        let message = choice.get("message").and_then(Value::as_object).ok_or_else(|| refuse("message"))?;
        let content = match message.get("content") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text),
            Some(_) => return Err(refuse("content that is text")),
        };
        let given = ["reasoning_content", "reasoning"].iter().find_map(|key| message.get(*key)?.as_str());
        let mut thought = Thought::default();
        let text = content.map(|content| {
            let mut text = thought.push(content);
            text.push_str(&thought.finish());
            text
        });
        let reasoning = format!("{}{}", given.unwrap_or_default(), thought.reasoning());
        let mut completion = Self {
            text,
            message: message.clone(),
            reasoning,
            tool_calls: message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default(),
            finish_reason: choice.get("finish_reason").and_then(Value::as_str).map(str::to_owned),
            usage: usage(value.get("usage")),
            response_model: value.get("model").and_then(Value::as_str).map(str::to_owned),
            lossy_text,
            malformed_event_n: 0,
            empty: None,
        };
        if completion.text.as_deref().is_none_or(str::is_empty) {
            let inline = !completion.reasoning.is_empty();
            completion.empty = why_empty(choice, message).or(inline.then_some(EmptyAnswer::ReasoningOnly));
        }
        Ok(completion)
    }

    /// What the evidence keeps about the call: the model that answered, and what was out of the ordinary.
    pub fn details(&self) -> Map<String, Value> {
        let mut details = Map::new();
        details.insert("model".to_owned(), json!(self.response_model));
        if let Some(reason) = self.finish_reason.as_deref().filter(|reason| *reason != "stop") {
            details.insert("finish_reason".to_owned(), json!(reason));
        }
        if !self.reasoning.is_empty() {
            details.insert("reasoning_chars".to_owned(), json!(self.reasoning.chars().count()));
        }
        if self.lossy_text {
            details.insert("lossy_text".to_owned(), json!(true));
        }
        if self.malformed_event_n > 0 {
            details.insert("malformed_events".to_owned(), json!(self.malformed_event_n));
        }
        details
    }
}

/// The counts that are whole numbers; null when none is.
pub(super) fn usage(value: Option<&Value>) -> Option<Usage> {
    let count = |name: &str| value?.get(name)?.as_u64();
    let usage = Usage {
        prompt_tokens: count("prompt_tokens"),
        completion_tokens: count("completion_tokens"),
        total_tokens: count("total_tokens"),
    };
    (usage != Usage::default()).then_some(usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_missing_or_no_numbers_stay_unknown() {
        let five = Usage { prompt_tokens: Some(5), ..Usage::default() };
        for (given, expected) in [
            (json!(null), None),
            (json!({}), None),
            (json!({"prompt_tokens": 5}), Some(five)),
            (json!({"prompt_tokens": "5"}), None),
            (json!({"prompt_tokens": 5, "completion_tokens": -1, "total_tokens": 5.5}), Some(five)),
            (json!({"prompt_tokens": 0}), Some(Usage { prompt_tokens: Some(0), ..Usage::default() })),
        ] {
            assert_eq!(usage(Some(&given)), expected, "{given}");
        }
        assert_eq!(usage(None), None);
    }
}
