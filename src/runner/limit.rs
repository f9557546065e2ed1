//! How many calls one gateway gets at a time, learned from its refusals.
//!
//! Reads outcomes of calls, keeps counters in memory. The limit starts at the run's concurrency, halves when a call is
//! refused (429, or 503 with `Retry-After`), and grows by one after as many successes as it is high. A refusal with
//! `Retry-After` closes the gateway for everybody until then. Never drops below 1 and never calls anybody.

use crate::wire::failure::CallFailure;
use crate::wire::retry::{Jitter, Pace};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The spread of first calls after a pause, in seconds.
const SPREAD_AFTER_PAUSE_S: f64 = 0.5;

/// A change of the limit, for the events log and the progress line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitChange {
    /// Calls in flight allowed before.
    pub from: usize,
    /// Calls in flight allowed now.
    pub to: usize,
    /// `429`, `503` or `recovering`.
    pub reason: String,
}

/// The limit of one gateway.
#[derive(Debug)]
pub struct Limiter {
    state: Mutex<State>,
    freed: Notify,
    ceiling: usize,
    pace: Pace,
    jitter: Jitter,
}

#[derive(Debug)]
struct State {
    limit: usize,
    in_flight: usize,
    /// Counts the cuts. Calls that left under an earlier limit say nothing about the present one.
    generation: u64,
    successes: usize,
    /// Counts the calls that were let through.
    started: u64,
    closed_until: Option<Instant>,
}

/// The right to one call; gives its place back when dropped.
#[derive(Debug)]
pub struct Permit<'a> {
    limiter: &'a Limiter,
    generation: u64,
    /// Which call this is, and whether others were in flight when it left.
    started: u64,
    joined_others: bool,
}

/// Why no call may be let through.
enum Obstacle {
    /// The gateway asked to be left alone for so long.
    Closed(Duration),
    /// As many calls are in flight as the limit allows.
    Full,
}

impl State {
    fn obstacle(&self, now: Instant) -> Option<Obstacle> {
        match self.closed_until {
            Some(until) if until > now => Some(Obstacle::Closed(until - now)),
            _ => (self.in_flight >= self.limit).then_some(Obstacle::Full),
        }
    }
}

impl Limiter {
    /// Starts at `ceiling` calls in flight, at least 1, and never allows more.
    pub fn new(ceiling: usize, pace: Pace, seed: u64) -> Self {
        let ceiling = ceiling.max(1);
        let state = State { limit: ceiling, in_flight: 0, generation: 0, successes: 0, started: 0, closed_until: None };
        Self { state: Mutex::new(state), freed: Notify::new(), ceiling, pace, jitter: Jitter::new(seed) }
    }

    /// Waits until the gateway is open and a place is free.
    pub async fn acquire(&self) -> Permit<'_> {
        loop {
            if let Some(permit) = self.try_acquire() {
                return permit;
            }
            self.opened().await;
        }
    }

    /// The right to a call, if the gateway is open and a place is free.
    pub fn try_acquire(&self) -> Option<Permit<'_>> {
        let mut state = self.lock();
        if state.obstacle(Instant::now()).is_some() {
            return None;
        }
        let joined_others = state.in_flight > 0;
        state.in_flight += 1;
        state.started += 1;
        Some(Permit { limiter: self, generation: state.generation, started: state.started, joined_others })
    }

    /// Waits until a call may be let through. Somebody else may be quicker: ask again.
    pub async fn opened(&self) {
        let freed = self.freed.notified();
        tokio::pin!(freed);
        // Registered before looking, so that a place freed in between is not missed.
        freed.as_mut().enable();
        let obstacle = self.lock().obstacle(Instant::now());
        match obstacle {
            None => {}
            Some(Obstacle::Closed(wait)) => {
                let spread = self.pace.duration(SPREAD_AFTER_PAUSE_S).mul_f64(self.jitter.share());
                tokio::time::sleep(wait + spread).await;
            }
            Some(Obstacle::Full) => freed.await,
        }
    }

    /// The number of calls allowed in flight now.
    pub fn limit(&self) -> usize {
        self.lock().limit
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is complete before it can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// Counts a call that was not refused; says so when the limit grows.
    pub fn succeeded(self) -> Option<LimitChange> {
        let mut state = self.limiter.lock();
        if state.limit >= self.limiter.ceiling || self.generation != state.generation {
            return None;
        }
        state.successes += 1;
        if state.successes < state.limit {
            return None;
        }
        let from = state.limit;
        state.limit += 1;
        state.successes = 0;
        Some(LimitChange { from, to: state.limit, reason: "recovering".to_owned() })
    }

    /// Counts a refusal: closes the gateway if it asked for that, and halves the limit once per generation.
    ///
    /// `pause` is false when the wait asked for is too long to be waited for.
    pub fn refused(self, failure: &CallFailure, pause: bool) -> Refusal {
        let mut state = self.limiter.lock();
        if let Some(seconds) = failure.retry_after_s.filter(|seconds| pause && *seconds > 0.0) {
            let until = Instant::now().checked_add(self.limiter.pace.duration(seconds));
            state.closed_until = state.closed_until.max(until);
        }
        let crowded = self.joined_others || state.started != self.started;
        let mut change = None;
        if self.generation == state.generation && state.limit > 1 {
            let from = state.limit;
            state.limit = (from / 2).max(1);
            state.generation += 1;
            state.successes = 0;
            let reason = failure.status.map_or_else(|| "refused".to_owned(), |status| status.to_string());
            change = Some(LimitChange { from, to: state.limit, reason });
        }
        Refusal { change, crowded }
    }
}

/// What a refusal meant.
#[derive(Debug)]
pub struct Refusal {
    /// Set when the limit was cut.
    pub change: Option<LimitChange>,
    /// Whether other calls of ours overlapped this one, so that our own crowd may be the cause.
    pub crowded: bool,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limiter.lock().in_flight -= 1;
        self.limiter.freed.notify_waiters();
    }
}
