//! One HTTP call to a judge, bounded in time and size.
//!
//! Reads an address and a message, writes the body of a 2xx response or a typed failure. A failure's text never reaches
//! the reply parser, and the key never reaches a message. Follows no redirects, uses no proxy of the environment.

use super::error::PanelError;
use super::reply::{Reason, one_line};
use super::settings::{Address, Settings};
use crate::wire::chat::{NoCache, UserMessage};
use futures_util::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use serde::Serialize;
use std::time::{Duration, SystemTime};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A reply longer than this is a failure of the gateway.
const BODY_LIMIT_BYTES: usize = 4 << 20;
/// Statuses that another attempt cannot change (`contract/evaluation.md` section 0.5).
const FINAL_STATUSES: [u16; 5] = [400, 401, 403, 404, 422];

/// A client for one endpoint.
pub struct Caller {
    client: reqwest::Client,
    address: Address,
    temperature: f64,
    thinking: Option<bool>,
    refuses_cache: bool,
    timeout: Duration,
}

/// A call without a body to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFailure {
    /// `gateway_error`, `rate_limited` or `timeout`.
    pub reason: Reason,
    /// One line for people, without secrets.
    pub detail: String,
    /// Whether another attempt makes sense, and how long to wait at least before it.
    pub retry_after: Option<Duration>,
}

/// The body of the request, keys in the contract's order (section 5.3).
#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    temperature: f64,
    messages: [UserMessage<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<NoCache>,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<bool>,
}

impl Caller {
    /// Builds the client. `timeout` is the total deadline of one call, connecting and reading included.
    pub fn new(settings: &Settings, address: &Address, timeout: Duration) -> Result<Self, PanelError> {
        // Fails only when a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .map_err(|error| PanelError::Client { reason: error.to_string() })?;
        Ok(Self {
            client,
            address: address.clone(),
            temperature: settings.temperature,
            thinking: settings.thinking,
            refuses_cache: settings.refuses_cache(),
            timeout,
        })
    }

    /// Asks `judge` and returns the body of its successful response.
    pub async fn ask(&self, judge: &str, prompt: &str) -> Result<Vec<u8>, CallFailure> {
        match tokio::time::timeout(self.timeout, self.exchange(judge, prompt)).await {
            Ok(result) => result,
            Err(_) => Err(CallFailure {
                reason: Reason::Timeout,
                detail: format!("no complete reply within {} s", self.timeout.as_secs_f64()),
                retry_after: Some(Duration::ZERO),
            }),
        }
    }

    async fn exchange(&self, judge: &str, prompt: &str) -> Result<Vec<u8>, CallFailure> {
        let body = Request {
            model: judge,
            temperature: self.temperature,
            messages: [UserMessage { role: "user", content: prompt }],
            cache: self.refuses_cache.then_some(NoCache { no_cache: true, no_store: true }),
            think: self.thinking,
        };
        let body = serde_json::to_vec(&body).map_err(|error| self.failure(error.to_string(), None))?;
        let mut request = self.client.post(&self.address.url).header(CONTENT_TYPE, "application/json").body(body);
        if let Some(key) = &self.address.api_key {
            let mut value = HeaderValue::from_str(&format!("Bearer {key}"))
                .map_err(|_| self.failure("the API key cannot be sent in a header".to_owned(), None))?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        let response = request.send().await.map_err(|error| self.transport(error))?;
        let status = response.status().as_u16();
        let wait = retry_after(response.headers(), SystemTime::now());
        if (200..300).contains(&status) {
            return self.read(response).await;
        }
        let text = self.read(response).await.unwrap_or_default();
        let detail = self.without_key(&format!("HTTP {status}: {}", one_line(&String::from_utf8_lossy(&text))));
        let reason = if status == 429 { Reason::RateLimited } else { Reason::GatewayError };
        Err(CallFailure { reason, detail, retry_after: (!FINAL_STATUSES.contains(&status)).then_some(wait) })
    }

    async fn read(&self, response: reqwest::Response) -> Result<Vec<u8>, CallFailure> {
        let mut body = Vec::new();
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            body.extend_from_slice(&chunk.map_err(|error| self.transport(error))?);
            if body.len() > BODY_LIMIT_BYTES {
                return Err(self.failure(format!("the reply is longer than {BODY_LIMIT_BYTES} bytes"), None));
            }
        }
        Ok(body)
    }

    fn transport(&self, error: reqwest::Error) -> CallFailure {
        let timed_out = error.is_timeout();
        let mut detail = error.without_url().to_string();
        if timed_out {
            detail.push_str(" (timed out)");
        }
        let mut failure = self.failure(detail, Some(Duration::ZERO));
        if timed_out {
            failure.reason = Reason::Timeout;
        }
        failure
    }

    fn failure(&self, detail: String, retry_after: Option<Duration>) -> CallFailure {
        CallFailure { reason: Reason::GatewayError, detail: self.without_key(&one_line(&detail)), retry_after }
    }

    /// Replaces the key, should a gateway have echoed it.
    pub fn without_key(&self, text: &str) -> String {
        match &self.address.api_key {
            Some(key) if !key.is_empty() => text.replace(key.as_str(), "***"),
            _ => text.to_owned(),
        }
    }
}

/// The wait that a `Retry-After` header asks for, in seconds or as a date; zero without one.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Duration {
    let Some(text) = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()) else { return Duration::ZERO };
    if let Ok(seconds) = text.trim().parse::<u32>() {
        return Duration::from_secs(seconds.into());
    }
    let date = httpdate::parse_http_date(text.trim()).ok();
    date.and_then(|date| date.duration_since(now).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_reads_seconds_and_dates() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let wait = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_str(text).unwrap());
            retry_after(&headers, now).as_secs()
        };
        assert_eq!(wait("7"), 7);
        assert_eq!(wait(&httpdate::fmt_http_date(now + Duration::from_secs(30))), 30);
        assert_eq!(wait(&httpdate::fmt_http_date(now - Duration::from_secs(30))), 0);
        assert_eq!(wait("soon"), 0);
        assert_eq!(retry_after(&HeaderMap::new(), now), Duration::ZERO);
    }
}
