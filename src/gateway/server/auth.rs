//! The bearer token, when one is configured; `/health` is open for liveness probes.

use super::State;
use super::errors::{ApiError, by_path};
use axum::extract::{Request, State as Shared};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::middleware::Next;
use axum::response::Response;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// Lets a request through when it carries the token, or none is configured.
pub async fn require_token(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let Some(token) = state.token.as_deref().filter(|_| request.uri().path() != "/health") else {
        return next.run(request).await;
    };
    let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given.and_then(bearer).is_some_and(|given| same(given, token)) {
        return next.run(request).await;
    }
    let error = ApiError::new(StatusCode::UNAUTHORIZED, "invalid_api_key", "a valid bearer token is needed");
    let mut response = by_path(request.uri().path(), error);
    response.headers_mut().insert(WWW_AUTHENTICATE, axum::http::HeaderValue::from_static("Bearer"));
    response
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Compares hashes, so that the time taken says nothing about how much of a guess was right.
fn same(left: &str, right: &str) -> bool {
    Sha256::digest(left) == Sha256::digest(right)
}
