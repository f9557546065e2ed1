//! One question to each approach, and what came back.
//!
//! Calls services; writes nothing. Answers are looked at exactly as a run would look at them.

use crate::commands::context::Selected;
use crate::runner::completion::{self, Contexts};
use crate::runner::spending::tokens;
use crate::runner::{Asking, RunConfig};
use crate::wire::call::{HttpClient, excerpt};
use serde_json::{Value, json};
use std::time::Instant;

/// What one approach did.
pub struct Probe {
    /// The alias that was asked.
    pub alias: String,
    /// Wall time of the call, in milliseconds.
    pub latency_ms: u64,
    /// What came back, or why nothing usable did.
    pub outcome: Result<Seen, String>,
}

/// A usable answer.
pub struct Seen {
    /// The answer's text.
    pub answer: String,
    /// Contexts with a text.
    pub contexts: Vec<String>,
    /// How they came, for people.
    pub came: String,
    /// Whether the service hands out none.
    pub contexts_missing: bool,
    /// Prompt and completion tokens; null when the service does not say both.
    pub tokens: Option<(u64, u64)>,
    /// The model that says it answered; null when the answer does not say.
    pub model: Option<String>,
}

/// Asks the first question of every alias, one after another.
pub async fn all(config: &RunConfig, selected: &Selected, client: &HttpClient) -> Vec<Probe> {
    let mut probes = Vec::new();
    let Some(question) = selected.questions.first() else { return probes };
    for (profile, _) in &selected.profiles {
        let started = Instant::now();
        let outcome =
            one(config.asking(&profile.alias), &profile.alias, &question.query, client, config.timeout_s).await;
        let latency_ms = started.elapsed().as_millis() as u64;
        probes.push(Probe { alias: profile.alias.clone(), latency_ms, outcome });
    }
    probes
}

async fn one(
    asking: &Asking,
    alias: &str,
    question: &str,
    client: &HttpClient,
    timeout_s: f64,
) -> Result<Seen, String> {
    let body = asking.body(alias, question)?;
    let reply = client.post(&asking.endpoint, body, timeout_s).await.map_err(|failure| failure.to_string())?;
    let payload = completion::parse_body(&reply.body, reply.retry_after_s).map_err(|failure| failure.to_string())?;
    let (evidence, contexts) =
        completion::normalise(&payload, &asking.contexts()).map_err(|error| error.to_string())?;
    let pointer = evidence.approach_metadata.get(completion::CONTEXTS_POINTER).and_then(Value::as_str);
    let came = match (pointer, evidence.transport.as_deref()) {
        (Some(pointer), _) => format!("at {pointer}"),
        (None, Some("structured")) => "in the extension".to_owned(),
        _ => "in the text".to_owned(),
    };
    Ok(Seen {
        answer: evidence.answer,
        contexts: evidence.contexts,
        came,
        contexts_missing: contexts == Contexts::Missing,
        tokens: tokens(&evidence.token_usage),
        model: evidence.response_model.as_str().filter(|model| !model.is_empty()).map(str::to_owned),
    })
}

/// Whether a service streams when it is asked to; `Err` with the reason when it refuses. Asks and hangs up.
pub async fn streams(asking: &Asking, alias: &str, question: &str, client: &HttpClient) -> Result<bool, String> {
    let body = asking.body(alias, question)?;
    let mut body: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
    body["stream"] = json!(true);
    let incoming = client.post_streaming(&asking.endpoint, body.to_string().into_bytes()).await;
    incoming.map(|incoming| incoming.is_event_stream()).map_err(|failure| excerpt(&failure.message))
}
