//! From the bytes of a chat completion to normalised evidence.
//!
//! Reads the body of one answer. Pure. Never invents: what the service did not say stays null or empty, and an answer
//! that cannot be understood is an error with its reason. Source: `contract/evaluation.md` section 2.5.

use super::{foreign, rendered};
use crate::evidence::row::Evidence;
use crate::json;
use crate::wire::call::excerpt;
use crate::wire::empty::why_empty;
use crate::wire::failure::{CallFailure, FailureKind};
use crate::wire::wrapped::wrapped_error;
use serde_json::{Map, Value};

pub use crate::wire::empty::EmptyAnswer;

/// Where the structured extension may be, in order; the first place that holds an object is taken.
///
/// The second is where a LiteLLM proxy puts fields it does not know.
pub const EXTENSION_POINTERS: [&str; 2] = ["/rag_showcase", "/choices/0/message/provider_specific_fields/rag_showcase"];

/// Why a completion that arrived cannot become evidence. Never retried; the row's error type is `ValueError`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NormaliseError {
    /// `choices[0].message.content` cannot be reached or is not text.
    #[error("cannot normalise the completion: {0}")]
    Shape(String),
    /// The content is null and the completion says why.
    #[error("empty answer: {0}")]
    Empty(EmptyAnswer),
    /// A number of the rendered answer cannot be read.
    #[error("cannot normalise the completion: {what} number `{text}` cannot be read")]
    Number {
        /// Which number it is.
        what: &'static str,
        /// As it stands in the answer.
        text: String,
    },
}

/// Parses a body, and recognises an error object that came with status 200.
///
/// Malformed JSON, a lone surrogate, a repeated key, a number beyond a double and nesting beyond 100 levels are
/// `JSONDecodeError`. An error object in place of an answer fails as the status it names.
pub fn parse_body(body: &[u8], retry_after_s: Option<f64>) -> Result<Value, CallFailure> {
    let text = std::str::from_utf8(body)
        .map_err(|error| CallFailure::new(FailureKind::JsonDecode, format!("the body is not UTF-8: {error}")))?;
    let value = json::parse_strict(text).map_err(|error| {
        let mut message = format!("the body is not acceptable JSON: {error}");
        if error.line > 0 {
            message.push_str(&format!(" at line {} column {}", error.line, error.column));
        }
        if !text.trim_start().starts_with('{') {
            message.push_str(&format!("; it begins with `{}`", beginning(text)));
        }
        CallFailure::new(FailureKind::JsonDecode, message)
    })?;
    if !json::is_storable_depth(&value) {
        let message = format!("the body is nested deeper than {} levels", json::STORABLE_LEVELS);
        return Err(CallFailure::new(FailureKind::JsonDecode, message));
    }
    match wrapped_error(&value, retry_after_s) {
        Some(failure) => Err(failure),
        None => Ok(value),
    }
}

/// The word under `approach_metadata` of an answer whose service hands out no contexts.
pub const CONTEXTS_MISSING: &str = "contexts_missing";
/// The word under `approach_metadata` that says which pointer led to the contexts.
pub const CONTEXTS_POINTER: &str = "contexts_pointer";

/// Whether the answer says what was retrieved, even if that was nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contexts {
    /// A list was there.
    Told,
    /// No place that was looked at has a list with a text in it. Not the same as an empty list.
    Missing,
}

/// Turns a parsed completion into evidence, and says whether it tells its contexts.
///
/// The extension comes first, then the rendered source block, then the list that one of `pointers` leads to.
pub fn normalise(payload: &Value, pointers: &[&str]) -> Result<(Evidence, Contexts), NormaliseError> {
    let content = content(payload)?;
    let rendered = rendered::parse(content)?;
    let mut evidence = Evidence {
        answer: rendered.answer,
        raw_content: content.to_owned(),
        contexts: contexts(&rendered.sources),
        sources: rendered.sources,
        token_usage: payload.get("usage").and_then(Value::as_object).cloned().unwrap_or_default(),
        server_metrics: rendered.metrics,
        response_id: payload.get("id").cloned().unwrap_or_default(),
        response_model: payload.get("model").cloned().unwrap_or_default(),
        transport: Some("rendered".to_owned()),
        approach_metadata: Map::new(),
    };
    let retrieved_nothing = chunks(evidence.server_metrics.as_ref()) == Some(0);
    let mut told = !evidence.sources.is_empty() || retrieved_nothing;
    if let Some(extension) = extension(payload) {
        apply(&mut evidence, extension);
        told |= extension.get("sources").is_some_and(Value::is_array);
    }
    if !told && let Some(found) = foreign::find(payload, pointers) {
        told = found.sources.is_empty();
        evidence.sources = found.sources;
        evidence.contexts = contexts(&evidence.sources);
        evidence.transport = Some("structured".to_owned());
        evidence.approach_metadata.insert(CONTEXTS_POINTER.to_owned(), found.pointer.into());
    }
    let contexts = if told || !evidence.contexts.is_empty() { Contexts::Told } else { Contexts::Missing };
    Ok((evidence, contexts))
}

