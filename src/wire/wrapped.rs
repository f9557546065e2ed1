//! Errors that come with status 200: an error object where an answer should be.
//!
//! Pure.

use super::call::excerpt;
use super::failure::CallFailure;
use serde_json::Value;

/// The failure that a body with status 200 wraps; null when it wraps none.
///
/// Without a usable code it is a fault of the service like a 502. Beside an answer an error object is a remark.
pub fn wrapped_error(value: &Value, retry_after_s: Option<f64>) -> Option<CallFailure> {
    let error = value.get("error").filter(|error| match error {
        Value::Object(map) => !map.is_empty(),
        Value::String(text) => !text.is_empty(),
        _ => false,
    })?;
    if value.pointer("/choices/0/message/content").is_some_and(Value::is_string) {
        return None;
    }
    let code = ["code", "status", "status_code"].iter().find_map(|key| match error.get(key)? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    });
    let status = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (300..600).contains(code));
    let said = error.get("message").and_then(Value::as_str).or(error.as_str()).unwrap_or_default();
    let named = status.map_or_else(|| "an error".to_owned(), |status| format!("error {status}"));
    let message = format!("status 200 wrapped {named}: {}", excerpt(said));
    Some(CallFailure::from_status(status.unwrap_or(502), retry_after_s, message))
}
