//! Reading a chat request: what is used, what is ignored, what is refused (`contract/gateway.md` section 1.5).

use super::errors::ApiError;
use crate::json;
use axum::http::StatusCode;
use serde_json::{Map, Value};

/// Longer questions are refused: no search or model gains from them.
const LONGEST_QUESTION_CHARS: usize = 32_000;
/// How many ignored fields the response header names at most.
const MOST_IGNORED: usize = 20;

/// A checked request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatRequest {
    /// The alias, a leading `openai/` removed.
    pub model: String,
    /// The last user message; may be empty.
    pub question: String,
    /// Whether the answer is wanted as server-sent events.
    pub stream: bool,
    /// Fields that were accepted and have no effect, sorted.
    pub ignored: Vec<String>,
}

/// Parses a body as one JSON object.
pub fn parse_object(body: &[u8]) -> Result<Map<String, Value>, ApiError> {
    let invalid = |message: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "json_invalid", message);
    let text = std::str::from_utf8(body).map_err(|_| invalid("the request body is not UTF-8".to_owned()))?;
    match json::parse_strict(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(invalid("the request body must be a JSON object".to_owned())),
        Err(error) => Err(invalid(format!("the request body is not JSON: {error}"))),
    }
}

impl ChatRequest {
    /// Reads a body.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        let map = parse_object(body)?;
        let model = match map.get("model") {
            Some(Value::String(model)) => model.strip_prefix("openai/").unwrap_or(model).to_owned(),
            Some(_) => return Err(ApiError::field("model", "string_type", "`model` must be a string")),
            None => return Err(ApiError::field("model", "missing", "`model` is missing")),
        };
        let messages = match map.get("messages") {
            Some(Value::Array(messages)) => messages,
            Some(_) => return Err(ApiError::field("messages", "list_type", "`messages` must be a list")),
            None => return Err(ApiError::field("messages", "missing", "`messages` is missing")),
        };
        if let Some(index) = messages.iter().position(|message| !message.is_object()) {
            let param = format!("messages[{index}]");
            let message = format!("`{param}` must be an object");
            return Err(ApiError::field(param, "dict_type", message));
        }
        let stream = match map.get("stream") {
            None => false,
            Some(Value::Bool(stream)) => *stream,
            Some(_) => return Err(ApiError::field("stream", "bool_type", "`stream` must be true or false")),
        };
        if !matches!(map.get("temperature"), None | Some(Value::Null | Value::Number(_))) {
            return Err(ApiError::field("temperature", "float_type", "`temperature` must be a number or null"));
        }
        let question = question(messages);
        let length = question.chars().count();
        if length > LONGEST_QUESTION_CHARS {
            let message = format!("the question has {length} characters; at most {LONGEST_QUESTION_CHARS} are allowed");
            let status = StatusCode::BAD_REQUEST;
            let param = Some("messages".to_owned());
            return Err(ApiError { param, ..ApiError::new(status, "question_too_long", message) });
        }
        Ok(Self { model, question, stream, ignored: ignored(&map) })
    }
}

/// The last message of role `user`: a string as it is, or the text parts of a list; anything else is empty.
pub fn question(messages: &[Value]) -> String {
    let last = messages.iter().rev().find(|message| message.get("role").and_then(Value::as_str) == Some("user"));
    match last.and_then(|message| message.get("content")) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts: Vec<String> = parts.iter().filter(|part| is_text(part)).map(part_text).collect();
            texts.join(" ").trim_matches(is_blank).to_owned()
        }
        _ => String::new(),
    }
}

fn is_text(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str) == Some("text")
}

fn part_text(part: &Value) -> String {
    match part.get("text") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// White space as the contract counts it (section 9, trap 2).
fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Names that fit into a header, of the fields nobody reads.
fn ignored(map: &Map<String, Value>) -> Vec<String> {
    let fits = |name: &str| {
        !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
    };
    let read = ["model", "messages", "stream"];
    let mut names: Vec<String> =
        map.keys().filter(|name| !read.contains(&name.as_str()) && fits(name)).cloned().collect();
    names.sort_unstable();
    names.truncate(MOST_IGNORED);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ask(messages: Value) -> String {
        question(messages.as_array().unwrap())
    }

    #[test]
    fn the_question_is_the_last_user_message() {
        let tv19 = json!([{"role": "user", "content": "one"}, {"role": "assistant", "content": "x"}, {"role": "user", "content": "  two \n"}]);
        assert_eq!(ask(tv19), "  two \n", "TV-19");
        assert_eq!(ask(json!([{"role": "user", "content": "one"}, {"role": "user", "content": null}])), "", "TV-20");
        let parts = json!([{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": ""},
            {"type": "text", "text": "b "}, "bare", {"type": "text", "text": null}, {"type": "text", "text": 7}]);
        assert_eq!(ask(json!([{"role": "user", "content": parts}])), "a  b   7", "TV-21");
        assert_eq!(ask(json!([{"role": "user", "content": [{"type": "input_text", "text": "a"}]}])), "", "TV-22");
        assert_eq!(ask(json!([{"role": "User", "content": "a"}])), "", "TV-22");
        assert_eq!(ask(json!([])), "", "TV-22");
    }

    #[test]
    fn what_is_not_read_is_named() {
        let body =
            br#"{"model":"openai/a","messages":[],"temperature":0.9,"cache":{"no-cache":true},"bad header\n":1}"#;
        let request = ChatRequest::parse(body).unwrap();
        assert_eq!(request.model, "a");
        assert_eq!(request.ignored, ["cache", "temperature"]);
        assert!(!request.stream);
    }
}
