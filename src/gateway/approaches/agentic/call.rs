//! A model's call of a tool, read from its message.
//!
//! Arguments of any shape are read as far as they go (`contract/gateway.md` section 2.5); a call that is no object is not.

use crate::json;
use serde_json::{Map, Value, json};

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Given by the model, or by us where it gave none.
    pub id: String,
    /// May be empty, and may name no tool.
    pub name: String,
    /// Its argument `query`, of whatever kind; null when there is none.
    pub query: Option<Value>,
}

impl ToolCall {
    /// The query as it is searched for; anything but a text counts as empty.
    pub fn text(&self) -> &str {
        self.query.as_ref().and_then(Value::as_str).unwrap_or_default()
    }

    /// The query as the trace shows it: a text as it is, anything else as JSON, nothing when there is none.
    pub fn shown(&self) -> String {
        match &self.query {
            None => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        }
    }
}

/// Reads the calls of a message of turn `step`, from 0, and gives those without an id one, in the message too.
///
/// No list, or an empty one, is no call.
pub fn tool_calls(message: &mut Map<String, Value>, step: usize) -> Result<Vec<ToolCall>, String> {
    let Some(Value::Array(calls)) = message.get_mut("tool_calls") else { return Ok(Vec::new()) };
    calls.iter_mut().enumerate().map(|(position, call)| read(call, step, position)).collect()
}

fn read(call: &mut Value, step: usize, position: usize) -> Result<ToolCall, String> {
    let Value::Object(fields) = call else { return Err("its call of a tool is no object".to_owned()) };
    let id = match fields.get("id") {
        Some(Value::String(id)) if !id.is_empty() => id.clone(),
        _ => {
            let id = format!("call_{step}_{position}");
            fields.insert("id".to_owned(), json!(id));
            id
        }
    };
    let function = fields.get("function");
    let name = function.and_then(|function| function.get("name")).and_then(Value::as_str).unwrap_or_default();
    let query = match function.and_then(|function| function.get("arguments")) {
        Some(Value::String(text)) => json::parse_strict(text).ok().and_then(|parsed| parsed.get("query").cloned()),
        Some(given) => given.get("query").cloned(),
        None => None,
    };
    Ok(ToolCall { id, name: name.to_owned(), query })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(arguments: Value) -> Option<Value> {
        let mut message = Map::new();
        message
            .insert("tool_calls".to_owned(), json!([{"id": "1", "function": {"name": "x", "arguments": arguments}}]));
        tool_calls(&mut message, 0).unwrap().remove(0).query
    }

    #[test]
    fn arguments_are_read_as_far_as_they_go() {
        assert_eq!(queries(json!("{\"query\":\"sky\"}")), Some(json!("sky")));
        assert_eq!(queries(json!({"query": "sky"})), Some(json!("sky")));
        for nothing in [json!("{bad"), json!("[1]"), json!("null"), json!(null), json!("{}"), json!(7)] {
            assert_eq!(queries(nothing.clone()), None, "{nothing}");
        }
    }

    #[test]
    fn missing_ids_are_given_and_nothing_else_is_touched() {
        let mut message = Map::new();
        message
            .insert("tool_calls".to_owned(), json!([{"id": null, "extra": 1}, {"id": ""}, {"id": "own"}, {"id": 7}]));
        let ids: Vec<String> = tool_calls(&mut message, 3).unwrap().into_iter().map(|call| call.id).collect();
        assert_eq!(ids, ["call_3_0", "call_3_1", "own", "call_3_3"]);
        assert_eq!(message["tool_calls"][0], json!({"id": "call_3_0", "extra": 1}));
        for none in [json!(null), json!([]), json!("x"), json!({})] {
            message.insert("tool_calls".to_owned(), none);
            assert!(tool_calls(&mut message, 0).unwrap().is_empty());
        }
        message.insert("tool_calls".to_owned(), json!(["x"]));
        assert!(tool_calls(&mut message, 0).is_err());
    }
}
