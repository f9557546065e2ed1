//! Reads the evaluator's answer.
//!
//! Pure. Unlike completions, numbers that are no numbers (`NaN`, `Infinity`, `1e999`) are read and then refused metric
//! by metric, so that one bad score does not lose the others. Source: `contract/evaluation.md` section 4.3.

use crate::json;
use crate::wire::text::trim;
use serde_json::{Map, Value};

/// Why a whole reply is unusable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedReply {
    /// Not JSON at all.
    #[error("the evaluator's body is not acceptable JSON: {0}")]
    Json(String),
    /// JSON of another shape.
    #[error("the evaluator's answer is not usable: {0}")]
    Shape(&'static str),
    /// An integer that no double holds.
    #[error("the evaluator's score for `{0}` is an integer beyond the range of a double")]
    Integer(String),
}

/// The parts of a reply that are used.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatorReply {
    /// `results[0].scores`.
    pub scores: Map<String, Value>,
    /// `results[0].metadata.reasons`: why a score is null, by metric.
    pub reasons: Map<String, Value>,
    /// `results[0].metadata.details`: what scores rest on, by metric.
    pub details: Map<String, Value>,
    /// As the body says; null when it does not.
    pub evaluator_model: Value,
    /// As the body says; null when it does not.
    pub embeddings_model: Value,
    /// The body's `metadata`; `{}` when the key is absent.
    pub metadata: Value,
}

/// Parses a body.
pub fn parse_reply(body: &[u8]) -> Result<EvaluatorReply, MalformedReply> {
    let text = std::str::from_utf8(body).map_err(|error| MalformedReply::Json(error.to_string()))?;
    let mut value: Value =
        serde_json::from_str(&without_bare_words(text)).map_err(|error| MalformedReply::Json(error.to_string()))?;
    if !json::is_storable_depth(&value) {
        return Err(MalformedReply::Json(format!("nested deeper than {} levels", json::STORABLE_LEVELS)));
    }
    let body = value.as_object_mut().ok_or(MalformedReply::Shape("the body is not an object"))?;
    let results = body.get("results").and_then(Value::as_array);
    let results = results.ok_or(MalformedReply::Shape("`results` is missing or not a list"))?;
    let first = results.first().ok_or(MalformedReply::Shape("`results` is empty"))?;
    let first = first.as_object().ok_or(MalformedReply::Shape("`results[0]` is not an object"))?;
    let scores = match first.get("scores") {
        Some(Value::Object(scores)) => scores.clone(),
        other if is_falsy(other) => Map::new(),
        _ => return Err(MalformedReply::Shape("`results[0].scores` is not an object")),
    };
    let of_metrics = |key: &str| {
        let metadata = first.get("metadata").and_then(|metadata| metadata.get(key));
        metadata.and_then(Value::as_object).cloned().unwrap_or_default()
    };
    let reasons = of_metrics("reasons");
    let details = of_metrics("details").into_iter().map(|(metric, value)| (metric, storable(value))).collect();
    let mut take = |key: &str| body.get_mut(key).map(|value| storable(value.take()));
    Ok(EvaluatorReply {
        scores,
        reasons,
        details,
        evaluator_model: take("evaluator_model").unwrap_or_default(),
        embeddings_model: take("embeddings_model").unwrap_or_default(),
        metadata: take("metadata").unwrap_or_else(|| Value::Object(Map::new())),
    })
}

/// Reads one score: a finite double, or the reason code that stands in its place.
///
/// The outer error is an integer beyond a double, which makes the whole reply unusable.
pub fn verdict(metric: &str, score: Option<&Value>) -> Result<Result<f64, &'static str>, MalformedReply> {
    Ok(match score {
        None | Some(Value::Null) => Err("score_missing_or_null"),
        Some(Value::Number(number)) => {
            let token = number.to_string();
            match token.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ if !token.contains(['.', 'e', 'E']) => return Err(MalformedReply::Integer(metric.to_owned())),
                _ => Err("score_not_finite"),
            }
        }
        Some(Value::String(text)) => match trim(text).parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err("score_not_finite"),
            Err(_) => Err("score_not_numeric"),
        },
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => Err("score_not_numeric"),
    })
}

/// Absent, null, false, zero or empty.
fn is_falsy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => true,
        Some(Value::Number(number)) => number.as_f64() == Some(0.0),
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(_) | Value::Bool(true)) => false,
    }
}

/// Writes the bare words `NaN`, `Infinity` and `-Infinity` as a number beyond every double, outside of strings.
fn without_bare_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_string = false;
    while let Some(character) = rest.chars().next() {
        let mut taken = character.len_utf8();
        if in_string {
            match character {
                // The escaped character cannot end the string.
                '\\' => taken += rest[1..].chars().next().map_or(0, char::len_utf8),
                '"' => in_string = false,
                _ => {}
            }
        } else if character == '"' {
            in_string = true;
        } else if let Some(word) = ["NaN", "Infinity"].into_iter().find(|word| rest.starts_with(word)) {
            out.push_str("1e999");
            rest = &rest[word.len()..];
            continue;
        }
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// Replaces numbers that a row cannot hold by null.
fn storable(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            let token = number.to_string();
            let whole = !token.contains(['.', 'e', 'E']);
            let kept = whole || token.parse::<f64>().is_ok_and(f64::is_finite);
            if kept { Value::Number(number) } else { Value::Null }
        }
        Value::Array(items) => items.into_iter().map(storable).collect(),
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, storable(value))).collect(),
        other => other,
    }
}
