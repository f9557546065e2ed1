//! Server-sent events (`contract/gateway.md` section 1.7 and section 0, decision 10).
//!
//! An answer whose model does not stream is sent as one chunk and `[DONE]`. Of a model that streams the pieces are sent
//! as they come; the last chunk brings what follows the answer in the rendering, the evidence and the usage. While
//! nothing comes, comments keep the stream alive. A failure before the first event keeps its status code; later it is
//! an event. A client that goes away takes the answer with it.

use super::errors::{ApiError, OpenAiError, openai_body};
use super::reply::{Head, Reply};
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long a client hears nothing at most.
pub const KEEP_ALIVE: Duration = Duration::from_secs(10);

const COMMENT: &str = ": still working\n\n";

type Pending = BoxFuture<'static, Result<Reply, ApiError>>;

/// An answer on its way. Dropping it ends the work behind it.
pub struct Answering {
    /// What all chunks share.
    pub head: Head,
    /// Pieces of the answer, when the model streams.
    pub received: mpsc::Receiver<String>,
    /// The whole answer.
    pub pending: Pending,
}

/// What happened next.
enum Heard {
    Piece(String),
    Ended(Box<Result<Reply, ApiError>>),
    Nothing,
}

impl Answering {
    async fn hear(&mut self, at_most: Duration) -> Heard {
        let listen = async {
            tokio::select! {
                biased;
                Some(piece) = self.received.recv() => Heard::Piece(piece),
                result = &mut self.pending => Heard::Ended(Box::new(result)),
            }
        };
        tokio::time::timeout(at_most, listen).await.unwrap_or(Heard::Nothing)
    }
}

/// Sends an answer as it comes.
pub async fn respond(mut answering: Answering, keep_alive: Duration) -> Response {
    let first = match answering.hear(keep_alive).await {
        Heard::Ended(result) => {
            return match *result {
                Ok(reply) => event_stream(Body::from(last_events("", &Ok(reply)))),
                Err(error) => OpenAiError(error).into_response(),
            };
        }
        heard => heard,
    };
    let live = Live { answering, told: String::new(), heard: Some(first) };
    event_stream(Body::from_stream(stream::unfold(Some(live), move |live| next(live, keep_alive))))
}

/// An open stream.
struct Live {
    answering: Answering,
    /// All pieces sent so far, together.
    told: String,
    /// What was heard before the stream was opened.
    heard: Option<Heard>,
}

type Step = (Result<Bytes, Infallible>, Option<Live>);

async fn next(live: Option<Live>, keep_alive: Duration) -> Option<Step> {
    let mut live = live?;
    let heard = match live.heard.take() {
        Some(heard) => heard,
        None => live.answering.hear(keep_alive).await,
    };
    match heard {
        Heard::Nothing => Some((Ok(Bytes::from_static(COMMENT.as_bytes())), Some(live))),
        Heard::Ended(result) => Some((Ok(Bytes::from(last_events(&live.told, &result))), None)),
        Heard::Piece(piece) => {
            let chunk = live.answering.head.piece(&piece, live.told.is_empty());
            live.told.push_str(&piece);
            match chunk {
                Ok(chunk) => Some((Ok(Bytes::from(format!("data: {chunk}\n\n"))), Some(live))),
                Err(error) => Some((Ok(Bytes::from(last_events("", &Err(ApiError::internal(&error))))), None)),
            }
        }
    }
}

/// The end of a stream: what is left of the answer with its evidence, or the failure.
fn last_events(told: &str, result: &Result<Reply, ApiError>) -> String {
    let failure = |error: &ApiError| openai_body(error).to_string();
    let text = match result {
        Ok(reply) => match reply.last_chunk(told) {
            Ok(Some(chunk)) => chunk,
            Ok(None) => failure(&ApiError::internal(&"the answer differs from the pieces that were streamed")),
            Err(error) => failure(&ApiError::internal(&error)),
        },
        Err(error) => failure(error),
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

    fn answering(pending: Pending) -> Answering {
        Answering { head: Head::new("vanilla-rag"), received: mpsc::channel(1).1, pending }
    }

    #[tokio::test]
    async fn a_slow_answer_is_announced_by_comments_and_a_late_failure_is_an_event() {
        let (fail, failed) = oneshot::channel::<()>();
        let pending: Pending = Box::pin(async move {
            let _ = failed.await;
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "model_failed", "gone"))
        });
        let response = respond(answering(pending), Duration::from_millis(1)).await;
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
        assert_eq!(respond(answering(pending), KEEP_ALIVE).await.status(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
