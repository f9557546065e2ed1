//! How the graph is asked: one profile per alias of `graph-rag` (`contract/gateway.md` section 5.4).

use super::super::document::Node;
use super::super::fields::{Check, Fields};
use super::super::problem::quoted;
use std::collections::BTreeMap;

/// The ways to ask a graph: by entities, by relations, by both, by both and chunks, by chunks alone.
pub const GRAPH_MODES: [&str; 5] = ["local", "global", "hybrid", "mix", "naive"];
/// The base approach that has profiles.
const BASE: &str = "graph-rag";

/// One profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphProfile {
    /// One of [`GRAPH_MODES`].
    pub mode: String,
    /// Entities or relations taken; at least 1.
    pub top_k: u64,
    /// Chunks taken; at least 1.
    pub chunk_top_k: u64,
    /// Tokens of all contexts together; at least 1.
    pub max_total_tokens: u64,
    /// Whether chunks are reranked.
    pub enable_rerank: bool,
}

/// The profiles of a file that declares none.
pub(super) fn shipped() -> BTreeMap<String, GraphProfile> {
    let profile = |mode: &str, top_k, chunk_top_k, max_total_tokens, enable_rerank| {
        let mode = mode.to_owned();
        GraphProfile { mode, top_k, chunk_top_k, max_total_tokens, enable_rerank }
    };
    BTreeMap::from([
        (BASE.to_owned(), profile("hybrid", 10, 5, 12_000, false)),
        (format!("{BASE}-fast"), profile("local", 5, 3, 8_000, false)),
        (format!("{BASE}-wide"), profile("hybrid", 30, 12, 24_000, false)),
        (format!("{BASE}-rerank"), profile("hybrid", 10, 5, 12_000, true)),
    ])
}

pub(super) fn profiles(check: &mut Check, node: &Node, name: &str) -> Option<BTreeMap<String, GraphProfile>> {
    let mut profiles = BTreeMap::new();
    for entry in check.mapping(node, name)? {
        if !entry.key.starts_with(BASE) {
            let message = format!("a graph profile is called like its alias, `{BASE}...`, not {}", quoted(&entry.key));
            check.refuse(entry.place, message, None);
        }
        profiles.extend(profile(&entry.node, check).map(|profile| (entry.key.clone(), profile)));
    }
    if !profiles.contains_key(BASE) {
        check.refuse(node.place, format!("{name} needs the profile `{BASE}`"), None);
        return None;
    }
    Some(profiles)
}

fn profile(node: &Node, check: &mut Check) -> Option<GraphProfile> {
    let known = ["mode", "top_k", "chunk_top_k", "max_total_tokens", "enable_rerank"];
    let fields = Fields::open(node, "graph profile", &known, check)?;
    let modes = GRAPH_MODES.map(|mode| (mode, mode));
    let mode = fields.required("mode", check, |c, n, k| c.choice(n, k, &modes));
    let top_k = fields.required("top_k", check, |c, n, k| c.integer(n, k, 1..=10_000));
    let chunk_top_k = fields.required("chunk_top_k", check, |c, n, k| c.integer(n, k, 1..=10_000));
    let max_total_tokens = fields.required("max_total_tokens", check, |c, n, k| c.integer(n, k, 1..=10_000_000));
    let enable_rerank = fields.required("enable_rerank", check, Check::switch);
    Some(GraphProfile {
        mode: mode?.to_owned(),
        top_k: top_k?,
        chunk_top_k: chunk_top_k?,
        max_total_tokens: max_total_tokens?,
        enable_rerank: enable_rerank?,
    })
}
