//! `compare/approaches.yaml`: how an approach is asked, when asking the run's gateway by its alias is not enough.
//!
//! Reads the file's tree; writes nothing; reads no key, only the names of the variables that hold keys. The file is
//! optional, and an approach that it does not name is asked as the contract says.

mod contexts;
mod history;
mod prompt;

pub use contexts::DEFAULT_CONTEXTS;
pub use history::{Message, Speaker};
pub use prompt::Prompt;

use super::document::{Document, Node};
use super::fields::{Check, Fields};
use super::problem::{Problem, Problems, quoted};
use super::request_fields::{holds_a_key, request_fields};
use super::roles::remote::{endpoint, variable};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Fields of a request that the program sets itself.
const OWN_FIELDS: [&str; 3] = ["model", "messages", "stream"];
/// What can be said of one approach, or of all of them under `defaults`.
const KEYS: [&str; 10] =
    ["base_url", "api_key_env", "model", "headers", "body", "prompt", "messages", "contexts", "fresh", "extra"];

/// How one approach is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    /// Where it is, up to and without `/chat/completions`; null asks the run's gateway.
    pub base_url: Option<String>,
    /// The environment variable with its bearer key; null sends none to a `base_url`, and the run's key to the gateway.
    pub api_key_env: Option<String>,
    /// The model asked for; null asks for the alias.
    pub model: Option<String>,
    /// Headers of every request, by name.
    pub headers: BTreeMap<String, HeaderValue>,
    /// Further fields of the body; a null removes `cache`.
    pub body: Map<String, Value>,
    /// The last user message; null sends the question as typed.
    pub prompt: Option<Prompt>,
    /// Messages before the question.
    pub messages: Vec<Message>,
    /// JSON pointers into the answer, in order; the first that leads to a list is taken.
    pub contexts: Vec<String>,
    /// Whether a caching proxy is asked for a fresh answer; null asks the run's gateway and nobody else, because a
    /// service that knows no `cache` field may refuse the whole request.
    pub fresh: Option<bool>,
}

/// The value of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderValue {
    /// As it stands in the file.
    Text(String),
    /// In the environment variable of this name.
    Variable(String),
}

impl Default for Connection {
    fn default() -> Self {
        Self {
            base_url: None,
            api_key_env: None,
            model: None,
            headers: BTreeMap::new(),
            body: Map::new(),
            prompt: None,
            messages: Vec::new(),
            contexts: DEFAULT_CONTEXTS.map(str::to_owned).to_vec(),
            fresh: None,
        }
    }
}

/// The connections of a file, with the line that names each alias.
#[derive(Debug, Clone, Default)]
pub(super) struct Loaded {
    /// By alias.
    pub connections: BTreeMap<String, Arc<Connection>>,
    /// For each alias, what to say when nobody knows it.
    pub unknown: Vec<(String, Problem)>,
}

/// Checks the file whole. An empty file says nothing of any approach.
pub(super) fn load(document: &Document, problems: &mut Problems) -> Option<Loaded> {
    let mut loaded = Loaded::default();
    let Some(root) = &document.root else { return Some(loaded) };
    let check = &mut Check::new(document, problems);
    let fields = Fields::open(root, "approaches file", &["version", "defaults", "approaches", "extra"], check)?;
    fields.required("version", check, |c, n, k| c.integer(n, k, 1..=1));
    let defaults = match fields.entry("defaults") {
        Some(entry) => {
            let fields = Fields::open(&entry.node, "`defaults`", &KEYS, check)?;
            connection(&fields, &Connection::default(), check)?
        }
        None => Connection::default(),
    };
    let nodes = fields.optional("approaches", &[][..], check, Check::list)?;
    let mut lines: HashMap<String, usize> = HashMap::new();
    for node in nodes {
        let known: Vec<&str> = ["alias"].into_iter().chain(KEYS).collect();
        let Some(fields) = Fields::open(node, "approach", &known, check) else { continue };
        let alias = fields.required("alias", check, Check::identifier);
        let connection = connection(&fields, &defaults, check);
        let (Some(alias), Some(entry)) = (alias, fields.entry("alias")) else { continue };
        let place = entry.node.place;
        if let Some(first) = lines.get(&alias) {
            check.refuse(place, format!("the alias {} is already on line {first}", quoted(&alias)), None);
            continue;
        }
        lines.insert(alias.clone(), place.line);
        let message = format!("no approach and no flavor has the alias {}", quoted(&alias));
        loaded.unknown.push((alias.clone(), document.source.problem(place, message)));
        loaded.connections.extend(connection.map(|connection| (alias, Arc::new(connection))));
    }
    Some(loaded)
}

