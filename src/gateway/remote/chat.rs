//! A chat model behind an endpoint, for any role that talks to one.
//!
//! Source: `contract/gateway.md` section 1.12. A request is `model`, `messages`, `temperature: 0` and the role's own
//! defaults; `tools` only when there are some.

use super::completion::Completion;
use super::connection::{Connection, Failed};
use super::event_stream::StreamedCompletion;
use super::{Settings, body, request};
use crate::gateway::roles::{Fault, Pieces, RoleError};
use crate::wire::call::{EndpointError, Incoming};
use crate::wire::failure::CallFailure;
use crate::wire::sse::SseDecoder;
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// A chat model; share it, its limit of calls in flight counts all of them.
pub struct ChatClient {
    connection: Connection,
    defaults: Map<String, Value>,
}

impl ChatClient {
    /// Prepares a client; calls nobody.
    pub fn new(settings: &Settings) -> Result<Self, EndpointError> {
        let connection = Connection::new(settings, "chat/completions")?;
        Ok(Self { connection, defaults: settings.request_defaults.clone() })
    }

    /// The model's name at the endpoint.
    pub fn model(&self) -> &str {
        self.connection.model()
    }

    /// Asks once, and again where that can help. A completion without text is none of this function's failures: see
    /// [`Completion::empty`] and [`ChatClient::answer_of`].
    pub async fn complete(&self, messages: &[Value], tools: &[Value]) -> Result<Completion, RoleError> {
        let body = self.body(messages, tools, false);
        self.connection
            .call(|| async {
                let Connection { http, endpoint, .. } = &self.connection;
                let reply = http.post(endpoint, body.clone(), self.connection.timeout_s()).await?;
                let parsed = body::read(&reply.body, reply.retry_after_s)?;
                Ok(Completion::read(&parsed.value, parsed.lossy)?)
            })
            .await
    }

    /// Like [`ChatClient::complete`], and gives the reply as it came: it may have no choice, and its message any shape.
    pub async fn reply(&self, messages: &[Value], tools: &[Value]) -> Result<Value, RoleError> {
        let body = self.body(messages, tools, false);
        self.connection
            .call(|| async {
                let Connection { http, endpoint, .. } = &self.connection;
                let reply = http.post(endpoint, body.clone(), self.connection.timeout_s()).await?;
                Ok(body::read(&reply.body, reply.retry_after_s)?.value)
            })
            .await
    }

    /// Like [`ChatClient::complete`] without tools, and hands the answer over as it comes. After the first piece there
    /// is no second attempt. A provider that does not stream is read whole.
    pub async fn stream(&self, messages: &[Value], pieces: &Pieces) -> Result<Completion, RoleError> {
        let body = self.body(messages, &[], true);
        let told = AtomicBool::new(false);
        self.connection
            .call(|| async {
                let Connection { http, endpoint, .. } = &self.connection;
                let incoming = http.post_streaming(endpoint, body.clone()).await?;
                read_stream(incoming, pieces, &told).await.map_err(|failed| match told.load(Ordering::Relaxed) {
                    true => Failed::finally(failed),
                    false => Failed::from(failed),
                })
            })
            .await
    }

    /// The text of a completion that must have one: empty only when the model finished of its own accord.
    pub fn answer_of(&self, completion: &Completion) -> Result<String, RoleError> {
        let error = |message: String, fault| RoleError { model: self.model().to_owned(), message, fault };
        match (&completion.text, completion.empty) {
            (_, Some(reason)) => {
                let refusal = completion.message.get("refusal").and_then(Value::as_str);
                let said = refusal.unwrap_or(&completion.reasoning).to_owned();
                Err(error(format!("it gave no answer: {reason}"), Fault::Empty { reason, said }))
            }
            (Some(text), None) => Ok(text.clone()),
            (None, None) => Err(error("its message has no content".to_owned(), Fault::Failed)),
        }
    }

    fn body(&self, messages: &[Value], tools: &[Value], stream: bool) -> Vec<u8> {
        let mut fields = json!({"model": self.model(), "messages": messages, "temperature": 0});
        if !tools.is_empty() {
            fields["tools"] = json!(tools);
        }
        if stream {
            fields["stream"] = json!(true);
            fields["stream_options"] = json!({"include_usage": true});
        }
        request(fields, &self.defaults)
    }
}

async fn read_stream(mut incoming: Incoming, pieces: &Pieces, told: &AtomicBool) -> Result<Completion, CallFailure> {
    if !incoming.is_event_stream() {
        let mut whole = Vec::new();
        while let Some(bytes) = incoming.next().await? {
            whole.extend_from_slice(&bytes);
        }
        let parsed = body::read(&whole, incoming.retry_after_s)?;
        return Completion::read(&parsed.value, parsed.lossy);
    }
    let (mut decoder, mut streamed) = (SseDecoder::default(), StreamedCompletion::default());
    let tell = async |piece: String| {
        if !piece.is_empty() {
            told.store(true, Ordering::Relaxed);
            // Nobody listening means that this future is about to be dropped.
            let _ = pieces.send(piece).await;
        }
    };
    while !streamed.is_done() {
        let bytes = incoming.next().await?;
        let events = match &bytes {
            Some(bytes) => decoder.push(bytes),
            None => decoder.finish().into_iter().collect(),
        };
        for event in events {
            let piece = streamed.take(&event)?;
            tell(piece).await;
            if streamed.is_done() {
                break;
            }
        }
        if bytes.is_none() {
            break;
        }
    }
    let (rest, completion) = streamed.finish()?;
    tell(rest).await;
    Ok(completion)
}
