//! `graph-rag`: entities and relations ahead of time, asked under a profile (`contract/gateway.md` section 2.4).
//!
//! Our own graph returns the contexts it used; a server does not, so its answer carries a marker instead.

use super::Answered;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::graph::{Ask, ask};
use crate::wire::chat::Source;
use serde_json::{Map, json};

/// The title of the marker.
const MARKER_TITLE: &str = "LightRAG knowledge graph";

/// It has no parameters: the alias is the name of its profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    alias: String,
}

impl Graph {
    pub(super) fn new(alias: &str) -> Self {
        Self { alias: alias.to_owned() }
    }

    pub(super) async fn answer(&self, engine: &Engine, question: &str) -> Result<Answered, ApproachError> {
        let answer = ask(engine, question, Ask { profile: Some(&self.alias), mode: None }).await?;
        let sources = match answer.contexts {
            Some(contexts) => contexts
                .into_iter()
                .map(|one| Source { title: one.title, snippet: one.text, score: one.score })
                .collect(),
            None => vec![self.marker()],
        };
        let mut metadata = Map::new();
        metadata.insert("lightrag".to_owned(), json!({"query_profile": self.alias}));
        Ok(Answered {
            answer: answer.answer,
            sources,
            chunks: answer.chunks_n,
            llm_calls: answer.llm_calls,
            cloud_calls: 0,
            usage: answer.usage,
            metadata,
        })
    }

    fn marker(&self) -> Source {
        let snippet = format!("Asked under the query profile {}; the contexts are not told.", self.alias);
        Source { title: MARKER_TITLE.to_owned(), snippet, score: None }
    }
}
