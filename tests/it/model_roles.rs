//! Models behind endpoints and in-process: what a provider may do, and what becomes of it.

mod chat;
mod chat_streams;
mod embeddings;
mod evaluator;
mod local;
mod rerank;
mod run;
mod streaming;

use crate::stub::Stub;
use ragsql::gateway::remote::{ChatClient, Settings};
use serde_json::{Map, Value, json};

/// A key that must never be seen again.
const KEY: &str = "sk-never-show-this";

/// Settings for a model of a stub: one attempt, no key.
fn settings(stub: &Stub) -> Settings {
    Settings {
        endpoint: format!("{}/v1", stub.url),
        model: "heron".to_owned(),
        api_key: None,
        timeout_s: 20.0,
        max_concurrency: 4,
        max_batch: 32,
        request_defaults: Map::new(),
        retries: 0,
    }
}

fn chat(stub: &Stub) -> ChatClient {
    ChatClient::new(&settings(stub)).unwrap()
}

fn question() -> [Value; 1] {
    [json!({"role": "user", "content": "When?"})]
}
