//! Writing: one text per value.

use super::float_text;
use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

/// Says that a value has no JSON text.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum WriteError {
    /// A number token that is NaN, infinite, or overflows a double.
    #[error("the number `{0}` is not finite and has no JSON text")]
    NotFinite(String),
    /// More containers inside containers than the reader of the text allows.
    #[error("its values are nested more than {0} levels deep")]
    TooDeep(usize),
}

/// Writes the canonical form of an evidence row: keys sorted at every depth, no blanks, UTF-8 unescaped.
///
/// Integers keep their digits whatever their size; floats follow [`float_text`]. No final newline.
pub fn canonical(value: &Value) -> Result<String, WriteError> {
    Writer::CANONICAL.write(value)
}

/// Writes compact JSON with keys sorted and everything outside printable ASCII escaped as `\uXXXX`.
///
/// This is the form that `row_id` hashes (`contract/evaluation.md` section 2.3). The contract's prose keeps U+007F
/// literal, its vector escapes it; the vector is what committed rows were made with.
pub fn ascii_compact_sorted(value: &Value) -> Result<String, WriteError> {
    Writer { ascii: true, ..Writer::CANONICAL }.write(value)
}

/// Writes compact JSON in insertion order, UTF-8 unescaped.
pub fn compact(value: &Value) -> Result<String, WriteError> {
    Writer { sorted: false, ..Writer::CANONICAL }.write(value)
}

/// Writes JSON with two-space indents in insertion order. No final newline.
pub fn pretty(value: &Value) -> Result<String, WriteError> {
    Writer { sorted: false, indent: Some(2), ..Writer::CANONICAL }.write(value)
}

/// Writes JSON with two-space indents and keys sorted at every depth. No final newline.
pub fn pretty_sorted(value: &Value) -> Result<String, WriteError> {
    Writer { indent: Some(2), ..Writer::CANONICAL }.write(value)
}

/// How to write. A container's `depth` is the number of containers around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Writer {
    pub sorted: bool,
    pub ascii: bool,
    pub indent: Option<usize>,
    /// Containers inside containers that may be written.
    pub levels: usize,
}

impl Writer {
    pub const CANONICAL: Self = Self { sorted: true, ascii: false, indent: None, levels: usize::MAX };

    fn write(&self, value: &Value) -> Result<String, WriteError> {
        let mut out = String::new();
        self.value(&mut out, value, 0)?;
        Ok(out)
    }

    pub fn value(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), WriteError> {
        match value {
            Value::Null => out.push_str("null"),
            Value::Bool(true) => out.push_str("true"),
            Value::Bool(false) => out.push_str("false"),
            Value::Number(number) => write_number(out, number)?,
            Value::String(text) => self.text(out, text),
            Value::Array(items) => self.array(out, items, depth)?,
            Value::Object(map) => self.object(out, map, depth)?,
        }
        Ok(())
    }

    fn array(&self, out: &mut String, items: &[Value], depth: usize) -> Result<(), WriteError> {
        self.check_depth(depth)?;
        out.push('[');
        for (index, item) in items.iter().enumerate() {
            self.separate(out, index, depth + 1);
            self.value(out, item, depth + 1)?;
        }
        self.close(out, ']', items.is_empty(), depth);
        Ok(())
    }

    pub fn object(&self, out: &mut String, map: &Map<String, Value>, depth: usize) -> Result<(), WriteError> {
        self.check_depth(depth)?;
        let mut entries: Vec<(&String, &Value)> = map.iter().collect();
        if self.sorted {
            entries.sort_unstable_by_key(|(key, _)| *key);
        }
        out.push('{');
        for (index, (key, value)) in entries.iter().enumerate() {
            self.separate(out, index, depth + 1);
            self.text(out, key);
            out.push_str(if self.indent.is_some() { ": " } else { ":" });
            self.value(out, value, depth + 1)?;
        }
        self.close(out, '}', entries.is_empty(), depth);
        Ok(())
    }

    pub fn check_depth(&self, depth: usize) -> Result<(), WriteError> {
        if depth < self.levels { Ok(()) } else { Err(WriteError::TooDeep(self.levels)) }
    }

    fn separate(&self, out: &mut String, index: usize, depth: usize) {
        if index > 0 {
            out.push(',');
        }
        self.line(out, depth);
    }

    fn close(&self, out: &mut String, bracket: char, empty: bool, depth: usize) {
        if !empty {
            self.line(out, depth);
        }
        out.push(bracket);
    }

    fn line(&self, out: &mut String, depth: usize) {
        if let Some(width) = self.indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', width * depth));
        }
    }

    /// Copies whole stretches that need no escape; answers are long and need few.
    pub fn text(&self, out: &mut String, text: &str) {
        out.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| self.is_escaped(byte)) {
            out.push_str(&rest[..at]);
            // Everything before `at` needed no escape, so `at` is the first byte of a character.
            let Some(character) = rest[at..].chars().next() else { break };
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                other => {
                    let mut units = [0; 2];
                    for unit in other.encode_utf16(&mut units) {
                        escape(out, *unit);
                    }
                }
            }
            rest = &rest[at + character.len_utf8()..];
        }
        out.push_str(rest);
        out.push('"');
    }

    fn is_escaped(&self, byte: u8) -> bool {
        byte < b' ' || byte == b'"' || byte == b'\\' || (self.ascii && byte >= 0x7F)
    }
}

fn escape(out: &mut String, unit: u16) {
    let _ = write!(out, "\\u{unit:04x}");
}

/// Writes a number: digits as they are for integers, [`float_text`] for everything else.
fn write_number(out: &mut String, number: &Number) -> Result<(), WriteError> {
    let token = number.as_str();
    if !token.contains(['.', 'e', 'E']) {
        out.push_str(if token == "-0" { "0" } else { token });
        return Ok(());
    }
    match token.parse::<f64>() {
        Ok(value) if value.is_finite() => {
            out.push_str(&float_text(value));
            Ok(())
        }
        _ => Err(WriteError::NotFinite(token.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn canonical_sorts_at_every_depth_and_keeps_utf8() {
        let value = json!({"b": [1, 2.0, {"z": null, "a": "é\u{7f}\u{1}\u{2028}"}], "a": true});
        assert_eq!(
            canonical(&value).unwrap(),
            "{\"a\":true,\"b\":[1,2.0,{\"a\":\"é\u{7f}\\u0001\u{2028}\",\"z\":null}]}"
        );
    }

    #[test]
    fn ascii_form_escapes_surrogate_pairs_in_lower_case() {
        assert_eq!(ascii_compact_sorted(&json!("🔎é\u{7f}")).unwrap(), "\"\\ud83d\\udd0e\\u00e9\\u007f\"");
    }

    #[test]
    fn big_integers_keep_their_digits_and_overflow_is_refused() {
        let value: Value = serde_json::from_str("[18446744073709551616, 1.50, 1e-05]").unwrap();
        assert_eq!(canonical(&value).unwrap(), "[18446744073709551616,1.5,1e-05]");
        let value: Value = serde_json::from_str("1e999").unwrap();
        assert!(canonical(&value).is_err());
    }

    #[test]
    fn pretty_matches_pythons_indent_of_two() {
        assert_eq!(
            pretty(&json!({"a": [], "b": {}, "c": [1]})).unwrap(),
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1\n  ]\n}"
        );
    }
}
