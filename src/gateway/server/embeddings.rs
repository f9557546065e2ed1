//! `POST /v1/embeddings`: the role `embed` for others.

use super::State;
use super::errors::{ApiError, OpenAiError};
use super::request::parse_object;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// How many texts one request may hold.
const MOST_TEXTS: usize = 2_048;

/// Embeds one text or a list of texts, in order.
pub async fn embed(
    Shared(state): Shared<Arc<State>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, OpenAiError> {
    answer(&state, body).await.map(Json).map_err(OpenAiError)
}

async fn answer(state: &State, body: Result<Bytes, BytesRejection>) -> Result<Value, ApiError> {
    let map = parse_object(&body?)?;
    let embedder = &state.engine.roles.embed;
    check_model(&map, embedder.name())?;
    let texts = texts(&map)?;
    let vectors =
        embedder.embed(&texts).await.map_err(|error| ApiError::from(crate::gateway::ApproachError::from(error)))?;
    let data: Vec<Value> = vectors
        .into_iter()
        .enumerate()
        .map(|(index, embedding)| json!({"object": "embedding", "index": index, "embedding": embedding}))
        .collect();
    Ok(json!({"object": "list", "data": data, "model": embedder.name(), "usage": null}))
}

fn check_model(map: &Map<String, Value>, own: &str) -> Result<(), ApiError> {
    match map.get("model") {
        Some(Value::String(model)) if model == own => Ok(()),
        Some(Value::String(model)) => {
            let message = format!("unknown embedding model `{model}`; this gateway has `{own}`");
            let error = ApiError::new(StatusCode::BAD_REQUEST, "model_not_found", message);
            Err(ApiError { param: Some("model".to_owned()), ..error })
        }
        Some(_) => Err(ApiError::field("model", "string_type", "`model` must be a string")),
        None => Err(ApiError::field("model", "missing", "`model` is missing")),
    }
}

fn texts(map: &Map<String, Value>) -> Result<Vec<String>, ApiError> {
    let wrong = || ApiError::field("input", "string_type", "`input` must be a text or a list of texts");
    match map.get("input") {
        None => Err(ApiError::field("input", "missing", "`input` is missing")),
        Some(Value::String(text)) => Ok(vec![text.clone()]),
        Some(Value::Array(items)) if items.len() > MOST_TEXTS => {
            let message = format!("`input` has {} texts; at most {MOST_TEXTS} are allowed", items.len());
            Err(ApiError::field("input", "too_long", message))
        }
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}
