//! What an n8n workflow answered, read as far as it can be read.
//!
//! Pure. A part that is missing or of the wrong kind is empty, never an error (`contract/gateway.md` section 2.6).

use crate::json;
use crate::wire::chat::Source;
use serde_json::{Map, Value};

/// Parts of the extension that have a place of their own.
const CORE_PARTS: [&str; 4] = ["schema_version", "answer", "sources", "metrics"];
/// What stands for a route or approach that nobody named.
const UNKNOWN: &str = "unknown";

/// An answer with the evidence that came along.
#[derive(Debug, Clone, PartialEq)]
pub struct N8nReply {
    /// May be empty.
    pub answer: String,
    /// The class of the question, or `unknown`.
    pub route: String,
    /// Who answered, or `unknown`.
    pub approach: String,
    /// The delegate's sources.
    pub sources: Vec<Source>,
    /// Chunks that the delegate retrieved.
    pub chunks: u64,
    /// The delegate's calls to models; the classifier's is not among them.
    pub llm_calls: u64,
    /// The delegate's calls to models in a cloud.
    pub cloud_calls: u64,
    /// What else the delegate's extension holds.
    pub delegated: Map<String, Value>,
}

impl N8nReply {
    /// Reads a body: an object, or the first object of a list; anything else counts as an empty object.
    pub fn read(body: &Value) -> Self {
        let nothing = Map::new();
        let body = match body {
            Value::Object(fields) => fields,
            Value::Array(items) => items.iter().find_map(Value::as_object).unwrap_or(&nothing),
            _ => &nothing,
        };
        if body.is_empty() {
            tracing::warn!("the n8n webhook gave no object");
        }
        let is_first_schema =
            |extension: &&Map<String, Value>| extension.get("schema_version").and_then(Value::as_f64) == Some(1.0);
        let extension = body.get("rag_showcase").and_then(Value::as_object).filter(is_first_schema);
        let extension = extension.unwrap_or(&nothing);
        let metrics = extension.get("metrics").and_then(Value::as_object).unwrap_or(&nothing);
        let sources = extension.get("sources").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let rest = extension.iter().filter(|(name, _)| !CORE_PARTS.contains(&name.as_str()));
        Self {
            answer: answer(body, extension),
            route: named(body.get("route")),
            approach: named(body.get("approach")),
            sources: sources.iter().filter_map(source).collect(),
            chunks: count(metrics.get("chunks")),
            llm_calls: count(metrics.get("llm_calls")),
            cloud_calls: count(metrics.get("cloud_calls")),
            delegated: rest.map(|(name, value)| (name.clone(), value.clone())).collect(),
        }
    }
}

/// The body's answer when it says something, else the extension's; one that is no text is empty.
fn answer(body: &Map<String, Value>, extension: &Map<String, Value>) -> String {
    match body.get("answer").filter(|value| json::says_something(value)).or_else(|| extension.get("answer")) {
        Some(Value::String(text)) => text.clone(),
        Some(_) => {
            tracing::warn!("the answer of the n8n webhook is no text");
            String::new()
        }
        None => String::new(),
    }
}

fn named(value: Option<&Value>) -> String {
    value.filter(|value| json::says_something(value)).map_or_else(|| UNKNOWN.to_owned(), text)
}

/// A text as it is, anything else as compact JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A source with a snippet; its score counts only as a finite number.
fn source(value: &Value) -> Option<Source> {
    let snippet = value.get("snippet")?.as_str()?.to_owned();
    let title = value.get("title").filter(|title| json::says_something(title)).map(text).unwrap_or_default();
    let score = value.get("score").and_then(Value::as_f64).filter(|score| score.is_finite());
    Some(Source { title, snippet, score })
}

/// A number without its fraction; 0 for anything else, and for one below 0.
fn count(value: Option<&Value>) -> u64 {
    value.and_then(Value::as_f64).filter(|number| number.is_finite()).map_or(0, |number| number as u64)
}
