//! JSON Lines to the same tree that YAML gives: a list with one node a line.
//!
//! Reads a string; writes nothing. Lines end at LF and nowhere else (a CR before it is white space to JSON); blank
//! lines are skipped. Never repairs a line: a repeated key, a bare `NaN` or text after the value is refused.

use super::document::{Entry, Node, Source, Style, Value};
use super::problem::{Place, Problems};
use crate::json;
use serde_json::Value as Json;

/// Parses every line; wrong lines are recorded and left out. Null for a text without a line.
pub fn parse(text: &str, source: &Source, problems: &mut Problems) -> Option<Node> {
    let mut items = Vec::new();
    let mut seen = false;
    for (index, line) in text.split('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        seen = true;
        let place = Place { line: index + 1, column: 1, width: 0 };
        match json::parse_strict(line) {
            Ok(value) => items.push(node(value, place)),
            Err(error) => {
                let column = line.get(..error.column.saturating_sub(1)).map_or(1, |before| before.chars().count() + 1);
                let message = format!("not valid JSON: {}", error.message);
                problems.add(source.problem(Place { column, ..place }, message));
            }
        }
    }
    let whole = Node { place: Place { line: 1, column: 1, width: 0 }, value: Value::List(items) };
    seen.then_some(whole)
}

fn node(value: Json, place: Place) -> Node {
    let value = match value {
        Json::String(text) => Value::Scalar(text, Style::Quoted),
        Json::Null => Value::Scalar("null".to_owned(), Style::Literal),
        Json::Bool(switch) => Value::Scalar(switch.to_string(), Style::Literal),
        Json::Number(number) => Value::Scalar(number.to_string(), Style::Literal),
        Json::Array(items) => Value::List(items.into_iter().map(|item| node(item, place)).collect()),
        Json::Object(map) => {
            let entries = map.into_iter().map(|(key, value)| Entry { key, place, node: node(value, place) });
            Value::Mapping(entries.collect())
        }
    };
    Node { place, value }
}
