//! One HTTP attempt against a service: a JSON body out, bytes or a classified failure back.
//!
//! Reads the network. Every attempt has one total deadline, follows no redirect, uses no proxy of the environment and
//! reads at most [`BODY_LIMIT_BYTES`]. Never repeats a call and never puts a secret into a message.

use super::credentials::Credentials;
use super::failure::{CallFailure, FailureKind};
use super::retry::retry_after_s;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Response, Url};
use std::error::Error as _;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

/// The largest body that is read, in bytes.
pub const BODY_LIMIT_BYTES: usize = 64 * 1024 * 1024;
/// The longest time to wait for a connection, in seconds.
const CONNECT_TIMEOUT_S: f64 = 10.0;
/// How many characters of an error body a message shows.
const EXCERPT_CHARS: usize = 300;
/// How many bytes of an error body are looked at for it.
const EXCERPT_FROM_BYTES: usize = 16 * 1024;

/// Why a service cannot be called at all.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The text is not an absolute http or https URL. Shown without user-info and query.
    #[error("`{0}` is not an http or https URL")]
    Url(String),
    /// A header name or value that HTTP does not allow. The value is not shown.
    #[error("the value for header `{0}` cannot be sent over HTTP")]
    Header(String),
    /// A key was asked for by the name of a variable that is not set.
    #[error("environment variable `{0}` is not set or empty")]
    MissingKey(String),
    /// The TLS part of the client could not be made.
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}

/// Where a service is and what is sent along with every call.
#[derive(Clone)]
pub struct Endpoint {
    url: Url,
    shown: String,
    credentials: Credentials,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "Endpoint({})", self.shown)
    }
}

impl Endpoint {
    /// Reads a URL. User-info in it is sent as basic authorization and never shown, and neither is its query.
    pub fn new(url: &str) -> Result<Self, EndpointError> {
        let refuse = || EndpointError::Url(without_secrets(url).to_owned());
        let parsed = Url::parse(url).map_err(|_| refuse())?;
        if !matches!(parsed.scheme(), "http" | "https") || parsed.host_str().is_none() {
            return Err(refuse());
        }
        let mut public = parsed.clone();
        let _ = public.set_username("");
        let _ = public.set_password(None);
        public.set_query(None);
        public.set_fragment(None);
        let mut secrets: Vec<String> = parsed.password().map(str::to_owned).into_iter().collect();
        // Short values are settings, not keys; hiding every `1` of a message would help nobody.
        let long = parsed.query_pairs().map(|(_, value)| value.into_owned()).filter(|value| value.len() >= 4);
        secrets.extend(long);
        Ok(Self { url: parsed, shown: public.to_string(), credentials: Credentials::hiding(secrets) })
    }

    /// Sends these along with every call, beside what is sent already.
    pub fn with(self, credentials: Credentials) -> Self {
        Self { credentials: self.credentials.and(credentials), ..self }
    }

    /// As [`Credentials::bearer`].
    pub fn bearer(self, key: &str) -> Result<Self, EndpointError> {
        Ok(self.with(Credentials::default().bearer(key)?))
    }

    /// As [`Credentials::bearer_from_env`].
    pub fn bearer_from_env(self, variable: &str) -> Result<Self, EndpointError> {
        Ok(self.with(Credentials::default().bearer_from_env(variable)?))
    }

    /// As [`Credentials::header`].
    pub fn header(self, name: &str, value: &str) -> Result<Self, EndpointError> {
        Ok(self.with(Credentials::default().header(name, value)?))
    }

    /// The URL without user-info, query and fragment.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Replaces every secret of this endpoint inside `text` by `***`.
    pub fn redact(&self, text: &str) -> String {
        self.credentials.redact(text)
    }
}

/// What a service answered with a status of 200..=299.
#[derive(Debug)]
pub struct Reply {
    /// The whole body.
    pub body: Vec<u8>,
    /// As in [`CallFailure::retry_after_s`]; some gateways wrap a refusal into status 200.
    pub retry_after_s: Option<f64>,
}

