//! A row as the bytes that will be stored.

use super::error::{Error, Result};
use super::line;
use super::row::Row;

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
        let line = row.canonical(MAX_NESTING).map_err(|error| refuse(error.to_string()))?;
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
