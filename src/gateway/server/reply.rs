//! The response to an answered question (`contract/gateway.md` sections 1.6 and 1.8).

use crate::gateway::approaches::Answered;
use crate::gateway::roles::Usage;
use crate::wire::chat::{Extension, ServerMetrics};
use crate::wire::empty::EmptyAnswer;
use crate::wire::rendered::render;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const CHUNK: &str = "chat.completion.chunk";

/// What all parts of one response share.
#[derive(Debug, Clone)]
pub struct Head {
    id: String,
    created: u64,
    model: String,
}

impl Head {
    /// Begins a response now.
    pub fn new(alias: &str) -> Self {
        let noise = RandomState::new().hash_one(alias) as u32;
        Self {
            id: format!("ragshow-{alias}-{noise:08x}"),
            created: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            model: alias.to_owned(),
        }
    }

    /// A piece of the answer as one streamed chunk; the first names the role.
    pub fn piece(&self, text: &str, is_first: bool) -> serde_json::Result<String> {
        let delta = if is_first { json!({"role": "assistant", "content": text}) } else { json!({"content": text}) };
        self.text(CHUNK, json!({"index": 0, "delta": delta, "finish_reason": null}), None)
    }

    fn text(&self, object: &'static str, choice: Value, end: Option<&Reply>) -> serde_json::Result<String> {
        let Self { id, created, model } = self;
        let usage = end.map(|reply| &reply.usage);
        let rag_showcase = end.and_then(|reply| reply.extension.as_ref());
        let created = *created;
        serde_json::to_string(&Completion { id, object, created, model, choices: [choice], usage, rag_showcase })
    }
}

/// An answer with everything a response needs, whichever way it is sent.
pub struct Reply {
    head: Head,
    /// Null when the model gave none.
    content: Option<String>,
    /// What stands in the message in place of a content.
    instead: Map<String, Value>,
    finish_reason: &'static str,
    usage: Option<Value>,
    extension: Option<Extension>,
}

#[derive(Serialize)]
struct Completion<'a> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: [Value; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'a Option<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rag_showcase: Option<&'a Extension>,
}

impl Reply {
    /// Renders an answer that took `elapsed`.
    pub fn new(head: Head, answered: Answered, elapsed: Duration) -> Self {
        let metrics = ServerMetrics {
            seconds: elapsed.as_secs_f64(),
            chunks: answered.chunks,
            llm_calls: answered.llm_calls,
            cloud_calls: answered.cloud_calls,
        };
        Self {
            head,
            content: Some(render(&answered.answer, &answered.sources, &metrics)),
            instead: Map::new(),
            finish_reason: "stop",
            usage: answered.usage.map(usage),
            extension: Some(Extension {
                schema_version: 1,
                answer: answered.answer,
                sources: answered.sources,
                metrics,
                approach: answered.metadata,
            }),
        }
    }

    /// Passes on that the model gave no answer, in the words of a completion: no content, and the reason. What it
    /// `said` in place of an answer goes where clients expect a refusal or reasoning, never into the content.
    pub fn empty(head: Head, reason: EmptyAnswer, said: String) -> Self {
        let (finish_reason, key) = match reason {
            EmptyAnswer::Refused => ("content_filter", "refusal"),
            EmptyAnswer::Truncated => ("length", "reasoning_content"),
            EmptyAnswer::ToolCall => ("tool_calls", "reasoning_content"),
            EmptyAnswer::ReasoningOnly => ("stop", "reasoning_content"),
        };
        let said = (!said.is_empty()).then(|| (key.to_owned(), Value::String(said)));
        Self { head, content: None, instead: said.into_iter().collect(), finish_reason, usage: None, extension: None }
    }

    /// The whole response as one JSON text.
    pub fn json(&self) -> serde_json::Result<String> {
        let choice = json!({"index": 0, "message": self.message(0), "finish_reason": self.finish_reason});
        self.head.text("chat.completion", choice, Some(self))
    }

    /// What of the response has not been streamed yet, as the last chunk; null when `told` is no beginning of it.
    ///
    /// The extension travels twice, because proxies keep only the inner one.
    pub fn last_chunk(&self, told: &str) -> serde_json::Result<Option<String>> {
        if !self.content.as_deref().unwrap_or_default().starts_with(told) {
            return Ok(None);
        }
        let mut delta = self.message(told.len());
        if let Some(extension) = &self.extension {
            let inner = json!({"rag_showcase": serde_json::to_value(extension)?});
            delta.insert("provider_specific_fields".to_owned(), inner);
        }
        let choice = json!({"index": 0, "delta": delta, "finish_reason": self.finish_reason});
        self.head.text(CHUNK, choice, Some(self)).map(Some)
    }

    /// The message with its content from a byte position on.
    fn message(&self, from: usize) -> Map<String, Value> {
        let mut message = Map::new();
        message.insert("role".to_owned(), json!("assistant"));
        message.insert("content".to_owned(), json!(self.content.as_deref().map(|content| &content[from..])));
        message.extend(self.instead.clone());
        message
    }
}

fn usage(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    })
}
