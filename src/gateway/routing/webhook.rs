//! An n8n workflow that classifies, routes and answers in place of the gateway (`contract/gateway.md` section 2.6).
//!
//! Sends questions; reads answers; keeps nothing.

use super::reply::N8nReply;
use crate::gateway::roles::RoleError;
use crate::json;
use crate::wire::call::{Endpoint, EndpointError, HttpClient};
use serde_json::{Value, json};

/// Deadline of one question, in seconds: longer than the workflow's own two calls together.
const TIMEOUT_S: f64 = 240.0;
/// The name that errors show.
const NAME: &str = "n8n";

/// A configured webhook; cheap to clone.
#[derive(Clone)]
pub struct N8nWebhook {
    endpoint: Endpoint,
    client: HttpClient,
}

impl N8nWebhook {
    /// Takes the URL of the webhook; calls nobody.
    pub fn new(url: &str) -> Result<Self, EndpointError> {
        Ok(Self { endpoint: Endpoint::new(url)?, client: HttpClient::new(TIMEOUT_S)? })
    }

    /// The URL without secrets.
    pub fn shown(&self) -> &str {
        self.endpoint.shown()
    }

    /// Asks a question; fails when the webhook cannot be reached or refuses. A body of any shape is read as far as it goes.
    pub async fn ask(&self, question: &str) -> Result<N8nReply, RoleError> {
        let failed = |message: String| RoleError::new(NAME, message);
        let body = json!({"query": question}).to_string().into_bytes();
        let reply = self.client.post(&self.endpoint, body, TIMEOUT_S).await;
        let reply = reply.map_err(|failure| failed(self.endpoint.redact(&failure.message)))?;
        let parsed = std::str::from_utf8(&reply.body).ok().and_then(|text| json::parse_strict(text).ok());
        if parsed.is_none() {
            tracing::warn!("the answer of the n8n webhook is no JSON");
        }
        Ok(N8nReply::read(&parsed.unwrap_or(Value::Null)))
    }
}
