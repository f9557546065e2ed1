//! `compare/flavors.yaml` as checked values (`contract/evaluation.md` section 1.3).

use std::collections::BTreeMap;

/// The six canonical bases, in the order that `default` expands to.
pub const CANONICAL_BASES: [&str; 6] =
    ["vanilla-rag", "hybrid-rag", "contextual-rag", "graph-rag", "agentic-rag", "n8n-adaptive-rag"];
/// Bases that `default` leaves out.
pub const EXPERIMENTAL_BASES: [&str; 1] = ["lazy-graph-rag"];

/// A parameter value of a flavor.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// At least 1.
    Integer(u64),
    /// `alpha`: 0..=1.
    Number(f64),
    /// `rerank`, `enable_rerank`.
    Switch(bool),
    /// `graph_mode`.
    Text(String),
}

/// One alias that can be asked for: a base, or a flavor of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The name asked for at the gateway.
    pub alias: String,
    /// The base approach whose code answers.
    pub base: String,
    /// `default` for a base.
    pub flavor: String,
    /// For people.
    pub label: String,
    /// For people; may be empty.
    pub description: String,
    /// Whether the corpus must be ingested again for it.
    pub requires_reingest: bool,
    /// Only parameters that the base reads.
    pub params: BTreeMap<String, Param>,
}
