//! Server-sent events (`contract/gateway.md` section 1.7 and section 0, decision 10).
//!
//! An answer that is ready soon is sent as one chunk and `[DONE]`, and a failure keeps its status code. One that takes
//! longer opens the stream early and keeps it alive with comments; a failure is then an event.

use super::errors::{ApiError, OpenAiError, openai_body};
use super::reply::Reply;
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream;
use std::convert::Infallible;
use std::time::Duration;

/// How long a client hears nothing at most.
pub const KEEP_ALIVE: Duration = Duration::from_secs(10);

const COMMENT: &str = ": still working\n\n";

type Pending = BoxFuture<'static, Result<Reply, ApiError>>;

/// Sends what `pending` gives.
pub async fn respond(mut pending: Pending, keep_alive: Duration) -> Response {
    match tokio::time::timeout(keep_alive, &mut pending).await {
        Ok(Ok(reply)) => event_stream(Body::from(events(&Ok(reply)))),
        Ok(Err(error)) => OpenAiError(error).into_response(),
        Err(_) => {
            let steps = stream::unfold(Step::Comment(pending), move |step| next(step, keep_alive));
            event_stream(Body::from_stream(steps))
        }
    }
}

enum Step {
    Comment(Pending),
    Wait(Pending),
    Finished,
}

async fn next(step: Step, keep_alive: Duration) -> Option<(Result<Bytes, Infallible>, Step)> {
    match step {
        Step::Comment(pending) => Some((Ok(Bytes::from_static(COMMENT.as_bytes())), Step::Wait(pending))),
        Step::Wait(mut pending) => match tokio::time::timeout(keep_alive, &mut pending).await {
            Ok(result) => Some((Ok(Bytes::from(events(&result))), Step::Finished)),
            Err(_) => Some((Ok(Bytes::from_static(COMMENT.as_bytes())), Step::Wait(pending))),
        },
        Step::Finished => None,
    }
}

fn events(result: &Result<Reply, ApiError>) -> String {
    let text = match result {
        Ok(reply) => reply.chunk().unwrap_or_else(|error| openai_body(&ApiError::internal(&error)).to_string()),
        Err(error) => openai_body(error).to_string(),
    };
    format!("data: {text}\n\ndata: [DONE]\n\n")
}

fn event_stream(body: Body) -> Response {
    let headers = [(CONTENT_TYPE, "text/event-stream; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn a_slow_answer_is_announced_by_comments_and_a_late_failure_is_an_event() {
        let (fail, failed) = oneshot::channel::<()>();
        let pending: Pending = Box::pin(async move {
            let _ = failed.await;
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "model_failed", "gone"))
        });
        let response = respond(pending, Duration::from_millis(1)).await;
        assert_eq!(response.status(), StatusCode::OK);
        fail.send(()).unwrap();
        let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(text.starts_with(COMMENT), "{text}");
        assert!(text.contains("data: {\"error\":{\"message\":\"gone\""), "{text}");
        assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    }

    #[tokio::test]
    async fn an_early_failure_keeps_its_status() {
        let pending: Pending = Box::pin(async { Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "x", "y")) });
        assert_eq!(respond(pending, KEEP_ALIVE).await.status(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