/// The body of an answer with status 200..=299 as it arrives.
#[derive(Debug)]
pub struct Incoming {
    response: Response,
    endpoint: Endpoint,
    read_bytes: usize,
    /// As in [`Reply::retry_after_s`].
    pub retry_after_s: Option<f64>,
}

impl Incoming {
    /// The next bytes, cut anywhere; null at the end. Fails beyond [`BODY_LIMIT_BYTES`]. Has no deadline of its own.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, CallFailure> {
        let Some(chunk) = self.response.chunk().await.map_err(|error| broken(&self.endpoint, error))? else {
            return Ok(None);
        };
        self.read_bytes += chunk.len();
        if self.read_bytes > BODY_LIMIT_BYTES {
            return Err(too_large(&self.endpoint));
        }
        Ok(Some(chunk.to_vec()))
    }

    /// Whether the answer says that it is a stream of events.
    pub fn is_event_stream(&self) -> bool {
        let kind = self.response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream"))
    }
}

/// A pool of connections with the limits of this module. Cheap to clone.
#[derive(Debug, Clone)]
pub struct HttpClient {
    inner: reqwest::Client,
}

impl HttpClient {
    /// Makes a client whose connections must stand within 10 s, or within the deadline if that is shorter.
    pub fn new(timeout_s: f64) -> Result<Self, EndpointError> {
        // A second provider in the process is fine: the first one stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let inner = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(seconds(timeout_s.min(CONNECT_TIMEOUT_S)))
            .build()
            .map_err(|error| EndpointError::Client(error.without_url().to_string()))?;
        Ok(Self { inner })
    }

