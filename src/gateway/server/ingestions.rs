//! `/api/rag/ingestions`: submit, list, poll, cancel.

use super::State;
use super::errors::{ApiError, DetailError};
use super::request::parse_object;
use crate::gateway::ingestion::IngestionError;
use crate::wire::ingest::{IngestionAccepted, IngestionRecord, IngestionRequest};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;

type Shape = Result<Json<IngestionRecord>, DetailError>;

/// Accepts a job, status 202.
pub async fn submit(
    Shared(state): Shared<Arc<State>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<IngestionAccepted>), DetailError> {
    let request = body.map_err(ApiError::from).and_then(|body| read(&body)).map_err(DetailError)?;
    let accepted = state.ingestions.submit(request).await.map_err(told)?;
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}

/// Lists all jobs, oldest first.
pub async fn list(Shared(state): Shared<Arc<State>>) -> Result<Json<Value>, DetailError> {
    Ok(Json(json!({"ingestions": state.ingestions.list().await.map_err(told)?})))
}

/// Reads one job.
pub async fn poll(Shared(state): Shared<Arc<State>>, Path(id): Path<String>) -> Shape {
    state.ingestions.record(id).await.map(Json).map_err(told)
}

/// Asks a job to stop.
pub async fn cancel(Shared(state): Shared<Arc<State>>, Path(id): Path<String>) -> Shape {
    state.ingestions.cancel(id).await.map(Json).map_err(told)
}

fn read(body: &[u8]) -> Result<IngestionRequest, ApiError> {
    let map = parse_object(body)?;
    let profile = match map.get("profile") {
        Some(Value::String(profile)) => profile.clone(),
        Some(_) => return Err(ApiError::field("profile", "string_type", "`profile` must be a string")),
        None => return Err(ApiError::field("profile", "missing", "`profile` is missing")),
    };
    let corpus_path = match map.get("corpus_path") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) => Some(path.clone()),
        Some(_) => {
            return Err(ApiError::field("corpus_path", "string_type", "`corpus_path` must be a string or null"));
        }
    };
    Ok(IngestionRequest { profile, corpus_path })
}

fn told(error: IngestionError) -> DetailError {
    DetailError(match &error {
        IngestionError::UnknownProfile { .. } | IngestionError::UnknownJob(_) => {
            ApiError::new(StatusCode::NOT_FOUND, "not_found", error.to_string())
        }
        IngestionError::Request(_) => ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", error.to_string()),
        _ => ApiError::internal(&error),
    })
}
