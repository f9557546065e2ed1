//! The response to an answered question (`contract/gateway.md` sections 1.6 and 1.8).

use crate::gateway::approaches::Answered;
use crate::gateway::roles::Usage;
use crate::wire::chat::{Extension, ServerMetrics};
use crate::wire::rendered::render;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// An answer with everything a response needs, whichever way it is sent.
pub struct Reply {
    id: String,
    created: u64,
    model: String,
    content: String,
    usage: Option<Value>,
    extension: Extension,
}

#[derive(Serialize)]
struct Completion<'a> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: [Value; 1],
    usage: &'a Option<Value>,
    rag_showcase: &'a Extension,
}

impl Reply {
    /// Renders an answer that took `elapsed`.
    pub fn new(alias: &str, answered: Answered, elapsed: Duration) -> Self {
        let metrics = ServerMetrics {
            seconds: elapsed.as_secs_f64(),
            chunks: answered.chunks,
            llm_calls: answered.llm_calls,
            cloud_calls: answered.cloud_calls,
        };
        let noise = RandomState::new().hash_one(alias) as u32;
        Self {
            id: format!("ragshow-{alias}-{noise:08x}"),
            created: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            model: alias.to_owned(),
            content: render(&answered.answer, &answered.sources, &metrics),
            usage: answered.usage.map(usage),
            extension: Extension {
                schema_version: 1,
                answer: answered.answer,
                sources: answered.sources,
                metrics,
                approach: answered.metadata,
            },
        }
    }

    /// The whole response as one JSON text.
    pub fn json(&self) -> serde_json::Result<String> {
        let message = json!({"role": "assistant", "content": self.content});
        self.text("chat.completion", json!({"index": 0, "message": message, "finish_reason": "stop"}))
    }

    /// The response as one streamed chunk; the extension travels twice, because proxies keep only the inner one.
    pub fn chunk(&self) -> serde_json::Result<String> {
        let inner = json!({"rag_showcase": serde_json::to_value(&self.extension)?});
        let delta = json!({"role": "assistant", "content": self.content, "provider_specific_fields": inner});
        self.text("chat.completion.chunk", json!({"index": 0, "delta": delta, "finish_reason": "stop"}))
    }

    fn text(&self, object: &'static str, choice: Value) -> serde_json::Result<String> {
        serde_json::to_string(&Completion {
            id: &self.id,
            object,
            created: self.created,
            model: &self.model,
            choices: [choice],
            usage: &self.usage,
            rag_showcase: &self.extension,
        })
    }
}

fn usage(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    })
}
