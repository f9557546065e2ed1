//! One cell from call to row (`contract/evaluation.md` section 2.4).
//!
//! Reads the network through `wire::call` and `scoring`. Returns a row in every case; stores nothing.

use super::asking::Asking;
use super::budget::Budget;
use super::completion::{self, Contexts};
use super::event::{AttemptOutcome, CellName, Event};
use super::limit::{LimitChange, Limiter};
use super::record::{Measured, row};
use super::spending::Spending;
use super::turn::Turn;
use crate::evidence::row::{Evidence, Reproducibility, Row, RowError, Status};
use crate::experiment::manifest::EvidenceCapability;
use crate::experiment::plan::Cell;
use crate::scoring::{self, ScoringClient, Subject};
use crate::wire::call::HttpClient;
use crate::wire::failure::{CallFailure, FailureKind};
use crate::wire::retry::{Decision, Jitter, Pace, RetryPolicy};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Everything a run needs to know beside its cells.
#[derive(Debug)]
pub struct RunConfig {
    /// Names the run.
    pub run_id: String,
    /// The run's gateway, which answers whom `approaches` does not name.
    pub gateway: Asking,
    /// Approaches that are asked in another way or elsewhere, by alias.
    pub approaches: HashMap<String, Asking>,
    /// Total deadline of one attempt in seconds.
    pub timeout_s: f64,
    /// Cells at work at a time, at least 1; those that wait for a closed service are not at work.
    pub concurrency: usize,
    /// How often a failed attempt is repeated, and when.
    pub policy: RetryPolicy,
    /// How fast waits pass.
    pub pace: Pace,
    /// Seed of the waits' jitter.
    pub jitter_seed: u64,
    /// Copied into every row.
    pub reproducibility: Reproducibility,
    /// Metric names as the manifest lists them; named in rows when there is no evaluator.
    pub ragas: Vec<String>,
    /// The evaluator; null when no metric is requested or no endpoint is known.
    pub scoring: Option<ScoringClient>,
    /// What may be spent; null without a limit.
    pub spending: Option<Spending>,
    /// Whether judges will look at the answers later.
    pub judge_panel_enabled: bool,
}

impl RunConfig {
    /// How an alias is asked.
    pub fn asking(&self, alias: &str) -> &Asking {
        self.approaches.get(alias).unwrap_or(&self.gateway)
    }
}

/// One limit for each service that is asked, by URL: the refusals of one must not slow the others down.
pub(super) fn limiters(config: &RunConfig) -> HashMap<String, Limiter> {
    let services = config.approaches.values().chain([&config.gateway]);
    let limiter = || Limiter::new(config.concurrency, config.pace, config.jitter_seed);
    services.map(|asking| (asking.endpoint.shown().to_owned(), limiter())).collect()
}

/// What all cells of a run share.
pub(super) struct CellRunner<'a> {
    pub config: &'a RunConfig,
    pub client: HttpClient,
    /// By URL; every service of the config has one.
    pub limiters: HashMap<String, Limiter>,
    pub jitter: Jitter,
    pub events: &'a (dyn Fn(Event) + Send + Sync),
}

struct Called {
    completion: Result<Value, CallFailure>,
    attempts: u32,
    first_call: Instant,
    last_end: Instant,
}

impl Called {
    /// A request that cannot be made at all counts as one attempt of no length.
    fn refused(failure: CallFailure) -> Self {
        let now = Instant::now();
        Self { completion: Err(failure), attempts: 1, first_call: now, last_end: now }
    }
}