/// What the fields say; what they do not say is as in `defaults`.
fn connection(fields: &Fields, defaults: &Connection, check: &mut Check) -> Option<Connection> {
    let default = defaults.clone();
    let base_url = fields.optional("base_url", default.base_url, check, |c, n, k| base_url(c, n, k).map(Some));
    let api_key_env = fields.optional("api_key_env", default.api_key_env, check, variable);
    let model = fields.optional("model", default.model, check, |c, n, k| c.identifier(n, k).map(Some));
    let headers = fields.optional("headers", default.headers, check, headers);
    let body = fields.optional("body", default.body, check, |c, n, k| request_fields(c, n, k, &OWN_FIELDS));
    let prompt = fields.optional("prompt", default.prompt, check, |c, n, k| prompt::read(c, n, k).map(Some));
    let messages = fields.optional("messages", default.messages, check, history::read);
    let contexts = fields.optional("contexts", default.contexts, check, contexts::read);
    let fresh = fields.optional("fresh", default.fresh, check, |c, n, k| c.switch(n, k).map(Some));
    Some(Connection {
        base_url: base_url?,
        api_key_env: api_key_env?,
        model: model?,
        headers: headers?,
        body: body?,
        prompt: prompt?,
        messages: messages?,
        contexts: contexts?,
        fresh: fresh?,
    })
}

/// A base URL, without a final slash and without the path of chat completions.
fn base_url(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    let url = endpoint(check, node, name)?;
    if url.contains(['?', '#']) {
        let hint = "fields of the query go under `body`, keys into `api_key_env` or `headers`".to_owned();
        check.refuse_unseen(node.place, format!("{name} must not hold a query or a fragment"), hint);
        return None;
    }
    let url = url.trim_end_matches('/');
    Some(url.strip_suffix("/chat/completions").unwrap_or(url).to_owned())
}

fn headers(check: &mut Check, node: &Node, name: &str) -> Option<BTreeMap<String, HeaderValue>> {
    let mut headers = BTreeMap::new();
    for entry in check.mapping(node, name)? {
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if entry.key.is_empty() || !entry.key.chars().all(token) {
            check.refuse(entry.place, format!("{} is not the name of a header", quoted(&entry.key)), None);
            return None;
        }
        let value = if matches!(entry.node.value, super::document::Value::Mapping(_)) {
            let fields = Fields::open(&entry.node, "header", &["env"], check)?;
            HeaderValue::Variable(fields.required("env", check, variable)??)
        } else if holds_a_key(&entry.key) {
            let hint = format!("name the variable that holds it: `{}: {{env: NAME}}`", entry.key);
            check.refuse_unseen(entry.place, format!("{name} must not hold a key"), hint);
            return None;
        } else {
            let text = check.identifier(&entry.node, &format!("the header {}", quoted(&entry.key)))?;
            if text.chars().any(char::is_control) {
                let message = format!("the header {} must be one line of text", quoted(&entry.key));
                check.refuse(entry.node.place, message, None);
                return None;
            }
            HeaderValue::Text(text)
        };
        headers.insert(entry.key.clone(), value);
    }
    Some(headers)
}
