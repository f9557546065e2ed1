//! Free fields of a request, as an experiment file gives them: any JSON, but no key and nothing the program sets itself.
//!
//! Reads nodes; writes problems. What stands in these files ends up in the evidence, so keys are refused unseen.

use super::document::{Node, Style, Value as Tree};
use super::fields::Check;
use super::problem::quoted;
use serde_json::{Map, Number, Value};

/// Fields that hold keys.
const KEY_FIELDS: [&str; 8] =
    ["api_key", "apikey", "api-key", "x-api-key", "authorization", "access_token", "password", "secret"];
/// How deep a value may be nested.
const DEEPEST: usize = 20;

/// Whether a field or header of this name holds a key.
pub(super) fn holds_a_key(name: &str) -> bool {
    KEY_FIELDS.contains(&name.to_ascii_lowercase().as_str())
}

/// Reads a mapping of request fields; those in `own` are refused. Null when something was.
pub(super) fn request_fields(check: &mut Check, node: &Node, name: &str, own: &[&str]) -> Option<Map<String, Value>> {
    let mut read = Map::new();
    for entry in check.mapping(node, name)? {
        if own.contains(&entry.key.as_str()) {
            check.refuse(entry.place, format!("{name} must not set {}", quoted(&entry.key)), None);
            return None;
        }
        if holds_a_key(&entry.key) {
            let hint = "name the variable that holds the key with `api_key_env`".to_owned();
            check.refuse_unseen(entry.place, format!("{name} must not hold a key"), hint);
            return None;
        }
        read.insert(entry.key.clone(), json(&entry.node, name, DEEPEST, check)?);
    }
    Some(read)
}

/// The JSON value of a tree by the rules of YAML 1.2: `true`, `false`, null and numbers as they look, all else text.
fn json(node: &Node, name: &str, levels: usize, check: &mut Check) -> Option<Value> {
    if levels == 0 {
        check.refuse(node.place, format!("{name} is nested too deep"), None);
        return None;
    }
    match &node.value {
        Tree::Scalar(text, Style::Quoted) => Some(Value::String(text.clone())),
        Tree::Scalar(text, _) => Some(scalar(node, text)),
        Tree::List(items) => {
            items.iter().map(|item| json(item, name, levels - 1, check)).collect::<Option<_>>().map(Value::Array)
        }
        Tree::Mapping(entries) => {
            let mut map = Map::new();
            for entry in entries {
                map.insert(entry.key.clone(), json(&entry.node, name, levels - 1, check)?);
            }
            Some(Value::Object(map))
        }
    }
}

fn scalar(node: &Node, text: &str) -> Value {
    if node.is_null() {
        return Value::Null;
    }
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        // JSON's numbers are those of YAML that everybody writes.
        _ => serde_json::from_str::<Number>(text).map_or_else(|_| Value::String(text.to_owned()), Value::Number),
    }
}
