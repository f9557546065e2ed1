//! The built-in judges behind `POST /v1/chat/completions`: models without a corpus.

use super::errors::ApiError;
use crate::gateway::judges::{self, COVERAGE, GROUNDING};
use crate::json;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Answers a request for a built-in judge; null when the request is for somebody else.
pub fn answer(body: &[u8]) -> Option<Result<Response, ApiError>> {
    let request = std::str::from_utf8(body).ok().and_then(|text| json::parse_strict(text).ok())?;
    let model = request.get("model")?.as_str().filter(|model| [COVERAGE, GROUNDING].contains(model))?;
    Some(reply(model, &request))
}

fn reply(model: &str, request: &Value) -> Result<Response, ApiError> {
    let refuse = |message: String, param: &str| ApiError {
        param: Some(param.to_owned()),
        ..ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", message)
    };
    if request.get("stream") == Some(&Value::Bool(true)) {
        return Err(refuse(format!("`{model}` does not stream"), "stream"));
    }
    let messages = request.get("messages").and_then(Value::as_array);
    let messages = messages.ok_or_else(|| refuse("`messages` must be a list".to_owned(), "messages"))?;
    let content = judges::answer(model, messages).map_err(|error| refuse(error.to_string(), "messages"))?;
    let completion = json!({
        "id": "ragsql-judge",
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": null,
    });
    let text = json::compact(&completion).map_err(|error| ApiError::internal(&error))?;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}
