//! Services that replace a part of the gateway, and how questions are routed without one.

use super::super::document::Node;
use super::super::fields::{Check, Fields};
use super::remote::{endpoint, variable};

/// The fields of a preset that name them.
pub(super) const FIELDS: [&str; 3] = ["lightrag", "n8n_webhook", "route_map"];

/// What is configured beside the models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Services {
    /// Answers `graph-rag` in place of the gateway's own graph.
    pub lightrag: Option<LightRag>,
    /// Answers `n8n-adaptive-rag` in place of the gateway's own routing; a URL.
    pub n8n_webhook: Option<String>,
    /// Which alias answers which kind of question.
    pub route_map: RouteMap,
}

/// A LightRAG server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LightRag {
    /// Base URL.
    pub endpoint: String,
    /// The environment variable with its key; null sends none.
    pub api_key_env: Option<String>,
}

/// Where `n8n-adaptive-rag` sends questions (`contract/gateway.md` section 5.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMap {
    /// The alias for simple questions.
    pub simple: String,
    /// The alias for complex ones.
    pub complex: String,
}

impl Default for RouteMap {
    fn default() -> Self {
        Self { simple: "vanilla-rag".to_owned(), complex: "agentic-rag".to_owned() }
    }
}

pub(super) fn read(fields: &Fields, check: &mut Check) -> Option<Services> {
    let lightrag = fields.optional("lightrag", None, check, |check, node, _| lightrag(node, check).map(Some));
    let n8n_webhook = fields.optional("n8n_webhook", None, check, |c, n, k| endpoint(c, n, k).map(Some));
    let route_map = fields.optional("route_map", RouteMap::default(), check, |check, node, _| route_map(node, check));
    Some(Services { lightrag: lightrag?, n8n_webhook: n8n_webhook?, route_map: route_map? })
}

fn lightrag(node: &Node, check: &mut Check) -> Option<LightRag> {
    let fields = Fields::open(node, "lightrag", &["endpoint", "api_key_env"], check)?;
    let endpoint = fields.required("endpoint", check, endpoint);
    let api_key_env = fields.optional("api_key_env", None, check, variable);
    Some(LightRag { endpoint: endpoint?, api_key_env: api_key_env? })
}

fn route_map(node: &Node, check: &mut Check) -> Option<RouteMap> {
    let fields = Fields::open(node, "route_map", &["simple", "complex"], check)?;
    let simple = fields.required("simple", check, alias);
    let complex = fields.required("complex", check, alias);
    Some(RouteMap { simple: simple?, complex: complex? })
}

/// An alias that answers by itself; the routing approach would ask itself for ever.
fn alias(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    let alias = check.text(node, name)?;
    if alias.starts_with("n8n-adaptive-rag") {
        check.refuse(node.place, format!("{name} must not be the approach that routes"), None);
        return None;
    }
    Some(alias)
}
