//! What one evidence line must be (`contract/evaluation.md` section 3.1).
//!
//! Lines end in LF; one CR before it belongs to the line end. Blank lines hold nothing. Every other line is one JSON
//! object with a non-empty text `row_id`, and no text after it.

use crate::json;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// Says why a line is not a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("it begins with a byte order mark (EF BB BF), which JSON lines must not have")]
    ByteOrderMark,
    #[error("byte {position} of the line is not UTF-8")]
    Encoding { position: usize },
    #[error("{message} (byte {column} of the line)")]
    Syntax { message: String, column: usize },
    #[error("it is JSON, but not an object")]
    NotAnObject,
    #[error("it has no non-empty text `row_id`")]
    NoRowId,
}

impl Fault {
    /// Says whether the beginning of a whole row could look like this.
    pub(crate) fn can_be_a_cut(&self) -> bool {
        matches!(self, Self::Encoding { .. } | Self::Syntax { .. })
    }
}

impl From<json::ParseError> for Fault {
    fn from(error: json::ParseError) -> Self {
        Self::Syntax { message: error.message, column: error.column }
    }
}

/// Removes one CR that belongs to the line end.
pub(crate) fn without_carriage_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Says whether a line holds nothing but white space.
///
/// White space is Unicode's, plus U+001C to U+001F as in the earlier system.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    // Rows begin with a brace: no need to decode them.
    line.first() != Some(&b'{')
        && std::str::from_utf8(line)
            .is_ok_and(|text| text.chars().all(|c| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)))
}

/// Checks a line that is not blank and returns its `row_id`.
///
/// Reads the grammar of the whole line but keeps only the id, so it runs at memory speed. Values that are legal
/// grammar and still unreadable (a lone surrogate, a repeated key below the top level) are left to
/// [`check_strictly`].
pub(crate) fn row_id(line: &[u8]) -> Result<String, Fault> {
    let text = decode(line)?;
    let head = serde_json::from_str::<Head>(text).map_err(|error| {
        // A line that is JSON of another kind deserves its own words.
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if !text.trim_start().starts_with('{') => Fault::NotAnObject,
            _ => json::ParseError::from(error).into(),
        }
    })?;
    head.row_id.ok_or(Fault::NoRowId)
}

/// Checks a line that is not blank down to every value and returns its `row_id`.
pub(crate) fn check_strictly(line: &[u8]) -> Result<String, Fault> {
    match json::parse_strict(decode(line)?)? {
        Value::Object(mut map) => text_id(map.remove("row_id")).ok_or(Fault::NoRowId),
        _ => Err(Fault::NotAnObject),
    }
}

fn decode(line: &[u8]) -> Result<&str, Fault> {
    if line.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::ByteOrderMark);
    }
    std::str::from_utf8(line).map_err(|error| Fault::Encoding { position: error.valid_up_to() + 1 })
}

fn text_id(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The top level of a row: unique keys, and the id.
struct Head {
    row_id: Option<String>,
}

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeadVisitor)
    }
}

/// A key as it stands in the line; copied only when it has escapes.
#[derive(serde::Deserialize)]
struct HeadKey<'a>(#[serde(borrow)] Cow<'a, str>);

struct HeadVisitor;

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = Head;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Head, A::Error> {
        // A row has twelve keys: searching a list is faster than hashing.
        let mut keys: Vec<Cow<str>> = Vec::with_capacity(12);
        let mut row_id = None;
        while let Some(HeadKey(key)) = access.next_key()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` appears twice in one object")));
            }
            if key == "row_id" {
                row_id = text_id(Some(access.next_value()?));
            } else {
                access.next_value::<IgnoredAny>()?;
            }
            keys.push(key);
        }
        Ok(Head { row_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_one_object_with_a_text_id() {
        assert_eq!(row_id(b"{\"a\":[1e999],\"row_id\":\"x\"}").unwrap(), "x");
        for (line, fault) in [
            (&b"[1]"[..], Fault::NotAnObject),
            (b"7", Fault::NotAnObject),
            (b"{}", Fault::NoRowId),
            (b"{\"row_id\":\"\"}", Fault::NoRowId),
            (b"{\"row_id\":7}", Fault::NoRowId),
            (b"{\"row_id\":\"\xff\"}", Fault::Encoding { position: 12 }),
            (b"\xef\xbb\xbf{\"row_id\":\"x\"}", Fault::ByteOrderMark),
        ] {
            assert_eq!(row_id(line), Err(fault.clone()), "{}", String::from_utf8_lossy(line));
            assert_eq!(check_strictly(line), Err(fault), "{}", String::from_utf8_lossy(line));
        }
        for line in
            ["@@@@", "{\"row_id\":\"x\"}{}", "{\"row_id\":\"x\",\"row_id\":\"x\"}", "{\"row_id\":\"x\",\"a\":NaN}"]
        {
            assert!(matches!(row_id(line.as_bytes()), Err(Fault::Syntax { .. })), "{line}");
            assert!(matches!(check_strictly(line.as_bytes()), Err(Fault::Syntax { .. })), "{line}");
        }
    }

    #[test]
    fn only_the_strict_check_sees_into_free_form_parts() {
        for line in ["{\"row_id\":\"x\",\"a\":{\"b\":1,\"b\":2}}", "{\"row_id\":\"x\",\"a\":\"\\ud83d\"}"] {
            assert!(row_id(line.as_bytes()).is_ok());
            assert!(check_strictly(line.as_bytes()).is_err());
        }
    }

    #[test]
    fn blank_means_any_white_space() {
        for line in ["", " \t\r", "\u{a0}", "\u{1c}\u{2028}"] {
            assert!(is_blank(line.as_bytes()), "{line:?}");
        }
        for line in ["{", "\u{feff}", "0"] {
            assert!(!is_blank(line.as_bytes()), "{line:?}");
        }
    }
}
