//! Free fields of a request, as an experiment file gives them: any JSON, but no key and nothing the program sets itself.
//!
//! Reads nodes; writes problems. What stands in these files ends up in the evidence, so keys are refused unseen.

use super::document::{Entry, Node, Style, Value as Tree};
use super::fields::Check;
use super::problem::quoted;
use serde_json::{Map, Number, Value};

/// Names of fields and headers that hold keys, in lower case and without `-` and `_`.
const KEY_NAMES: [&str; 12] = [
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "credentials",
    "jwt",
    "pass",
    "passwd",
    "password",
    "secret",
    "token",
    "xtoken",
];
/// What longer such names end with: `x-auth-token`, `proxy-authorization`, `client_secret`, `set-cookie`. Counts such as
/// `max_tokens` end otherwise.
const KEY_ENDINGS: [&str; 16] = [
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "subscriptionkey",
    "authkey",
    "masterkey",
    "accesstoken",
    "apitoken",
    "authtoken",
    "bearertoken",
    "authorization",
    "cookie",
    "credentials",
    "password",
    "secret",
];
/// How deep a value may be nested.
const DEEPEST: usize = 20;

/// Whether a field or header of this name holds a key, however it is spelled.
pub(super) fn holds_a_key(name: &str) -> bool {
    let name: String = name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect::<String>().to_lowercase();
    KEY_NAMES.contains(&name.as_str()) || KEY_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Reads a mapping of request fields; those in `own` are refused. Null when something was.
pub(super) fn request_fields(check: &mut Check, node: &Node, name: &str, own: &[&str]) -> Option<Map<String, Value>> {
    let mut read = Map::new();
    for entry in check.mapping(node, name)? {
        if own.contains(&entry.key.as_str()) {
            check.refuse(entry.place, format!("{name} must not set {}", quoted(&entry.key)), None);
            return None;
        }
        read.insert(entry.key.clone(), field(entry, name, DEEPEST, check)?);
    }
    Some(read)
}

/// The value of a field at any depth; one that holds a key is refused.
fn field(entry: &Entry, name: &str, levels: usize, check: &mut Check) -> Option<Value> {
    if holds_a_key(&entry.key) {
        let hint = "name the variable that holds the key with `api_key_env`".to_owned();
        check.refuse_unseen(entry.place, format!("{name} must not hold a key"), hint);
        return None;
    }
    json(&entry.node, name, levels, check)
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
                map.insert(entry.key.clone(), field(entry, name, levels - 1, check)?);
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

#[cfg(test)]
mod tests {
    use super::holds_a_key;

    #[test]
    fn keys_are_known_by_their_names_and_counts_are_not_taken_for_keys() {
        let keys = [
            "api_key",
            "API-Key",
            "apiKey",
            "x-api-key",
            "x-goog-api-key",
            "token",
            "api_token",
            "access_token",
            "X-Auth-Token",
            "cookie",
            "Set-Cookie",
            "Authorization",
            "Proxy-Authorization",
            "client_secret",
            "secret",
            "password",
            "Ocp-Apim-Subscription-Key",
            "litellm_master_key",
            "bearer",
            "credentials",
        ];
        for name in keys {
            assert!(holds_a_key(name), "{name}");
        }
        for name in [
            "key",
            "key",
            "max_tokens",
            "stop_token_ids",
            "top_k",
            "keyword",
            "extra_body",
            "x-team",
            "eos_token",
            "author",
        ] {
            assert!(!holds_a_key(name), "{name}");
        }
    }
}
