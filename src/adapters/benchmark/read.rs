//! Files of a benchmark as JSON, with the place of what is wrong.

use super::BenchmarkError;
use crate::json;
use serde_json::{Map, Value};
use std::path::Path;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A whole file as text, without a byte order mark.
pub fn text(path: &Path) -> Result<String, BenchmarkError> {
    let mut text = std::fs::read_to_string(path).map_err(|source| BenchmarkError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

/// A file that holds one JSON value.
pub fn value(path: &Path) -> Result<Value, BenchmarkError> {
    json::parse_strict(&text(path)?).map_err(|error| shape(path, Some(error.line), &error.message))
}

/// An object and the one-based line it stands in.
pub type NumberedObject = (usize, Map<String, Value>);

/// The objects of a JSON Lines file, each with its one-based line.
pub fn lines(path: &Path) -> Result<Vec<NumberedObject>, BenchmarkError> {
    let text = text(path)?;
    let mut objects = Vec::new();
    for (index, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match json::parse_strict(line) {
            Ok(Value::Object(object)) => objects.push((index + 1, object)),
            Ok(_) => return Err(shape(path, Some(index + 1), "not a JSON object")),
            Err(error) => return Err(shape(path, Some(index + 1), &error.message)),
        }
    }
    Ok(objects)
}

/// An id as text: a JSON string, or the digits of a number.
pub fn id(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match object.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// A text that may be absent or null; the empty text then. Anything else is an error that names the field.
pub fn words<'a>(object: &'a Map<String, Value>, name: &str) -> Result<&'a str, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("its `{name}` is no text")),
    }
}

/// An error about a file.
pub fn shape(path: &Path, line: Option<usize>, reason: &str) -> BenchmarkError {
    BenchmarkError::Shape { path: path.to_owned(), line, reason: reason.to_owned() }
}
