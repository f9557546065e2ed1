//! The chat completion around a judge's text.
//!
//! Reads the body of a successful HTTP response, writes the text and how the reply ended, or why there is no text.
//! Reasoning fields are never used as the verdict, and a missing text never becomes a word.

use super::reason::Reason;
use serde_json::Value;

/// An opened completion.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// The text of the first choice, as sent.
    pub content: String,
    /// `choices[0].finish_reason`; null when the gateway does not tell.
    pub finish_reason: Option<String>,
    /// The model that answered, which may differ from the one asked.
    pub model: Option<String>,
    /// Token counts as sent; null when the gateway does not tell.
    pub usage: Value,
}

/// A completion without text.
#[derive(Debug, Clone, PartialEq)]
pub struct NoContent {
    /// Why.
    pub reason: Reason,
    /// One line for people.
    pub detail: String,
    /// As in [`Envelope`].
    pub finish_reason: Option<String>,
    /// As in [`Envelope`].
    pub model: Option<String>,
}

/// Opens the body of a 2xx response.
///
/// An error object inside a 200, a body that is not JSON and a list without choices are gateway failures. A choice
/// without text is a refusal, a tool call, a truncation or an empty reply, in this order of evidence.
pub fn open(body: &[u8]) -> Result<Envelope, NoContent> {
    let failed =
        |reason, detail: &str| NoContent { reason, detail: detail.to_owned(), finish_reason: None, model: None };
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return Err(failed(Reason::GatewayError, "the body is not JSON"));
    };
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        return Err(error_object(error));
    }
    let Some(choice) = body.pointer("/choices/0").filter(|choice| choice.is_object()) else {
        return Err(failed(Reason::GatewayError, "the body has no choices"));
    };
    let text_at = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let finish_reason = text_at(choice, "finish_reason");
    let model = text_at(&body, "model");
    let message = choice.get("message").unwrap_or(&Value::Null);
    if let Some(content) = content_text(message.get("content")) {
        let usage = body.get("usage").cloned().unwrap_or(Value::Null);
        return Ok(Envelope { content, finish_reason, model, usage });
    }
    let finish = finish_reason.as_deref();
    let (reason, detail) = if is_filled(message.get("refusal")) {
        (Reason::Refused, "the model refused")
    } else if finish == Some("content_filter") {
        (Reason::Refused, "a content filter removed the reply")
    } else if is_filled(message.get("tool_calls")) || matches!(finish, Some("tool_calls" | "function_call")) {
        (Reason::ToolCall, "the model called a tool instead of answering")
    } else if finish == Some("length") {
        (Reason::Truncated, "the token limit was reached before any text")
    } else if is_filled(message.get("reasoning_content")) || is_filled(message.get("reasoning")) {
        (Reason::Empty, "there is reasoning, but no text")
    } else {
        (Reason::Empty, "the text is empty")
    };
    Err(NoContent { reason, detail: detail.to_owned(), finish_reason, model })
}

/// The failure that a gateway wraps in a 200.
fn error_object(error: &Value) -> NoContent {
    let code = error.get("code").map(plain).unwrap_or_default();
    let message = error.get("message").map_or_else(|| plain(error), plain);
    let limited = code == "429" || code.contains("rate_limit");
    NoContent {
        reason: if limited { Reason::RateLimited } else { Reason::GatewayError },
        detail: format!("the body is an error object: {}", super::one_line(&message)),
        finish_reason: None,
        model: None,
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Text, or the text parts of a list of parts; nothing when blank.
fn content_text(content: Option<&Value>) -> Option<String> {
    let text = match content? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

fn is_filled(value: Option<&Value>) -> bool {
    match value {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        _ => false,
    }
}
