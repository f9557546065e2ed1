//! The client of `/api/rag/ingestions`: submits a corpus to a gateway and follows the job to its end.
//!
//! Source: `contract/gateway.md` section 3.2. Reads the network and writes nothing. A submission is sent once; a look at
//! the job that fails in any way is repeated until the budget is spent, because the job goes on without us.

use super::IngestionRequest;
use crate::wire::call::{Endpoint, EndpointError, HttpClient, excerpt};
use crate::wire::failure::CallFailure;
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

/// How much longer than the budget a submission may take, in seconds: a gateway may do the whole work before it answers.
const SUBMISSION_GRACE_S: f64 = 60.0;
/// The shortest deadline of one look, in seconds.
const LEAST_LOOK_S: f64 = 1.0;

/// One corpus to be ingested by one gateway.
#[derive(Debug, Clone)]
pub struct Submission<'a> {
    /// The gateway, with or without a slash at the end.
    pub base_url: &'a str,
    /// The bearer token; null sends none. Blanks around it are cut, and nothing but blanks is an error.
    pub token: Option<&'a str>,
    /// The ingestion profile.
    pub profile: &'a str,
    /// Folder relative to the corpus root; null takes the profile's own.
    pub corpus_path: Option<&'a str>,
    /// How long the job may take once it is accepted, in seconds.
    pub budget_s: f64,
    /// Pause between two looks, in seconds.
    pub poll_s: f64,
}

/// A job that reached `completed`.
#[derive(Debug, Clone)]
pub struct Ingested {
    /// The whole record, as the gateway tells it.
    pub record: Map<String, Value>,
    /// Whether an equal job had been done before.
    pub was_there: bool,
}

/// Why a corpus is not ingested.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// A token was given that has no character but blanks.
    #[error("the token for the ingestion is blank")]
    BlankToken,
    /// The gateway cannot be called at all.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The submission failed; it is not repeated.
    #[error("the ingestion was not accepted: {}", .0.message)]
    Refused(CallFailure),
    /// The gateway accepted something without saying what.
    #[error("the gateway's reply to the submission has no `ingestion_id`: {0}")]
    Reply(String),
    /// The job failed or was cancelled.
    #[error("the ingestion of profile `{profile}` is {status}: {details}")]
    Ended {
        /// The profile.
        profile: String,
        /// `failed` or `cancelled`.
        status: String,
        /// What the record says about it.
        details: String,
    },
    /// The budget is spent; the job may still go on.
    #[error("ingestion `{id}` of profile `{profile}` was still `{status}` after {budget_s} s")]
    Timeout {
        /// The job.
        id: String,
        /// The profile.
        profile: String,
        /// The last status that was seen; `unknown` when the last look failed.
        status: String,
        /// The budget.
        budget_s: f64,
    },
}

/// Submits a corpus and waits until its job has ended.
pub async fn ingest(submission: &Submission<'_>) -> Result<Ingested, IngestError> {
    let token = match submission.token.map(str::trim) {
        Some("") => return Err(IngestError::BlankToken),
        token => token.unwrap_or_default(),
    };
    let base = submission.base_url.trim_end_matches('/');
    let endpoint = |path: &str| Endpoint::new(&format!("{base}{path}"))?.bearer(token);
    let client = HttpClient::new(submission.budget_s + SUBMISSION_GRACE_S)?;
    let accepted = submit(&client, &endpoint("/api/rag/ingestions?async_job=true")?, submission).await?;
    let job = endpoint(&format!("/api/rag/ingestions/{}", path_segment(&accepted.id)))?;
    // Whatever a gateway says is shown in part, and without what we sent along.
    let shown = |text: &str| excerpt(&job.redact(text));
    let deadline = Instant::now() + Duration::from_secs_f64(submission.budget_s.max(0.0));
    loop {
        let left_s = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        let record = look(&client, &job, left_s.max(LEAST_LOOK_S)).await;
        let status = record.as_ref().and_then(|record| text(record, "status")).unwrap_or("unknown").to_owned();
        match (status.as_str(), record) {
            ("completed", Some(record)) => {
                return Ok(Ingested { record, was_there: accepted.was_there });
            }
            ("failed" | "cancelled", Some(record)) => {
                let details = details(&record).map(|told| shown(&told));
                let details = details.unwrap_or_else(|| "its record does not say why".to_owned());
                return Err(IngestError::Ended { profile: submission.profile.to_owned(), status, details });
            }
            _ => {}
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let (id, profile, status) = (shown(&accepted.id), submission.profile.to_owned(), shown(&status));
            return Err(IngestError::Timeout { id, profile, status, budget_s: submission.budget_s });
        }
        tokio::time::sleep(Duration::from_secs_f64(submission.poll_s.max(0.0)).min(left)).await;
    }
}

/// What a gateway says about a submission, as far as anybody reads it.
struct Accepted {
    id: String,
    /// Whether an equal job had been done before.
    was_there: bool,
}

async fn submit(
    client: &HttpClient,
    endpoint: &Endpoint,
    submission: &Submission<'_>,
) -> Result<Accepted, IngestError> {
    let corpus_path = submission.corpus_path.map(str::to_owned);
    let request = IngestionRequest { profile: submission.profile.to_owned(), corpus_path };
    let body = serde_json::to_vec(&request).unwrap_or_default();
    let reply = client.post(endpoint, body, submission.budget_s + SUBMISSION_GRACE_S).await;
    let reply = reply.map_err(IngestError::Refused)?;
    let shown = || excerpt(&endpoint.redact(&String::from_utf8_lossy(&reply.body)));
    let value: Value = serde_json::from_slice(&reply.body).map_err(|_| IngestError::Reply(shown()))?;
    // Gateways give the id as a text or as a number.
    let id = match value.get("ingestion_id") {
        // The other two would lead elsewhere as parts of a path, however they are written.
        Some(Value::String(id)) if !["", ".", ".."].contains(&id.as_str()) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => return Err(IngestError::Reply(shown())),
    };
    Ok(Accepted { id, was_there: value.get("status").and_then(Value::as_str) == Some("completed") })
}

/// A text as one part of a path: anything but plain letters, digits and marks as percent signs and hexadecimal digits.
fn path_segment(text: &str) -> String {
    let mut segment = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => segment.push(char::from(byte)),
            _ => segment.push_str(&format!("%{byte:02X}")),
        }
    }
    segment
}

/// One look at the job; null when it failed, which is told in the log and nowhere else.
async fn look(client: &HttpClient, job: &Endpoint, timeout_s: f64) -> Option<Map<String, Value>> {
    let reply = match client.get(job, timeout_s).await {
        Ok(reply) => reply,
        Err(failure) => {
            tracing::warn!(%failure, "the ingestion could not be looked at");
            return None;
        }
    };
    match serde_json::from_slice(&reply.body) {
        Ok(Value::Object(record)) => Some(record),
        _ => {
            tracing::warn!("the record of the ingestion is no JSON object");
            None
        }
    }
}

/// What a record says about its errors, `phase/service/file/message` each; null when it says nothing.
fn details(record: &Map<String, Value>) -> Option<String> {
    let errors = record.get("errors").and_then(Value::as_array)?;
    let told: Vec<String> = errors
        .iter()
        .filter_map(Value::as_object)
        .map(|error| {
            let parts = ["phase", "service", "file", "message"].iter().filter_map(|key| text(error, key));
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
        })
        .filter(|told| !told.is_empty())
        .collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key).and_then(Value::as_str)
}
