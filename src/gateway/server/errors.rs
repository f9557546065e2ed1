//! Errors as clients see them: OpenAI's shape on the model surface, `{"detail"}` under `/api/rag`.
//!
//! Faults of ours are logged in full and told in general: a file path is nobody's business but the operator's.

use crate::gateway::ApproachError;
use crate::gateway::corpus::CorpusError;
use crate::gateway::roles::Fault;
use axum::Json;
use axum::extract::rejection::BytesRejection;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// An error before it is given one of the two shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// For people.
    pub message: String,
    /// The field of the request that is wrong; none when it is no single field.
    pub param: Option<String>,
    /// For programs.
    pub code: &'static str,
    /// Sent as `Retry-After`, in seconds.
    pub retry_after_s: Option<f64>,
}

/// An error on `/v1` and `/rag`.
pub struct OpenAiError(pub ApiError);

/// An error under `/api/rag`.
pub struct DetailError(pub ApiError);

impl ApiError {
    /// Makes an error that no single field causes.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), param: None, code, retry_after_s: None }
    }

    /// Makes an error about one field of a request, status 422.
    pub fn field(param: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { param: Some(param.into()), ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message) }
    }

    /// A fault of ours.
    pub fn internal(error: &dyn std::fmt::Display) -> Self {
        tracing::error!("{error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "the gateway failed; its log says why")
    }

    fn kind(&self) -> &'static str {
        match self.status {
            StatusCode::UNAUTHORIZED => "authentication_error",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        }
    }
}

impl IntoResponse for OpenAiError {
    fn into_response(self) -> Response {
        let mut response = (self.0.status, Json(openai_body(&self.0))).into_response();
        if let Some(seconds) = self.0.retry_after_s {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds.ceil() as u64));
        }
        response
    }
}

/// The body of an error on the model surface.
pub fn openai_body(error: &ApiError) -> serde_json::Value {
    json!({"error": {"message": error.message, "type": error.kind(), "param": error.param, "code": error.code}})
}

impl IntoResponse for DetailError {
    fn into_response(self) -> Response {
        (self.0.status, Json(json!({"detail": self.0.message}))).into_response()
    }
}

impl From<ApproachError> for ApiError {
    fn from(error: ApproachError) -> Self {
        match &error {
            ApproachError::Corpus(missing @ (CorpusError::NotIngested { .. } | CorpusError::NoGraph { .. })) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "corpus_not_ready", missing.to_string())
            }
            ApproachError::Role(role) => {
                tracing::error!("{role}");
                let (status, code) = match role.fault {
                    Fault::RateLimited { .. } => (StatusCode::TOO_MANY_REQUESTS, "model_rate_limited"),
                    Fault::Timeout => (StatusCode::GATEWAY_TIMEOUT, "model_timeout"),
                    Fault::Failed | Fault::Unreadable | Fault::Empty { .. } => {
                        (StatusCode::INTERNAL_SERVER_ERROR, "model_failed")
                    }
                };
                let retry_after_s = match role.fault {
                    Fault::RateLimited { retry_after_s } => retry_after_s,
                    _ => None,
                };
                Self { retry_after_s, ..Self::new(status, code, role.to_string()) }
            }
            _ => Self::internal(&error),
        }
    }
}

impl From<BytesRejection> for ApiError {
    fn from(rejection: BytesRejection) -> Self {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            let message = format!("the request body has more than {} bytes", super::LARGEST_BODY_BYTES);
            return Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message);
        }
        Self::new(rejection.status(), "body_unreadable", "the request body could not be read")
    }
}

/// Answers a path that does not exist.
pub async fn not_found(uri: Uri) -> Response {
    by_path(uri.path(), ApiError::new(StatusCode::NOT_FOUND, "not_found", "Not Found"))
}

/// Answers a method that a path does not have.
pub async fn method_not_allowed(uri: Uri) -> Response {
    by_path(uri.path(), ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "Method Not Allowed"))
}

/// Gives an error the shape that belongs to the path.
pub fn by_path(path: &str, error: ApiError) -> Response {
    if path.starts_with("/v1/") || path.starts_with("/rag/") {
        OpenAiError(error).into_response()
    } else {
        DetailError(error).into_response()
    }
}
