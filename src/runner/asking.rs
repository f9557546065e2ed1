//! How one approach is asked: where, with which body, and where its answer holds the contexts.
//!
//! Pure. Without a connection of its own an approach is asked at the run's gateway as `contract/evaluation.md` section
//! 1.6 says.

use crate::experiment::connection::{Connection, DEFAULT_CONTEXTS, Message};
use crate::wire::call::Endpoint;
use crate::wire::chat::ApproachRequest;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Where and how an approach is asked.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The chat completions URL, with its key and headers.
    pub endpoint: Endpoint,
    /// `approach.provider` of every row, for instance `embedded`.
    pub provider: String,
    /// Whether requests ask for a fresh answer; off for services that refuse fields they do not know.
    pub refuse_cache: bool,
    /// What the approaches file says; null asks in the plainest way.
    pub connection: Option<Arc<Connection>>,
}

impl Asking {
    /// The body for one question. Fails when the prompt cannot take the question, with the reason.
    pub fn body(&self, alias: &str, question: &str) -> Result<Vec<u8>, String> {
        let Some(connection) = &self.connection else {
            let mut request = ApproachRequest::new(alias, question);
            if !self.refuse_cache {
                request.cache = None;
            }
            return serde_json::to_vec(&request).map_err(|error| error.to_string());
        };
        let asked = match &connection.prompt {
            Some(prompt) => prompt.message(question)?,
            None => question.to_owned(),
        };
        let message = |Message { role, content }: &Message| json!({"role": role.as_str(), "content": content});
        let mut messages: Vec<Value> = connection.messages.iter().map(message).collect();
        messages.push(json!({"role": "user", "content": asked}));
        let mut body = Map::new();
        body.insert("model".to_owned(), connection.model.as_deref().unwrap_or(alias).into());
        body.insert("messages".to_owned(), messages.into());
        if self.refuse_cache {
            body.insert("cache".to_owned(), json!({"no-cache": true, "no-store": true}));
        }
        for (name, value) in &connection.body {
            match value {
                Value::Null => body.shift_remove(name),
                value => body.insert(name.clone(), value.clone()),
            };
        }
        serde_json::to_vec(&body).map_err(|error| error.to_string())
    }

    /// JSON pointers to look for contexts at, in order.
    pub fn contexts(&self) -> Vec<&str> {
        match &self.connection {
            Some(connection) => connection.contexts.iter().map(String::as_str).collect(),
            None => DEFAULT_CONTEXTS.to_vec(),
        }
    }
}
