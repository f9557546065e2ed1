//! Why a call to a service gave nothing usable, in the words that rows keep.
//!
//! Reads nothing, writes nothing. A message never holds a secret: whoever builds one redacts it first.

use std::fmt;

/// The kind of a failed call; its name is stored as `error.type`.
///
/// The names are those of `contract/evaluation.md` section 2.4. A name that ends in `Timeout` counts as a time-out
/// wherever rows are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// No connection within the connect limit.
    ConnectTimeout,
    /// Connected, but no complete answer before the deadline of the attempt.
    ReadTimeout,
    /// The connection was refused, or the host is unknown.
    ConnectError,
    /// Any status outside 200..=299, redirects included, or an error object that came with status 200.
    HttpStatus,
    /// The connection broke, or what came was not HTTP.
    RemoteProtocol,
    /// The body is not acceptable JSON.
    JsonDecode,
    /// The answer is JSON but does not say what it must.
    Value,
}

impl FailureKind {
    /// The word stored in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ConnectTimeout => "ConnectTimeout",
            Self::ReadTimeout => "ReadTimeout",
            Self::ConnectError => "ConnectError",
            Self::HttpStatus => "HTTPStatusError",
            Self::RemoteProtocol => "RemoteProtocolError",
            Self::JsonDecode => "JSONDecodeError",
            Self::Value => "ValueError",
        }
    }

    /// Whether the deadline decided.
    pub fn is_timeout(self) -> bool {
        matches!(self, Self::ConnectTimeout | Self::ReadTimeout)
    }
}

/// One failed attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// One line for people, without secrets.
    pub message: String,
    /// The HTTP status, also when it was wrapped in a body with status 200; null when none came.
    pub status: Option<u16>,
    /// How long the service asks to be left alone, in seconds, not negative; null when it did not say.
    pub retry_after_s: Option<f64>,
}

impl CallFailure {
    /// Makes a failure without a status.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, retry_after_s: None }
    }

    /// Makes the failure of a status, with what the service asked for.
    pub fn from_status(status: u16, retry_after_s: Option<f64>, message: impl Into<String>) -> Self {
        Self { kind: FailureKind::HttpStatus, message: message.into(), status: Some(status), retry_after_s }
    }

    /// Whether the service refused because of its load or a quota: 429, or 503 with a `Retry-After`.
    pub fn is_rate_limit(&self) -> bool {
        self.status == Some(429) || (self.status == Some(503) && self.retry_after_s.is_some())
    }

    /// Whether the same call can have another outcome later: always, but for 400, 401, 403, 404 and 422.
    ///
    /// Source: `contract/evaluation.md` section 0, item 5.
    pub fn is_retriable(&self) -> bool {
        !matches!(self.status, Some(400 | 401 | 403 | 404 | 422))
    }
}

impl fmt::Display for CallFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}: {}", self.kind.as_str(), self.message)
    }
}