impl CellRunner<'_> {
    /// Calls, normalises, scores. The turn is given back while the cell can only wait for its service.
    pub async fn run(&self, cell: &Cell, name: &Arc<CellName>, turn: &mut Turn<'_>) -> Row {
        let asking = self.config.asking(&cell.profile.alias);
        let called = self.call(cell, name, asking, turn).await;
        let latency_ms = rounded_ms(called.last_end - called.first_call);
        let normalised = match called.completion {
            Ok(payload) => completion::normalise(&payload, &asking.contexts()).map_err(|error| {
                (Status::Error, RowError { kind: "ValueError".to_owned(), message: error.to_string() })
            }),
            Err(failure) => {
                let status = if failure.kind.is_timeout() { Status::Timeout } else { Status::Error };
                Err((status, RowError { kind: failure.kind.as_str().to_owned(), message: failure.message }))
            }
        };
        let measured = match normalised {
            Ok((mut evidence, contexts)) => {
                let shows_contexts = cell.capability == EvidenceCapability::AnswerWithContexts;
                if !shows_contexts {
                    evidence.contexts.clear();
                }
                let contexts_missing = shows_contexts && contexts == Contexts::Missing;
                if contexts_missing {
                    evidence.approach_metadata.insert(completion::CONTEXTS_MISSING.to_owned(), true.into());
                }
                let ragas = self.score(cell, name, &evidence, contexts_missing).await;
                Measured { latency_ms, attempts: called.attempts, result: Ok((evidence, ragas)) }
            }
            Err(failed) => Measured { latency_ms, attempts: called.attempts, result: Err(failed) },
        };
        row(self.config, cell, name, measured)
    }

    /// Attempts until one succeeds or the budget is spent. Waiting for the first turn is not latency; later waits are.
    async fn call(&self, cell: &Cell, name: &Arc<CellName>, asking: &Asking, turn: &mut Turn<'_>) -> Called {
        let body = match asking.body(&cell.profile.alias, &cell.question.query) {
            Ok(body) => body,
            Err(reason) => return Called::refused(CallFailure::new(FailureKind::Value, reason)),
        };
        let service = asking.endpoint.shown();
        let limiter = &self.limiters[service];
        let mut first_call = None;
        let mut ready_since = Instant::now();
        let mut attempts = 0;
        let mut budget = Budget::default();
        loop {
            let permit = turn.permit_of(limiter).await;
            let (started, started_at) = (Instant::now(), SystemTime::now());
            let first_call = *first_call.get_or_insert(started);
            attempts += 1;
            let reply = self.client.post(&asking.endpoint, body.clone(), self.config.timeout_s).await;
            let last_end = Instant::now();
            let result = reply.and_then(|reply| completion::parse_body(&reply.body, reply.retry_after_s));
            (self.events)(Event::AttemptFinished {
                cell: Arc::clone(name),
                attempt: attempts,
                started_at,
                duration_ms: rounded_ms(last_end - started),
                waited_ms: rounded_ms(started - ready_since),
                outcome: outcome(&result),
            });
            let failure = match result {
                Ok(_) => {
                    self.tell(service, permit.succeeded());
                    return Called { completion: result, attempts, first_call, last_end };
                }
                Err(failure) => failure,
            };
            let policy = &self.config.policy;
            let mut crowded = false;
            if failure.is_rate_limit() {
                let refusal = permit.refused(&failure, !policy.asks_too_much(&failure));
                crowded = refusal.crowded;
                self.tell(service, refusal.change);
            } else {
                drop(permit);
            }
            let Decision::Wait { wait_s } = budget.spend(policy, &failure, crowded, self.jitter.share()) else {
                let completion = Err(explained(failure, policy));
                return Called { completion, attempts, first_call, last_end };
            };
            (self.events)(Event::CellRetry {
                cell: Arc::clone(name),
                attempt: attempts + 1,
                wait_ms: rounded_ms(self.config.pace.duration(wait_s)),
                reason: failure.kind.as_str(),
            });
            ready_since = Instant::now();
            turn.give_back();
            self.config.pace.sleep(wait_s).await;
        }
    }

    async fn score(
        &self,
        cell: &Cell,
        name: &CellName,
        evidence: &Evidence,
        contexts_missing: bool,
    ) -> Map<String, Value> {
        let Some(scoring) = &self.config.scoring else {
            return scoring::disabled(&self.config.ragas);
        };
        let subject = Subject {
            question: &cell.question.query,
            answer: &evidence.answer,
            contexts: &evidence.contexts,
            contexts_missing,
            ground_truth: cell.question.ground_truth.as_deref(),
            row_id: &name.row_id,
            run_id: &self.config.run_id,
            dataset_id: &cell.dataset.id,
        };
        scoring.score(&subject).await
    }

    fn tell(&self, service: &str, change: Option<LimitChange>) {
        if let Some(LimitChange { from, to, reason }) = change {
            (self.events)(Event::LimitChanged { service: service.to_owned(), from, to, reason });
        }
    }
}

fn outcome(result: &Result<Value, CallFailure>) -> AttemptOutcome {
    match result {
        Ok(_) => AttemptOutcome::Answered,
        Err(failure) => AttemptOutcome::Failed {
            error_type: failure.kind.as_str(),
            message: failure.message.clone(),
            status: failure.status,
            retry_after_s: failure.retry_after_s,
        },
    }
}

/// Says when a quota opens again if the service asked for more patience than the policy has.
fn explained(mut failure: CallFailure, policy: &RetryPolicy) -> CallFailure {
    if let Some(seconds) = failure.retry_after_s.filter(|_| policy.asks_too_much(&failure)) {
        let until = Duration::try_from_secs_f64(seconds).ok().and_then(|wait| SystemTime::now().checked_add(wait));
        // HTTP dates end with the year 9999; a wait beyond it has no date worth naming.
        let last = UNIX_EPOCH + Duration::from_secs(253_402_300_799);
        let until = until.filter(|until| *until <= last).map(httpdate::fmt_http_date);
        let until = until.unwrap_or_else(|| "further notice".to_owned());
        failure.message = format!("rate limited until {until}: {}", failure.message);
    }
    failure
}

fn rounded_ms(duration: Duration) -> u64 {
    (duration.as_secs_f64() * 1000.0).round_ties_even() as u64
}
