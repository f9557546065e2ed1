//! What a value of a foreign reply says. Pure.

use serde_json::Value;

/// True unless the value is null, false, zero, or empty: what Python takes for true, as some contracts are worded.
pub fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}
