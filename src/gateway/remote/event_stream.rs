//! A streamed completion: from events to the pieces of an answer, and to the completion they make.
//!
//! Pure; [`super::chat`] reads the network. Comments keep a stream alive and say nothing. An event that is no JSON is
//! left out and counted. An error object ends the stream as the failure it names.

use super::body::parse;
use super::completion::Completion;
use super::thought::Thought;
use crate::wire::failure::{CallFailure, FailureKind};
use crate::wire::sse::Event;
use crate::wire::wrapped::wrapped_error;
use serde_json::{Map, Value, json};

/// The mark of the end.
const DONE: &str = "[DONE]";

/// What has come so far.
#[derive(Default)]
pub(super) struct StreamedCompletion {
    content: Option<String>,
    thought: Thought,
    reasoning: String,
    refusal: String,
    tool_calls: Vec<Value>,
    finish_reason: Option<String>,
    usage: Option<Value>,
    model: Option<String>,
    lossy: bool,
    malformed_event_n: u64,
    done: bool,
}

impl StreamedCompletion {
    /// Takes an event and gives the piece of the answer it adds; often empty.
    pub fn take(&mut self, event: &Event) -> Result<String, CallFailure> {
        if event.data.trim() == DONE {
            self.done = true;
            return Ok(String::new());
        }
        let parsed = parse(&event.data).ok().filter(|parsed| parsed.value.is_object());
        let Some(parsed) = parsed else {
            self.malformed_event_n += 1;
            return Ok(String::new());
        };
        if let Some(failure) = wrapped_error(&parsed.value, None) {
            return Err(failure);
        }
        self.lossy |= parsed.lossy || event.lossy;
        if let Some(model) = parsed.value.get("model").and_then(Value::as_str) {
            self.model.get_or_insert_with(|| model.to_owned());
        }
        if let Some(usage) = parsed.value.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(usage.clone());
        }
        // Chunks about usage have no choice, or null in its place.
        let Some(choice) = parsed.value.pointer("/choices/0") else { return Ok(String::new()) };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish_reason = Some(reason.to_owned());
        }
        Ok(choice.get("delta").map_or_else(String::new, |delta| self.take_delta(delta)))
    }

    fn take_delta(&mut self, delta: &Value) -> String {
        let text = |key: &str| delta.get(key).and_then(Value::as_str);
        if let Some(more) = text("reasoning_content").or(text("reasoning")) {
            self.reasoning.push_str(more);
        }
        if let Some(more) = text("refusal") {
            self.refusal.push_str(more);
        }
        self.tool_calls.extend(delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten().cloned());
        let Some(more) = text("content") else { return String::new() };
        self.content.get_or_insert_default().push_str(more);
        self.thought.push(more)
    }

    /// Whether the end was announced; what follows is nobody's business.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Ends the stream: the last piece of the answer, and the whole completion. A stream that broke off is a failure.
    pub fn finish(mut self) -> Result<(String, Completion), CallFailure> {
        if !self.done && self.finish_reason.is_none() {
            let message = "the stream ended before the answer was complete";
            return Err(CallFailure::new(FailureKind::RemoteProtocol, message));
        }
        let rest = self.thought.finish();
        let mut message = Map::new();
        message.insert("role".to_owned(), json!("assistant"));
        message.insert("content".to_owned(), json!(self.content));
        for (key, text) in [("reasoning_content", self.reasoning), ("refusal", self.refusal)] {
            if !text.is_empty() {
                message.insert(key.to_owned(), json!(text));
            }
        }
        if !self.tool_calls.is_empty() {
            message.insert("tool_calls".to_owned(), Value::Array(self.tool_calls));
        }
        let choice = json!({"message": message, "finish_reason": self.finish_reason});
        let whole = json!({"model": self.model, "choices": [choice], "usage": self.usage});
        let completion = Completion::read(&whole, self.lossy)?;
        Ok((rest, Completion { malformed_event_n: self.malformed_event_n, ..completion }))
    }
}
