//! Field by field: what a row was made from, against what would be asked now.

use super::{ExpectedCell, canonical};
use crate::evidence::row::{Reproducibility, Status};
use crate::json;
use serde::Deserialize;
use serde_json::{Map, Number, Value};
use std::sync::Arc;

/// Characters of a value that a message shows.
const SHOWN_CHARACTERS: usize = 60;
/// Characters of a digest that a message shows.
const SHOWN_DIGITS: usize = 6;

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path in the row, for instance `reproducibility.config_hashes.flavors`.
    pub field: String,
    /// The stored value, shortened; `(absent)` when there is none.
    pub was: String,
    /// The value of this run, shortened; `(absent)` when there is none.
    pub now: String,
}

/// The compared parts of a stored row. Missing parts are null, which differs from everything a run asks for.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StoredInputs {
    #[serde(default)]
    pub status: Value,
    #[serde(default)]
    pub question: Value,
    #[serde(default)]
    pub approach: Value,
    #[serde(default)]
    pub reproducibility: Value,
}

/// The last maps that were found equal; rows of one run mostly repeat them, byte for byte.
#[derive(Debug, Default)]
pub(super) struct Memory {
    equal: Option<(String, Arc<Reproducibility>)>,
}

impl StoredInputs {
    fn status(&self) -> Result<Status, String> {
        match self.status.as_str() {
            Some("ok") => Ok(Status::Ok),
            Some("error") => Ok(Status::Error),
            Some("timeout") => Ok(Status::Timeout),
            _ => Err(format!("its status is {}, not one of `ok`, `error`, `timeout`", shown(Some(&self.status)))),
        }
    }

    fn differences(&self, cell: &ExpectedCell) -> Vec<Difference> {
        let mut list = Vec::new();
        text(&mut list, "question.query", self.question.get("query"), &cell.query);
        text(&mut list, "approach.base_model", self.approach.get("base_model"), &cell.base_model);
        text(&mut list, "approach.flavor", self.approach.get("flavor"), &cell.flavor);
        list
    }

    fn reproducibility_differences(&self, now: &Reproducibility) -> Vec<Difference> {
        let mut list = Vec::new();
        let was = &self.reproducibility;
        text(&mut list, "reproducibility.seed", was.get("seed"), &now.seed);
        for (name, now) in
            [("config_hashes", &now.config_hashes), ("ingestion", &now.ingestion), ("runtime", &now.runtime)]
        {
            map(&mut list, &format!("reproducibility.{name}"), was.get(name), now);
        }
        list
    }
}

/// Compares a stored line with its planned cell: how the cell ended, and every field that differs.
///
/// Fails when the line cannot be read.
pub(super) fn compare(
    line: &str,
    cell: &ExpectedCell,
    memory: &mut Memory,
) -> Result<(Status, Vec<Difference>), String> {
    let now = &cell.reproducibility;
    if let Some((known, of)) = &memory.equal
        && Arc::ptr_eq(of, now)
        && let Some(status) = canonical::status_if_equal(line, known, cell)
    {
        return Ok((status, Vec::new()));
    }
    let stored: StoredInputs = serde_json::from_str(line).map_err(|error| json::ParseError::from(error).to_string())?;
    let mut differences = stored.differences(cell);
    let further = stored.reproducibility_differences(now);
    if further.is_empty()
        && let Ok(text) = json::canonical(&stored.reproducibility)
    {
        memory.equal = Some((text, Arc::clone(now)));
    }
    differences.extend(further);
    Ok((stored.status()?, differences))
}

fn text(list: &mut Vec<Difference>, field: &str, was: Option<&Value>, now: &str) {
    if was.and_then(Value::as_str) != Some(now) {
        note(list, field, was, Some(&Value::from(now)));
    }
}

/// Compares a map; one that is missing is empty.
fn map(list: &mut Vec<Difference>, field: &str, was: Option<&Value>, now: &Map<String, Value>) {
    match was {
        None | Some(Value::Null) => entries(list, field, &Map::new(), now),
        Some(Value::Object(was)) => entries(list, field, was, now),
        Some(was) => note(list, field, Some(was), Some(&Value::Object(now.clone()))),
    }
}

fn entries(list: &mut Vec<Difference>, field: &str, was: &Map<String, Value>, now: &Map<String, Value>) {
    for (key, was) in was {
        value(list, &format!("{field}.{key}"), Some(was), now.get(key));
    }
    for (key, now) in now.iter().filter(|(key, _)| !was.contains_key(*key)) {
        value(list, &format!("{field}.{key}"), None, Some(now));
    }
}

fn value(list: &mut Vec<Difference>, field: &str, was: Option<&Value>, now: Option<&Value>) {
    match (was, now) {
        (Some(Value::Object(was)), Some(Value::Object(now))) => entries(list, field, was, now),
        (Some(was), Some(now)) if same(was, now) => {}
        _ => note(list, field, was, now),
    }
}

/// Deep equality in which numbers are equal when their values are: 1 and 1.0.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => number_text(left) == number_text(right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| same(left, right)))
        }
        _ => left == right,
    }
}

/// Writes a number so that equal values have equal texts: whole values as plain digits, however they were typed.
fn number_text(number: &Number) -> String {
    let token = number.to_string();
    let plain = if token.contains(['.', 'e', 'E']) {
        match token.parse::<f64>() {
            Ok(value) if value.is_finite() && value.fract() == 0.0 => format!("{value:.0}"),
            Ok(value) if value.is_finite() => json::float_text(value),
            _ => token,
        }
    } else {
        token
    };
    if plain == "-0" { "0".to_owned() } else { plain }
}

fn note(list: &mut Vec<Difference>, field: &str, was: Option<&Value>, now: Option<&Value>) {
    list.push(Difference { field: field.to_owned(), was: shown(was), now: shown(now) });
}

/// Shortens a value for a message. Digests lose their tail, texts are quoted.
fn shown(value: Option<&Value>) -> String {
    match value {
        None => "(absent)".to_owned(),
        Some(Value::String(text)) if is_digest(text) => shortened(text),
        Some(value) => {
            let text = json::canonical(value).unwrap_or_else(|error| error.to_string());
            match text.char_indices().nth(SHOWN_CHARACTERS) {
                Some((end, _)) => format!("{}...", &text[..end]),
                None => text,
            }
        }
    }
}

/// Cuts a digest to its first digits; other texts stay whole.
pub(super) fn shortened(text: &str) -> String {
    if is_digest(text) { format!("{}...", &text[..SHOWN_DIGITS]) } else { text.to_owned() }
}

fn is_digest(text: &str) -> bool {
    text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_equal_when_their_values_are() {
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        for (left, right) in
            [("1", "1.0"), ("0", "-0.0"), ("1e2", "100"), ("0.10", "0.1"), ("[1,{\"a\":2}]", "[1.0,{\"a\":2.0}]")]
        {
            assert!(same(&parse(left), &parse(right)), "{left} {right}");
        }
        for (left, right) in
            [("1", "2"), ("1", "true"), ("1", "\"1\""), ("9007199254740993", "9007199254740992.0"), ("[1]", "[1,1]")]
        {
            assert!(!same(&parse(left), &parse(right)), "{left} {right}");
        }
    }

    #[test]
    fn two_digests_with_the_same_beginning_stay_apart_in_a_message() {
        assert_eq!(shown(Some(&json!("abcdef".repeat(8)))), "abcdef...");
        assert_eq!(shown(Some(&json!("short"))), "\"short\"");
        assert_eq!(shown(None), "(absent)");
    }
}
