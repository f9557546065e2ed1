//! `POST /api/rag/evaluate`: scoring stored answers with the role `ragas_evaluator`.

use super::State;
use super::errors::{ApiError, DetailError};
use super::request::parse_object;
use crate::gateway::evaluate as scoring;
use crate::wire::evaluate::{EvaluateRequest, EvaluateResponse};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use serde_json::Value;
use std::sync::Arc;

/// Scores the records of a request.
pub async fn evaluate(
    Shared(state): Shared<Arc<State>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<EvaluateResponse>, DetailError> {
    answer(state, body).await.map(Json).map_err(DetailError)
}

async fn answer(state: Arc<State>, body: Result<Bytes, BytesRejection>) -> Result<EvaluateResponse, ApiError> {
    let map = parse_object(&body?)?;
    let shape = |error: serde_json::Error| {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_shape", format!("the request is not valid: {error}"))
    };
    let request: EvaluateRequest = serde_json::from_value(Value::Object(map)).map_err(shape)?;
    let result = scoring::evaluate(request, state.engine.roles.ragas_evaluator.as_ref()).await;
    result.map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", error.to_string()))
}
