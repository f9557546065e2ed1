//! Model roles behind an endpoint: OpenAI-compatible chat and embeddings, rerankers.
//!
//! Reads and writes the network through [`crate::wire::call`] and nothing else. Every role has its own deadline, its own
//! limit of calls in flight and its own settings. What a provider did not say stays unknown; what it said wrongly is a
//! failure with its kind (`contract/gateway.md` sections 1.12, 1.13 and 2.2). Keys never reach a message.

mod body;
mod chat;
mod completion;
mod connection;
mod embedder;
mod evaluator;
mod event_stream;
mod generator;
mod planner;
mod prompt;
mod readers;
mod reranker;
mod thought;

pub use chat::ChatClient;
pub use completion::Completion;
pub use embedder::RemoteEmbedder;
pub use evaluator::{EvaluatorPrompts, RemoteEvaluator};
pub use generator::RemoteGenerator;
pub use planner::RemotePlanner;
pub use prompt::{Material, Prompt, PromptError, PromptKind};
pub use readers::RemoteReader;
pub use reranker::{RemoteReranker, RerankApi};

use serde_json::{Map, Value};

/// Where a role's model is and how it is asked. Has no `Debug`: it holds a key.
#[derive(Clone)]
pub struct Settings {
    /// Base URL, for instance `http://127.0.0.1:11434/v1`; the path of the call is appended.
    pub endpoint: String,
    /// The model's name at the endpoint.
    pub model: String,
    /// Sent as bearer key; null sends none.
    pub api_key: Option<String>,
    /// Total deadline of one call with all its attempts, in seconds, from the moment it is its turn.
    pub timeout_s: f64,
    /// Calls in flight; at least 1.
    pub max_concurrency: usize,
    /// Texts in one call of an embedding model or reranker; at least 1.
    pub max_batch: usize,
    /// Fields added to every request. A null removes the field of that name instead.
    pub request_defaults: Map<String, Value>,
    /// Further attempts after the first.
    pub retries: u32,
}

/// Makes the body of a request: what is given, then the defaults.
fn request(fields: Value, defaults: &Map<String, Value>) -> Vec<u8> {
    let Value::Object(mut body) = fields else { return Vec::new() };
    for (name, value) in defaults {
        if value.is_null() {
            body.shift_remove(name);
        } else {
            body.insert(name.clone(), value.clone());
        }
    }
    Value::Object(body).to_string().into_bytes()
}