    /// Posts `body` as JSON and reads the whole answer before `timeout_s` seconds have passed in total.
    pub async fn post(&self, endpoint: &Endpoint, body: Vec<u8>, timeout_s: f64) -> Result<Reply, CallFailure> {
        let request = self.inner.post(endpoint.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        Self::within(endpoint, request, timeout_s).await
    }

    /// Gets a resource, under the same deadline.
    pub async fn get(&self, endpoint: &Endpoint, timeout_s: f64) -> Result<Reply, CallFailure> {
        Self::within(endpoint, self.inner.get(endpoint.url.clone()), timeout_s).await
    }

    /// Posts `body` as JSON and gives the answer as it arrives. The caller bounds the time; dropping it ends the call.
    pub async fn post_streaming(&self, endpoint: &Endpoint, body: Vec<u8>) -> Result<Incoming, CallFailure> {
        let request = self.inner.post(endpoint.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        let response = Self::accepted(endpoint, request).await?;
        let retry_after_s = asked_wait_s(&response);
        Ok(Incoming { response, endpoint: endpoint.clone(), read_bytes: 0, retry_after_s })
    }

    async fn within(
        endpoint: &Endpoint,
        request: reqwest::RequestBuilder,
        timeout_s: f64,
    ) -> Result<Reply, CallFailure> {
        match tokio::time::timeout(seconds(timeout_s), Self::exchange(endpoint, request)).await {
            Ok(result) => result,
            Err(_) => Err(CallFailure::new(
                FailureKind::ReadTimeout,
                format!("no complete answer from `{}` within {timeout_s} s", endpoint.shown),
            )),
        }
    }

    async fn exchange(endpoint: &Endpoint, request: reqwest::RequestBuilder) -> Result<Reply, CallFailure> {
        let response = Self::accepted(endpoint, request).await?;
        let retry_after_s = asked_wait_s(&response);
        Ok(Reply { body: read(endpoint, response).await?, retry_after_s })
    }

    /// Sends a request; any status but 200..=299 is a failure.
    async fn accepted(endpoint: &Endpoint, request: reqwest::RequestBuilder) -> Result<Response, CallFailure> {
        let request = request.headers(endpoint.credentials.headers().clone());
        let response = request.send().await.map_err(|error| broken(endpoint, error))?;
        let status = response.status();
        let wait_s = asked_wait_s(&response);
        if status.is_success() {
            return Ok(response);
        }
        // The status decides; a body that cannot be read only shortens the message.
        let body = read(endpoint, response).await.unwrap_or_default();
        let mut message = format!("`{}` answered {}", endpoint.shown, status.as_u16());
        if let Some(reason) = status.canonical_reason() {
            let _ = write!(message, " {reason}");
        }
        let beginning = &body[..body.len().min(EXCERPT_FROM_BYTES)];
        let excerpt = excerpt(&endpoint.redact(&String::from_utf8_lossy(beginning)));
        if !excerpt.is_empty() {
            let _ = write!(message, ": {excerpt}");
        }
        Err(CallFailure::from_status(status.as_u16(), wait_s, message))
    }
}

/// The first [`EXCERPT_CHARS`] characters of a text on one line, control characters replaced by blanks.
pub fn excerpt(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// A text that is no URL, without what stands before an `@` and behind a `?`.
fn without_secrets(text: &str) -> &str {
    let public = text.split('?').next().unwrap_or_default();
    public.rsplit('@').next().unwrap_or_default()
}

async fn read(endpoint: &Endpoint, mut response: Response) -> Result<Vec<u8>, CallFailure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(endpoint, error))? {
        if body.len() + chunk.len() > BODY_LIMIT_BYTES {
            return Err(too_large(endpoint));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn too_large(endpoint: &Endpoint) -> CallFailure {
    let message = format!("the answer from `{}` is larger than {BODY_LIMIT_BYTES} bytes", endpoint.shown);
    CallFailure::new(FailureKind::Value, message)
}

fn asked_wait_s(response: &Response) -> Option<f64> {
    let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
    retry_after_s(text("retry-after"), text("retry-after-ms"), SystemTime::now())
}

/// Classifies a transport error; its chain of causes becomes the message.
fn broken(endpoint: &Endpoint, error: reqwest::Error) -> CallFailure {
    let kind = match (error.is_connect(), error.is_timeout()) {
        (true, true) => FailureKind::ConnectTimeout,
        (true, false) => FailureKind::ConnectError,
        (false, true) => FailureKind::ReadTimeout,
        (false, false) if error.is_builder() => FailureKind::Value,
        (false, false) => FailureKind::RemoteProtocol,
    };
    let error = error.without_url();
    let mut text = format!("call to `{}` failed: {error}", endpoint.shown);
    let mut cause = error.source();
    while let Some(inner) = cause {
        let _ = write!(text, ": {inner}");
        cause = inner.source();
    }
    CallFailure::new(kind, endpoint.redact(&text))
}

fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_a_url_and_of_headers_are_never_shown() {
        let endpoint = Endpoint::new("https://ann:pa%20ss@example.test:8443/v1?key=hush#x").unwrap();
        assert_eq!(endpoint.shown(), "https://example.test:8443/v1");
        let endpoint = endpoint.bearer("sk-top").unwrap().header("apikey", "second").unwrap();
        assert_eq!(endpoint.redact("got sk-top, second and hush"), "got ***, *** and ***");
        assert_eq!(format!("{endpoint:?}"), "Endpoint(https://example.test:8443/v1)");
    }

    #[test]
    fn only_http_urls_are_accepted_and_a_refusal_hides_the_user_info() {
        for url in ["ftp://a/b", "localhost:80/x", "", "/v1", "file:///x"] {
            assert!(Endpoint::new(url).is_err(), "{url}");
        }
        let message = Endpoint::new("ftp://ann:secret@host/x?key=secret").unwrap_err().to_string();
        assert_eq!(message, "`host/x` is not an http or https URL");
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("a\n\tb\u{1b}[31m  c"), "a b [31m c");
        assert_eq!(excerpt(&"é".repeat(400)).chars().count(), EXCERPT_CHARS + 1);
    }
}
