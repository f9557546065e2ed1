//! A LightRAG server that answers instead of our own graph (`contract/gateway.md` section 2.4).
//!
//! Sends questions; reads answers; keeps nothing. Its key goes into one header and is never shown.

use crate::gateway::roles::RoleError;
use crate::json;
use crate::wire::call::{Endpoint, EndpointError, HttpClient};
use serde_json::{Map, Value};

/// Deadline of one query, in seconds.
const TIMEOUT_S: f64 = 180.0;
/// The name that errors and provenance show.
pub const NAME: &str = "lightrag";

/// A configured server; cheap to clone.
#[derive(Clone)]
pub struct LightRag {
    endpoint: Endpoint,
    client: HttpClient,
}

impl LightRag {
    /// Takes the URL of a server, to which `/query` is added, and its key; an empty key is not sent.
    pub fn new(url: &str, api_key: Option<&str>) -> Result<Self, EndpointError> {
        let mut endpoint = Endpoint::new(&format!("{}/query", url.trim_end_matches('/')))?;
        if let Some(key) = api_key.filter(|key| !key.is_empty()) {
            endpoint = endpoint.header("X-API-Key", key)?;
        }
        Ok(Self { endpoint, client: HttpClient::new(TIMEOUT_S)? })
    }

    /// The URL without secrets.
    pub fn shown(&self) -> &str {
        self.endpoint.shown()
    }

    /// Sends a query; fails when the server cannot be reached or refuses.
    pub async fn query(&self, body: Map<String, Value>) -> Result<String, RoleError> {
        let failed = |message: String| RoleError::new(NAME, message);
        let body = json::compact(&Value::Object(body)).map_err(|error| failed(error.to_string()))?;
        let reply = self.client.post(&self.endpoint, body.into_bytes(), TIMEOUT_S).await;
        let reply = reply.map_err(|failure| failed(self.endpoint.redact(&failure.message)))?;
        let answer = std::str::from_utf8(&reply.body).ok().and_then(|text| json::parse_strict(text).ok());
        Ok(answer.map(|value| answer_of(&value)).unwrap_or_default())
    }
}

/// The answer in a reply: `response`, else `data`, else nothing.
///
/// A field counts unless it is missing, null, false, zero, or empty. One that is no text is shown as compact JSON.
pub fn answer_of(reply: &Value) -> String {
    let Some(reply) = reply.as_object() else { return String::new() };
    let field =
        ["response", "data"].into_iter().filter_map(|name| reply.get(name)).find(|value| json::says_something(value));
    match field {
        None => {
            tracing::warn!("the LightRAG server gave no answer");
            String::new()
        }
        Some(Value::String(text)) => text.clone(),
        Some(other) => json::compact(other).unwrap_or_default(),
    }
}
