//! Chat completions: request, response and the `rag_showcase` extension.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One request to an approach: a single user message, caching refused.
#[derive(Debug, Clone, Serialize)]
pub struct ApproachRequest<'a> {
    /// The alias that is measured.
    pub model: &'a str,
    /// One message with role `user`.
    pub messages: [UserMessage<'a>; 1],
    /// Asks a caching proxy for a fresh answer; absent when the approach file says the gateway refuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<NoCache>,
}

/// A user message of plain text.
#[derive(Debug, Clone, Serialize)]
pub struct UserMessage<'a> {
    /// Always `user`.
    pub role: &'static str,
    /// The question as typed.
    pub content: &'a str,
}

/// The `cache` field understood by LiteLLM.
#[derive(Debug, Clone, Serialize)]
pub struct NoCache {
    /// Do not read a cached answer.
    #[serde(rename = "no-cache")]
    pub no_cache: bool,
    /// Do not keep this answer.
    #[serde(rename = "no-store")]
    pub no_store: bool,
}

impl<'a> ApproachRequest<'a> {
    /// Builds the request of `contract/evaluation.md` section 1.6.
    pub fn new(model: &'a str, question: &'a str) -> Self {
        Self {
            model,
            messages: [UserMessage { role: "user", content: question }],
            cache: Some(NoCache { no_cache: true, no_store: true }),
        }
    }
}

/// One retrieved source as it travels in the extension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// What the source is called, normally a path inside the corpus.
    pub title: String,
    /// The exact text that generation saw.
    pub snippet: String,
    /// The retrieval score; null when the approach has none. Unit and range depend on the approach.
    pub score: Option<f64>,
}

/// Counts and wall time of one answered question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ServerMetrics {
    /// Wall time from handler entry to response building, in seconds.
    pub seconds: f64,
    /// Retrieved chunks.
    pub chunks: u64,
    /// Calls to model roles, embeddings included.
    pub llm_calls: u64,
    /// Calls that left for a cloud provider.
    pub cloud_calls: u64,
}

/// The structured evidence beside the rendered answer, schema 1.
#[derive(Debug, Clone, Serialize)]
pub struct Extension {
    /// Always 1.
    pub schema_version: u32,
    /// The answer without any rendering.
    pub answer: String,
    /// Sources in display order.
    pub sources: Vec<Source>,
    /// Counts and time.
    pub metrics: ServerMetrics,
    /// What an approach adds, for instance `lazy_graph`; merged last.
    #[serde(flatten)]
    pub approach: Map<String, Value>,
}
