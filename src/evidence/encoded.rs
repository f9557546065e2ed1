//! A row as the bytes that will be stored.

use super::error::{Error, Result};
use super::line;
use super::row::Row;
use crate::json;
use serde_json::Value;

/// Containers inside containers that a stored row may have; strict readers refuse more.
const MAX_NESTING: usize = 126;

/// One canonical line with its id, ready to append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedRow {
    row_id: String,
    line: String,
}

impl EncodedRow {
    /// Encodes a row.
    ///
    /// Fails on an empty id, on a number that is not finite, and on values nested so deeply that nobody could read the
    /// row back.
    pub fn new(row: &Row) -> Result<Self> {
        let refuse = |reason: String| Error::Unacceptable { row_id: row.row_id.clone(), reason };
        if row.row_id.is_empty() {
            return Err(refuse("it has no id".to_owned()));
        }
        let value = serde_json::to_value(row).map_err(|error| refuse(error.to_string()))?;
        if nests_deeper_than(&value, MAX_NESTING) {
            return Err(refuse(format!("its values are nested more than {MAX_NESTING} levels deep")));
        }
        let line = json::canonical(&value).map_err(|error| refuse(error.to_string()))?;
        Ok(Self { row_id: row.row_id.clone(), line })
    }

    /// Takes a line that exists already, for instance from another evidence file. Its bytes are kept.
    ///
    /// Fails unless it is one strict JSON object with a text `row_id`, on one line.
    pub fn from_line(text: String) -> Result<Self> {
        let refuse = |reason: String| Error::Unacceptable { row_id: String::new(), reason };
        if text.contains(['\n', '\r']) {
            return Err(refuse("it holds a line break".to_owned()));
        }
        let row_id = line::check_strictly(text.as_bytes()).map_err(|fault| refuse(fault.to_string()))?;
        Ok(Self { row_id, line: text })
    }

    /// The id.
    pub fn row_id(&self) -> &str {
        &self.row_id
    }

    /// The line without its line end.
    pub fn line(&self) -> &str {
        &self.line
    }
}

fn nests_deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| nests_deeper_than(item, levels - 1)),
        Value::Object(map) => levels == 0 || map.values().any(|item| nests_deeper_than(item, levels - 1)),
        _ => false,
    }
}
