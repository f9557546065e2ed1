//! The calls about one question to one judge: ask, read, and when that gave nothing, ask once more.
//!
//! Reads an [`Ask`], writes every attempt and the reading that counts. A failed call waits before it is repeated, a bad
//! reply does not.

use super::ask::Ask;
use super::call::{CallFailure, Caller};
use super::plan::Limits;
use super::reply::{Reading, Reason, open, read_verdict};
use super::verdict::Attempt;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Calls about one question, re-asks included.
const ATTEMPTS: usize = 2;

/// Asks until there is a verdict, at most [`ATTEMPTS`] times. The last reading counts.
pub async fn converse(limits: Limits, caller: &Caller, ask: &Ask) -> (Vec<Attempt>, Reading) {
    let mut attempts = Vec::new();
    loop {
        let start = Instant::now();
        let heard = caller.ask(&ask.judge, &ask.prompt).await;
        let latency_ms = start.elapsed().as_millis() as u64;
        let (mut attempt, reading, wait) = understand(caller, heard, &ask.labels);
        attempt.latency_ms = latency_ms;
        attempts.push(attempt);
        let wait = wait.filter(|wait| attempts.len() < ATTEMPTS && *wait <= limits.timeout);
        let Some(asked_wait) = wait.filter(|_| reading.failure.is_some()) else { return (attempts, reading) };
        if reading.failure.is_some_and(Reason::is_call_failure) {
            tokio::time::sleep(asked_wait.max(jittered(limits.retry_wait, &ask.prompt_sha256))).await;
        }
    }
}

/// Turns what was heard into an attempt, a reading, and the least wait before another attempt, null when there is to
/// be none.
fn understand(
    caller: &Caller,
    heard: Result<Vec<u8>, CallFailure>,
    labels: &[String],
) -> (Attempt, Reading, Option<Duration>) {
    let mut attempt = Attempt {
        latency_ms: 0,
        raw_reply: None,
        finish_reason: None,
        response_model: None,
        usage: Value::Null,
        reason: None,
        detail: String::new(),
    };
    let (reading, wait) = match heard.map(|body| open(&body)) {
        Err(failure) => (Reading::failed(failure.reason, failure.detail), failure.retry_after),
        Ok(Err(nothing)) => {
            attempt.finish_reason = nothing.finish_reason;
            attempt.response_model = nothing.model;
            (Reading::failed(nothing.reason, caller.without_key(&nothing.detail)), Some(Duration::ZERO))
        }
        Ok(Ok(envelope)) => {
            let content = caller.without_key(&envelope.content);
            let reading = read_verdict(&content, envelope.finish_reason.as_deref(), labels);
            attempt.raw_reply = Some(content);
            attempt.finish_reason = envelope.finish_reason;
            attempt.response_model = envelope.model;
            attempt.usage = envelope.usage;
            (reading, Some(Duration::ZERO))
        }
    };
    attempt.reason = reading.failure;
    attempt.detail = reading.detail.clone();
    (attempt, reading, wait)
}

/// A wait between half and one and a half of `base`, drawn from a hash so that a run can be repeated.
fn jittered(base: Duration, hash: &str) -> Duration {
    let draw = hash.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok()).unwrap_or_default();
    base.mul_f64(0.5 + f64::from(draw) / f64::from(u16::MAX))
}
