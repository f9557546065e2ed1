//! `POST /v1/chat/completions` and `POST /rag/<base>/v1/chat/completions`.

use super::errors::{ApiError, OpenAiError};
use super::reply::{Head, Reply};
use super::request::ChatRequest;
use super::stream::Answering;
use super::{Alias, State, judges, stream};
use crate::gateway::ApproachError;
use crate::gateway::roles::{Fault, RoleError};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State as Shared};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;

/// Pieces of an answer that wait for a slow client before the model has to.
const PIECES_WAITING: usize = 64;
/// Names request fields that had no effect.
const IGNORED_HEADER: HeaderName = HeaderName::from_static("x-ignored");

type Body = Result<Bytes, BytesRejection>;

/// Answers by alias alone.
pub async fn by_alias(Shared(state): Shared<Arc<State>>, body: Body) -> Response {
    match body.as_ref().ok().and_then(|body| judges::answer(body)) {
        Some(judged) => judged.unwrap_or_else(|error| OpenAiError(error).into_response()),
        None => answer(state, None, body).await.unwrap_or_else(|error| OpenAiError(error).into_response()),
    }
}

/// Answers by alias on the route of its base; a base that does not exist is a path that does not exist.
pub async fn by_base(Shared(state): Shared<Arc<State>>, Path(base): Path<String>, uri: Uri, body: Body) -> Response {
    if !state.aliases.iter().any(|alias| alias.profile.base == base) {
        return super::errors::not_found(uri).await;
    }
    answer(state, Some(base), body).await.unwrap_or_else(|error| OpenAiError(error).into_response())
}

async fn answer(state: Arc<State>, base: Option<String>, body: Body) -> Result<Response, ApiError> {
    let started = Instant::now();
    let request = ChatRequest::parse(&body?)?;
    let position = resolve(&state.aliases, &request.model, base.as_deref())?;
    let (question, alias) = (request.question, request.model);
    let head = Head::new(&alias);
    let (pieces, received) = mpsc::channel(PIECES_WAITING);
    let engine = if request.stream { state.engine.telling(pieces) } else { Arc::clone(&state.engine) };
    let answer_head = head.clone();
    let pending = Box::pin(async move {
        match state.aliases[position].approach.answer(&engine, &question).await {
            Ok(answered) => Ok(Reply::new(answer_head, answered, started.elapsed())),
            Err(ApproachError::Role(RoleError { fault: Fault::Empty { reason, said }, model, .. })) => {
                tracing::warn!(model, "a question got no answer: {reason}");
                Ok(Reply::empty(answer_head, reason, said))
            }
            Err(error) => Err(ApiError::from(error)),
        }
    });
    let mut response = if request.stream {
        stream::respond(Answering { head, received, pending }, stream::KEEP_ALIVE).await
    } else {
        let text = pending.await?.json().map_err(|error| ApiError::internal(&error))?;
        ([(CONTENT_TYPE, "application/json")], text).into_response()
    };
    if !request.ignored.is_empty()
        && let Ok(names) = HeaderValue::from_str(&request.ignored.join(", "))
    {
        response.headers_mut().insert(IGNORED_HEADER, names);
    }
    Ok(response)
}

/// Finds an alias; on the route of a base it must belong to it.
fn resolve(aliases: &[Alias], model: &str, base: Option<&str>) -> Result<usize, ApiError> {
    let refuse = |message: String| ApiError {
        param: Some("model".to_owned()),
        ..ApiError::new(StatusCode::BAD_REQUEST, "model_not_found", message)
    };
    let position = aliases.iter().position(|alias| alias.profile.alias == model);
    let position = position.ok_or_else(|| refuse(format!("unknown model `{model}`; `/v1/models` lists all")))?;
    let own = &aliases[position].profile.base;
    match base {
        Some(base) if base != own => Err(refuse(format!("the model `{model}` belongs to `{own}`, not to `{base}`"))),
        _ => Ok(position),
    }
}
