//! Why a chat message has no content: the reasons that a completion can give.
//!
//! Pure. Source: the fields of OpenAI's chat completions, and `reasoning_content` of the servers that reason.

use serde_json::{Map, Value};

/// Why a message has no content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EmptyAnswer {
    /// The model or a filter declined.
    #[error("refused")]
    Refused,
    /// The token limit was reached first.
    #[error("truncated")]
    Truncated,
    /// The model asked for a tool instead of answering.
    #[error("tool_call")]
    ToolCall,
    /// There is reasoning text, and no answer follows it.
    #[error("reasoning_only")]
    ReasoningOnly,
}

/// Finds out why there is no content; null when the completion does not tell.
pub fn why_empty(choice: &Value, message: &Map<String, Value>) -> Option<EmptyAnswer> {
    let finish = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    let filled = |key: &str| match message.get(key) {
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(map)) => !map.is_empty(),
        _ => false,
    };
    if filled("refusal") || finish == "content_filter" {
        Some(EmptyAnswer::Refused)
    } else if filled("tool_calls") || filled("function_call") || finish == "tool_calls" {
        Some(EmptyAnswer::ToolCall)
    } else if finish == "length" {
        Some(EmptyAnswer::Truncated)
    } else if filled("reasoning_content") || filled("reasoning") {
        Some(EmptyAnswer::ReasoningOnly)
    } else {
        None
    }
}
