//! A reranker behind an endpoint.
//!
//! Source: `contract/gateway.md` section 2.2. Never tries twice: whoever reranks keeps the order it has when a call
//! fails. Two request shapes are in use: Text Embeddings Inference, and the one of Cohere that vLLM, LiteLLM, Jina and
//! llama.cpp share.

use super::connection::Connection;
use super::{Settings, body, request};
use crate::gateway::roles::{Reranked, Reranker, RoleFuture};
use crate::wire::call::EndpointError;
use crate::wire::failure::{CallFailure, FailureKind};
use serde_json::{Map, Value, json};

/// How a reranker wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerankApi {
    /// `{query, texts}`, answered by a list of `{index, score}`.
    Tei,
    /// `{model, query, documents}`, answered by `results` of `{index, relevance_score}`.
    Cohere,
}

/// A reranker; share it, its limit of calls in flight counts all of them.
pub struct RemoteReranker {
    connection: Connection,
    defaults: Map<String, Value>,
    max_batch: usize,
    api: RerankApi,
}

impl RemoteReranker {
    /// Prepares a client; calls nobody.
    pub fn new(settings: &Settings, api: RerankApi) -> Result<Self, EndpointError> {
        let settings = Settings { retries: 0, ..settings.clone() };
        Ok(Self {
            connection: Connection::new(&settings, "rerank")?,
            defaults: settings.request_defaults,
            max_batch: settings.max_batch.max(1),
            api,
        })
    }
}

impl Reranker for RemoteReranker {
    fn name(&self) -> &str {
        self.connection.model()
    }

    fn max_batch(&self) -> usize {
        self.max_batch
    }

    fn rerank<'a>(&'a self, query: &'a str, texts: &'a [String]) -> RoleFuture<'a, Vec<Reranked>> {
        Box::pin(async move {
            let fields = match self.api {
                RerankApi::Tei => json!({"query": query, "texts": texts}),
                RerankApi::Cohere => json!({"model": self.name(), "query": query, "documents": texts}),
            };
            let body = request(fields, &self.defaults);
            self.connection
                .call(|| async {
                    let Connection { http, endpoint, .. } = &self.connection;
                    let reply = http.post(endpoint, body.clone(), self.connection.timeout_s()).await?;
                    let parsed = body::read(&reply.body, reply.retry_after_s)?;
                    let rows = read(&parsed.value, self.api);
                    Ok(rows.ok_or_else(|| CallFailure::new(FailureKind::Value, "the reply is no list of ranks"))?)
                })
                .await
        })
    }
}

/// The rows that name a text, in the order they came; null when there is no list of rows. A score that is no number is
/// null.
fn read(value: &Value, api: RerankApi) -> Option<Vec<Reranked>> {
    let (rows, score) = match api {
        RerankApi::Tei => (value.as_array()?, "score"),
        RerankApi::Cohere => (value.get("results")?.as_array()?, "relevance_score"),
    };
    let row = |row: &Value| {
        let index = row.get("index").filter(|index| index.is_u64())?.as_u64()?;
        Some(Reranked { index: usize::try_from(index).ok()?, score: row.get(score).and_then(Value::as_f64) })
    };
    Some(rows.iter().filter_map(row).collect())
}
