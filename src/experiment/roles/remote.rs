//! A model behind an endpoint, as `compare/roles.yaml` declares it.

use super::super::document::Node;
use super::super::fields::{Check, Fields, NumberRange};
use super::super::request_fields::request_fields;
use serde_json::{Map, Value};

/// The deadline of a chat or embedding model, in seconds (`contract/gateway.md` section 5.3).
const TIMEOUT_S: f64 = 120.0;
/// The deadline of a reranker, in seconds.
const RERANK_TIMEOUT_S: f64 = 60.0;
/// How many texts an embedding model or reranker is given at a time.
const MAX_BATCH: u64 = 32;
/// Names of models inside this binary begin so; a foreign model must not look like one.
const OWN_PREFIXES: [&str; 2] = ["builtin/", "local/"];
/// Fields of a request that no default may replace.
const OWN_FIELDS: [&str; 8] = ["model", "messages", "input", "query", "texts", "documents", "stream", "tools"];

/// How a reranker is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerankApi {
    /// Text Embeddings Inference: `{query, texts}`.
    Tei,
    /// What OpenAI-compatible servers offer at `/rerank`: `{model, query, documents}`.
    OpenAi,
}

/// A model behind an endpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteModel {
    /// Base URL, http or https, without user-info.
    pub endpoint: String,
    /// The model's name there.
    pub model: String,
    /// The environment variable with its key; null sends none.
    pub api_key_env: Option<String>,
    /// Total deadline of one call, in seconds.
    pub timeout_s: f64,
    /// Calls in flight.
    pub max_concurrency: usize,
    /// Texts in one call.
    pub max_batch: usize,
    /// Further attempts after the first; 0 for a reranker.
    pub retries: u32,
    /// Fields for every request; a null removes the field that is sent otherwise.
    pub request_defaults: Map<String, Value>,
    /// Of a reranker; null for every other role.
    pub rerank_api: Option<RerankApi>,
}

pub(super) fn model(is_reranker: bool, node: &Node, check: &mut Check) -> Option<RemoteModel> {
    let common = ["endpoint", "model", "api_key_env", "timeout_s", "max_concurrency", "max_batch", "request_defaults"];
    // A reranker is never asked twice (`contract/gateway.md` section 2.2).
    let own = if is_reranker { "kind" } else { "retries" };
    let fields = Fields::open(node, "model", &[&common[..], &[own]].concat(), check)?;
    let endpoint = fields.required("endpoint", check, endpoint);
    let kind = fields.optional("kind", RerankApi::Tei, check, |check, node, name| {
        check.choice(node, name, &[("tei", RerankApi::Tei), ("openai", RerankApi::OpenAi)])
    });
    let rerank_api = is_reranker.then_some(kind).flatten();
    let model = match rerank_api {
        // TEI serves one model and is not told which; the name is for provenance.
        Some(RerankApi::Tei) => fields.optional("model", "tei".to_owned(), check, model_name),
        _ => fields.required("model", check, model_name),
    };
    let default_s = if is_reranker { RERANK_TIMEOUT_S } else { TIMEOUT_S };
    let deadline = NumberRange { min: 0.0, above: true, max: 3600.0 };
    let api_key_env = fields.optional("api_key_env", None, check, variable);
    let timeout_s = fields.optional("timeout_s", default_s, check, |c, n, k| c.number(n, k, deadline));
    let max_concurrency = fields.optional("max_concurrency", 4, check, |c, n, k| c.integer(n, k, 1..=256));
    let max_batch = fields.optional("max_batch", MAX_BATCH, check, |c, n, k| c.integer(n, k, 1..=2048));
    let retries = fields.optional("retries", if is_reranker { 0 } else { 2 }, check, |c, n, k| c.integer(n, k, 0..=10));
    let request_defaults = fields.optional("request_defaults", Map::new(), check, request_defaults);
    Some(RemoteModel {
        endpoint: endpoint?,
        model: model?,
        api_key_env: api_key_env?,
        timeout_s: timeout_s?,
        max_concurrency: usize::try_from(max_concurrency?).ok()?,
        max_batch: usize::try_from(max_batch?).ok()?,
        retries: u32::try_from(retries?).ok()?,
        request_defaults: request_defaults?,
        rerank_api,
    })
}

/// An absolute http or https URL. One with user-info is refused without being shown: keys belong into the environment.
pub(in crate::experiment) fn endpoint(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    let url = check.text(node, name)?;
    let Some((_, rest)) = url.split_once("://").filter(|(scheme, _)| ["http", "https"].contains(scheme)) else {
        check.refuse(node.place, format!("{name} must be an http or https URL"), None);
        return None;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        let hint = "name the variable that holds the key with `api_key_env`".to_owned();
        check.refuse_unseen(node.place, format!("{name} must not hold a user name or password"), hint);
        return None;
    }
    if host.is_empty() || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        check.refuse(node.place, format!("{name} must be an http or https URL"), None);
        return None;
    }
    Some(url)
}

/// The name of an environment variable.
pub(in crate::experiment) fn variable(check: &mut Check, node: &Node, name: &str) -> Option<Option<String>> {
    let Some(variable) = check.text_or_null(node, name)? else { return Some(None) };
    let begins = variable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins && variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Some(Some(variable));
    }
    // What stands here may be the key itself.
    check.refuse_unseen(node.place, format!("{name} must be the name of an environment variable"), None);
    None
}

fn model_name(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    let model = check.text(node, name)?;
    if let Some(prefix) = OWN_PREFIXES.iter().find(|prefix| model.starts_with(*prefix)) {
        let message = format!("{name} must not begin with `{prefix}`: models of this program are called so");
        check.refuse(node.place, message, None);
        return None;
    }
    Some(model)
}

fn request_defaults(check: &mut Check, node: &Node, name: &str) -> Option<Map<String, Value>> {
    request_fields(check, node, name, &OWN_FIELDS)
}
