//! Asks every judge about every question, and can be killed at any moment.
//!
//! Reads a [`Plan`] and the sidecar, makes the calls that are missing, appends each verdict as it arrives. Judges come
//! one after the other, so a large local model is loaded once; questions run concurrently within a judge. Dropping the
//! future stops the panel; what was heard is on disk. Writes no artifact.

use super::ask::{Ask, asks};
use super::call::{CallFailure, Caller};
use super::error::PanelError;
use super::input::Input;
use super::order::OrderRule;
use super::prompt::Template;
use super::reply::{Reading, Reason, open, read_verdict};
use super::settings::{Address, Settings};
use super::store::Store;
use super::verdict::{Attempt, CallSettings, Verdict};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Calls about one question, re-asks included.
const ATTEMPTS: usize = 2;

/// What to judge and how.
pub struct Plan {
    /// Questions and answers.
    pub input: Input,
    /// Who judges, where.
    pub settings: Settings,
    /// In which order answers are shown.
    pub order: OrderRule,
    /// Whether to plant answers of known worth in one more call for each question.
    pub with_canaries: bool,
    /// Whether to ask again where an earlier run heard a reply that scored nobody. Failed calls are always repeated.
    pub asks_unscored_again: bool,
    /// Bounds of the calls.
    pub limits: Limits,
}

impl Plan {
    /// What verdicts depend on beside the prompt.
    pub fn call_settings(&self) -> CallSettings {
        CallSettings {
            backend: self.settings.backend.to_owned(),
            endpoint: self.settings.endpoint.clone(),
            temperature: self.settings.temperature,
            thinking: self.settings.thinking,
        }
    }
}

/// Bounds of the calls.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Calls in flight to one judge, at least 1.
    pub concurrency: usize,
    /// Total deadline of one call. A gateway that asks for a longer wait than this is not asked again.
    pub timeout: Duration,
    /// The wait before a failed call is repeated, before jitter of half to one and a half.
    pub retry_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { concurrency: 4, timeout: Duration::from_secs(200), retry_wait: Duration::from_millis(500) }
    }
}

/// What a run of the panel ends with.
#[derive(Debug)]
pub struct Outcome {
    /// All verdicts by judge, question and direction, without the texts of the replies.
    pub verdicts: Vec<Verdict>,
    /// HTTP calls made by this run.
    pub calls: usize,
    /// Verdicts taken from the sidecar.
    pub reused: usize,
}

/// Runs the panel to its end, with `sidecar` as its memory.
///
/// `on_verdict` hears each new verdict once it is durable. A judge that fails is a verdict with a reason, never an
/// error; an error means that the prompt cannot be written or a verdict cannot be stored.
pub async fn run(
    plan: &Plan,
    address: &Address,
    template: &Template,
    sidecar: &Path,
    on_verdict: &(dyn Fn(&Verdict) + Sync),
) -> Result<Outcome, PanelError> {
    let caller = Caller::new(&plan.settings, address, plan.limits.timeout)?;
    let (store, stored) = Store::open(sidecar)?;
    let known = Known::new(stored);
    let mut outcome = Outcome { verdicts: Vec::new(), calls: 0, reused: 0 };
    for judge in &plan.settings.judges {
        let mut places: Vec<Option<Verdict>> = Vec::new();
        let mut missing: Vec<(usize, Ask)> = Vec::new();
        for question in &plan.input.questions {
            for ask in asks(judge, question, &plan.order, plan.with_canaries, template)? {
                let reusable = known.find(&ask, plan);
                outcome.reused += usize::from(reusable.is_some());
                if reusable.is_none() {
                    missing.push((places.len(), ask));
                }
                places.push(reusable);
            }
        }
        let new = stream::iter(missing)
            .map(|(place, ask)| judge_one(plan, &caller, &store, place, ask))
            .buffer_unordered(plan.limits.concurrency.max(1));
        let mut new = std::pin::pin!(new);
        while let Some((place, verdict)) = new.try_next().await? {
            on_verdict(&verdict);
            outcome.calls += verdict.attempts.len();
            places[place] = Some(verdict);
        }
        outcome.verdicts.extend(places.into_iter().flatten());
    }
    Ok(outcome)
}

/// The verdicts of earlier runs, found by judge and question.
struct Known(HashMap<(String, String), Vec<Verdict>>);

impl Known {
    fn new(stored: Vec<Verdict>) -> Self {
        let mut by_key: HashMap<(String, String), Vec<Verdict>> = HashMap::new();
        for verdict in stored {
            by_key.entry((verdict.judge.clone(), verdict.question_id.clone())).or_default().push(verdict);
        }
        Self(by_key)
    }

    /// The last verdict that answers `ask` under the plan's settings and need not be asked for again.
    fn find(&self, ask: &Ask, plan: &Plan) -> Option<Verdict> {
        let settings = plan.call_settings();
        let candidates = self.0.get(&(ask.judge.clone(), ask.question_id.clone()))?;
        let last = candidates.iter().rev().find(|verdict| verdict.answers(ask, &settings))?;
        let is_final = match last.reason {
            None | Some(Reason::NoAnswers) => true,
            Some(reason) => !reason.is_call_failure() && !plan.asks_unscored_again,
        };
        is_final.then(|| last.clone())
    }
}

/// Gets one verdict and makes it durable.
async fn judge_one(
    plan: &Plan,
    caller: &Caller,
    store: &Store,
    place: usize,
    ask: Ask,
) -> Result<(usize, Verdict), PanelError> {
    let (attempts, reading) = if ask.order.is_empty() {
        (Vec::new(), Reading::failed(Reason::NoAnswers, "the question has no answers"))
    } else {
        converse(plan.limits, caller, &ask).await
    };
    let verdict = Verdict::new(plan, &ask, attempts, reading);
    store.append(&verdict).await?;
    Ok((place, verdict.without_texts()))
}

/// Asks until there is a verdict, at most [`ATTEMPTS`] times. The last reading counts.
async fn converse(limits: Limits, caller: &Caller, ask: &Ask) -> (Vec<Attempt>, Reading) {
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
