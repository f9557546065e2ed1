//! The client: one record per call, repeated like every call, never failing its caller.
//!
//! Reads the network through `wire::call`. Writes nothing.

use super::eligibility::{CONTEXTS_MISSING, NO_CONTEXTS, eligibility};
use super::outcome;
use super::reply::{MalformedReply, parse_reply};
use crate::wire::call::{Endpoint, EndpointError, HttpClient};
use crate::wire::evaluate::{EvaluateRecord, EvaluateRequest};
use crate::wire::failure::{CallFailure, FailureKind};
use crate::wire::retry::{Decision, Jitter, Pace, RetryPolicy};
use serde_json::{Map, Value};

/// How answers are scored.
#[derive(Debug, Clone)]
pub struct ScoringConfig {
    /// The evaluator, with its key.
    pub endpoint: Endpoint,
    /// Metric names as the manifest lists them, repeats included.
    pub metrics: Vec<String>,
    /// Total deadline of one attempt in seconds.
    pub timeout_s: f64,
    /// How often a failed attempt is repeated, and when.
    pub policy: RetryPolicy,
    /// How fast waits pass.
    pub pace: Pace,
    /// Seed of the waits' jitter.
    pub jitter_seed: u64,
}

/// One answer to be scored.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The question as typed.
    pub question: &'a str,
    /// The normalised answer; may be empty.
    pub answer: &'a str,
    /// What the row holds as contexts.
    pub contexts: &'a [String],
    /// Whether the service hands out no contexts at all, which is not the same as having found none.
    pub contexts_missing: bool,
    /// The reference answer.
    pub ground_truth: Option<&'a str>,
    /// Sent along, so that both sides can be matched.
    pub row_id: &'a str,
    /// Sent along.
    pub run_id: &'a str,
    /// Sent along.
    pub dataset_id: &'a str,
}

/// Scores answers, one call each.
#[derive(Debug)]
pub struct ScoringClient {
    config: ScoringConfig,
    client: HttpClient,
    jitter: Jitter,
}

impl ScoringClient {
    /// Makes the client; calls nobody yet.
    pub fn new(config: ScoringConfig) -> Result<Self, EndpointError> {
        let client = HttpClient::new(config.timeout_s)?;
        let jitter = Jitter::new(config.jitter_seed);
        Ok(Self { config, client, jitter })
    }

    /// Scores one answer; the result is the row's `metrics.ragas` in every case.
    pub async fn score(&self, subject: &Subject<'_>) -> Map<String, Value> {
        let without = if subject.contexts_missing { CONTEXTS_MISSING } else { NO_CONTEXTS };
        let eligibility = eligibility(&self.config.metrics, subject.contexts, without, subject.ground_truth);
        if eligibility.eligible.is_empty() {
            return outcome::uncalled(&eligibility);
        }
        let body = request_body(subject, &eligibility.eligible);
        let mut retries_used = 0;
        loop {
            let failure = match self.client.post(&self.config.endpoint, body.clone(), self.config.timeout_s).await {
                Ok(reply) => match parse_reply(&reply.body).and_then(|reply| outcome::answered(&eligibility, reply)) {
                    Ok(result) => return result,
                    Err(malformed) => describe(&malformed),
                },
                Err(failure) => failure,
            };
            match self.config.policy.decide(&failure, retries_used, self.jitter.share()) {
                Decision::Wait { wait_s } => self.config.pace.sleep(wait_s).await,
                Decision::GiveUp => return outcome::failed(&eligibility, &failure),
            }
            retries_used += 1;
        }
    }
}

fn request_body(subject: &Subject, metrics: &[String]) -> Vec<u8> {
    let mut metadata = Map::new();
    for (key, value) in [("row_id", subject.row_id), ("run_id", subject.run_id), ("dataset_id", subject.dataset_id)] {
        metadata.insert(key.to_owned(), value.into());
    }
    let request = EvaluateRequest {
        records: vec![EvaluateRecord {
            question: subject.question.to_owned(),
            answer: subject.answer.to_owned(),
            contexts: subject.contexts.to_vec(),
            ground_truth: subject.ground_truth.map(str::to_owned),
            metadata,
        }],
        metrics: metrics.to_vec(),
        evaluator_model: None,
        embeddings_model: None,
    };
    serde_json::to_vec(&request).expect("a request of texts and maps with text keys always serialises")
}

fn describe(malformed: &MalformedReply) -> CallFailure {
    let kind = match malformed {
        MalformedReply::Json(_) => FailureKind::JsonDecode,
        MalformedReply::Shape(_) | MalformedReply::Integer(_) => FailureKind::Value,
    };
    CallFailure::new(kind, malformed.to_string())
}
