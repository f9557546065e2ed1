//! Which models an ingestion asks, and with that what it makes.
//!
//! Plain values; asks nothing.

use crate::gateway::config::AliasProfile;
use crate::gateway::graph::GraphConfig;
use crate::gateway::identity::Targets;
use crate::gateway::roles::{BlurbWriter, Embedder, Extractor, Roles};
use crate::gateway::routing::RoutingConfig;
use std::sync::Arc;

/// Bases that search the contextual collection.
const CONTEXTUAL_BASES: [&str; 1] = ["contextual-rag"];
/// Bases that ask the knowledge graph; the agent has a tool for it.
const GRAPH_BASES: [&str; 2] = ["graph-rag", "agentic-rag"];

/// The models of an ingestion.
#[derive(Clone)]
pub struct IngestionModels {
    /// Makes vectors.
    pub embed: Arc<dyn Embedder>,
    /// Writes blurbs; none when no contextual collection is made.
    pub contextual_blurb: Option<Arc<dyn BlurbWriter>>,
    /// Finds entities and relations; none when no graph is made.
    pub extract: Option<Arc<dyn Extractor>>,
}

impl IngestionModels {
    /// Chooses what the aliases, and those they route to, need; a graph is not made when a LightRAG server answers for it.
    pub fn needed(aliases: &[AliasProfile], roles: &Roles, graph: &GraphConfig, routing: &RoutingConfig) -> Self {
        let offered = aliases.iter().map(|alias| alias.base.as_str());
        let used: Vec<&str> = offered.chain(routing.bases(aliases)).collect();
        let needs = |bases: &[&str]| used.iter().any(|base| bases.contains(base));
        Self {
            embed: Arc::clone(&roles.embed),
            contextual_blurb: needs(&CONTEXTUAL_BASES).then(|| Arc::clone(&roles.contextual_blurb)),
            extract: (needs(&GRAPH_BASES) && graph.lightrag.is_none()).then(|| Arc::clone(&roles.extract)),
        }
    }

    /// What is made, for the revision.
    pub fn targets(&self) -> Targets<'_> {
        Targets {
            embedding_model: self.embed.name(),
            blurb_model: self.contextual_blurb.as_ref().map(|model| model.name()),
            extract_model: self.extract.as_ref().map(|model| model.name()),
        }
    }
}
