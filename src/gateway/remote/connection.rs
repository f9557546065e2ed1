//! One role's connection to its endpoint: calls in flight, attempts, and the deadline over them.

use super::Settings;
use crate::gateway::roles::{Fault, RoleError};
use crate::wire::call::{Endpoint, EndpointError, HttpClient};
use crate::wire::failure::{CallFailure, FailureKind};
use crate::wire::retry::{Decision, Jitter, Pace, RetryPolicy};
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// How a failed attempt ends.
pub(super) struct Failed {
    failure: CallFailure,
    /// Somebody has seen a part of the answer already, so there is no second attempt.
    is_final: bool,
}

impl From<CallFailure> for Failed {
    fn from(failure: CallFailure) -> Self {
        Self { failure, is_final: false }
    }
}

impl Failed {
    pub fn finally(failure: CallFailure) -> Self {
        Self { failure, is_final: true }
    }
}

pub(super) struct Connection {
    pub http: HttpClient,
    pub endpoint: Endpoint,
    model: String,
    timeout_s: f64,
    slots: Semaphore,
    policy: RetryPolicy,
    jitter: Jitter,
}

impl Connection {
    /// Prepares calls of `path` below the endpoint; calls nobody.
    pub fn new(settings: &Settings, path: &str) -> Result<Self, EndpointError> {
        let endpoint = Endpoint::new(&join(&settings.endpoint, path))?;
        Ok(Self {
            http: HttpClient::new(settings.timeout_s)?,
            endpoint: endpoint.bearer(settings.api_key.as_deref().unwrap_or_default())?,
            model: settings.model.clone(),
            timeout_s: settings.timeout_s,
            slots: Semaphore::new(settings.max_concurrency.max(1)),
            policy: RetryPolicy::new(settings.retries),
            jitter: Jitter::new(RandomState::new().hash_one(&settings.endpoint)),
        })
    }

    /// The model's name at the endpoint.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The deadline of one call, in seconds.
    pub fn timeout_s(&self) -> f64 {
        self.timeout_s
    }

    /// Makes attempts until one succeeds, none is left, or the deadline has passed. The deadline begins when a place
    /// among the calls in flight is free.
    pub async fn call<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, RoleError>
    where
        F: Future<Output = Result<T, Failed>> + Send,
    {
        let _slot = self.slots.acquire().await;
        let limit = Duration::try_from_secs_f64(self.timeout_s).unwrap_or(Duration::MAX);
        let result = tokio::time::timeout(limit, self.attempts(attempt)).await.unwrap_or_else(|_| {
            let message = format!("no complete answer from `{}` within {} s", self.endpoint.shown(), self.timeout_s);
            Err(CallFailure::new(FailureKind::ReadTimeout, message))
        });
        result.map_err(|failure| self.error(&failure))
    }

    async fn attempts<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, CallFailure>
    where
        F: Future<Output = Result<T, Failed>> + Send,
    {
        let begun = Instant::now();
        let mut retries = 0;
        loop {
            let Failed { failure, is_final } = match attempt().await {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            let decision = self.policy.decide(&failure, retries, self.jitter.share());
            let Decision::Wait { wait_s } = decision else { return Err(failure) };
            // A wait beyond the deadline would only hide what happened.
            if is_final || begun.elapsed().as_secs_f64() + wait_s >= self.timeout_s {
                return Err(failure);
            }
            tracing::info!(model = self.model, wait_s, "calling again: {}", self.endpoint.redact(&failure.message));
            Pace::REAL.sleep(wait_s).await;
            retries += 1;
        }
    }

    /// The failure of a call as roles tell it.
    fn error(&self, failure: &CallFailure) -> RoleError {
        let fault = if failure.kind.is_timeout() {
            Fault::Timeout
        } else if failure.is_rate_limit() {
            Fault::RateLimited { retry_after_s: failure.retry_after_s }
        } else {
            Fault::Failed
        };
        RoleError { model: self.model.clone(), message: self.endpoint.redact(&failure.message), fault }
    }
}

/// Appends a path to a base URL, before its query.
fn join(base: &str, path: &str) -> String {
    let (address, query) = base.find('?').map_or((base, ""), |position| base.split_at(position));
    let address = address.trim_end_matches('/');
    if address.ends_with(path) { base.to_owned() } else { format!("{address}/{path}{query}") }
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_go_before_the_query_and_only_once() {
        let path = "chat/completions";
        assert_eq!(join("http://h/v1/", path), "http://h/v1/chat/completions");
        assert_eq!(join("http://h/v1?version=1", path), "http://h/v1/chat/completions?version=1");
        assert_eq!(join("http://h/v1/chat/completions", path), "http://h/v1/chat/completions");
    }
}