fn chunks(metrics: Option<&Map<String, Value>>) -> Option<u64> {
    metrics?.get("chunks")?.as_u64()
}

/// Lets each well-typed part of the extension replace what the rendering said.
fn apply(evidence: &mut Evidence, extension: &Map<String, Value>) {
    evidence.transport = Some("structured".to_owned());
    for (key, value) in extension {
        match (key.as_str(), value) {
            ("answer", Value::String(answer)) => evidence.answer.clone_from(answer),
            ("sources", Value::Array(sources)) => {
                evidence.sources = sources.iter().filter_map(source).collect();
                evidence.contexts = contexts(&evidence.sources);
            }
            ("metrics", Value::Object(metrics)) => evidence.server_metrics = Some(metrics.clone()),
            ("schema_version" | "answer" | "sources" | "metrics", _) => {}
            // These two are what the runner found out; an answer cannot say them of itself.
            (CONTEXTS_MISSING | CONTEXTS_POINTER, _) => {}
            _ => {
                evidence.approach_metadata.insert(key.clone(), value.clone());
            }
        }
    }
}

fn content(payload: &Value) -> Result<&str, NormaliseError> {
    let shape = |text: &str| NormaliseError::Shape(text.to_owned());
    let choices = payload.get("choices").ok_or_else(|| shape("it has no `choices`"))?;
    let choices = choices.as_array().ok_or_else(|| shape("`choices` is not a list"))?;
    let choice = choices.first().ok_or_else(|| shape("`choices` is empty"))?;
    let message = choice.get("message").and_then(Value::as_object);
    let message = message.ok_or_else(|| shape("`choices[0].message` is not an object"))?;
    match message.get("content") {
        Some(Value::String(text)) => Ok(text),
        Some(Value::Null) | None => Err(match why_empty(choice, message) {
            Some(reason) => NormaliseError::Empty(reason),
            None => shape("`choices[0].message.content` is null"),
        }),
        Some(_) => Err(shape("`choices[0].message.content` is not text")),
    }
}

/// The extension if it has schema 1. `1.0` and `true` count as 1, as they did for the earlier system's rows.
fn extension(payload: &Value) -> Option<&Map<String, Value>> {
    let found = EXTENSION_POINTERS.iter().find_map(|pointer| payload.pointer(pointer)?.as_object())?;
    let accepted = match found.get("schema_version")? {
        Value::Number(number) => number.as_f64() == Some(1.0),
        Value::Bool(flag) => *flag,
        _ => false,
    };
    accepted.then_some(found)
}

/// One entry of `sources`; null when it is not an object with a text snippet.
fn source(entry: &Value) -> Option<Value> {
    let snippet = entry.get("snippet")?.as_str()?;
    let title = match entry.get("title") {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null | Value::Bool(false)) => String::new(),
        Some(Value::Number(number)) if number.as_f64() == Some(0.0) => String::new(),
        Some(Value::Array(items)) if items.is_empty() => String::new(),
        Some(Value::Object(map)) if map.is_empty() => String::new(),
        Some(other) => json::compact(other).ok()?,
    };
    let score = entry.get("score").cloned().unwrap_or_default();
    Some(serde_json::json!({"title": title, "snippet": snippet, "score": score}))
}

/// The snippets that are not the empty text, in order; one of blanks counts.
fn contexts(sources: &[Value]) -> Vec<String> {
    let snippets = sources.iter().filter_map(|source| source.get("snippet")?.as_str());
    snippets.filter(|snippet| !snippet.is_empty()).map(str::to_owned).collect()
}

fn beginning(text: &str) -> String {
    excerpt(&text.chars().take(60).collect::<String>())
}
