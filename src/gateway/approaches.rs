//! The approaches: from a question to an answer with its evidence.
//!
//! One small file per base (`contract/gateway.md` section 2). They read the corpus and ask models; they write nothing
//! and know nothing about HTTP.

mod adaptive;
mod agentic;
mod contextual;
mod generate;
mod graph;
mod hybrid;
mod lazy;
mod rerank;
mod vanilla;

pub(in crate::gateway) use agentic::{GRAPH, SEARCH, SHOWN_CHARS, is_status};
pub(in crate::gateway) use generate::Chosen;
pub(in crate::gateway) use rerank::rerank;

use super::config::{AliasProfile, ParamReader};
use super::engine::Engine;
use super::error::ApproachError;
use super::roles::Usage;
use super::routing::RouteMap;
use crate::wire::chat::Source;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Bases this gateway implements, sorted as `/rag/health` shows them.
pub const BASES: [&str; 6] =
    ["agentic-rag", "contextual-rag", "graph-rag", "hybrid-rag", "n8n-adaptive-rag", "vanilla-rag"];
/// Bases that are experimental.
pub const EXPERIMENTAL_BASES: [&str; 1] = ["lazy-graph-rag"];

/// An answered question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// Unrendered; may be empty.
    pub answer: String,
    /// In display order, with the full text that generation saw.
    pub sources: Vec<Source>,
    /// Retrieved chunks.
    pub chunks: u64,
    /// Calls to model roles by the counting rule of the contract.
    pub llm_calls: u64,
    /// Calls to models in a cloud; only a webhook tells.
    pub cloud_calls: u64,
    /// What the provider reported; none when it reports nothing.
    pub usage: Option<Usage>,
    /// What the approach adds to the extension.
    pub metadata: Map<String, Value>,
}

/// An approach with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Approach {
    /// Nearest chunks by meaning.
    Vanilla(vanilla::Vanilla),
    /// Meaning and words, then reranking.
    Hybrid(hybrid::Hybrid),
    /// The same over chunks that begin with a blurb.
    Contextual(contextual::Contextual),
    /// Entities and relations.
    Graph(graph::Graph),
    /// A model that searches until it can answer.
    Agentic(agentic::Agentic),
    /// Another approach, chosen by what the question needs.
    Adaptive(adaptive::Adaptive),
    /// Expansion over a graph of concepts.
    Lazy(lazy::Lazy),
}

impl Approach {
    /// Reads an alias; the message says what is wrong with it. Whoever routes finds its targets among `offered`.
    pub fn from_alias(alias: &AliasProfile, offered: &[AliasProfile], routes: &RouteMap) -> Result<Self, String> {
        let mut params = ParamReader::new(alias);
        let approach = match alias.base.as_str() {
            "vanilla-rag" => Self::Vanilla(vanilla::Vanilla::read(&mut params)),
            "hybrid-rag" => Self::Hybrid(hybrid::Hybrid::read(&mut params)),
            "contextual-rag" => Self::Contextual(contextual::Contextual::read(&mut params)),
            "graph-rag" => Self::Graph(graph::Graph::new(&alias.alias)),
            "agentic-rag" => Self::Agentic(agentic::Agentic::read(&mut params)?),
            "n8n-adaptive-rag" => Self::Adaptive(adaptive::Adaptive::read(offered, routes)?),
            "lazy-graph-rag" => Self::Lazy(lazy::Lazy::read(&mut params)),
            base => {
                let known = [BASES.as_slice(), EXPERIMENTAL_BASES.as_slice()].concat().join("`, `");
                return Err(format!("the alias `{}` has an unknown base `{base}`; known are `{known}`", alias.alias));
            }
        };
        params.finish()?;
        Ok(approach)
    }

    /// Answers a question from the engine's collection.
    pub fn answer<'a>(
        &'a self,
        engine: &'a Arc<Engine>,
        question: &'a str,
    ) -> BoxFuture<'a, Result<Answered, ApproachError>> {
        Box::pin(async move {
            match self {
                Self::Vanilla(approach) => approach.answer(engine, question).await,
                Self::Hybrid(approach) => approach.answer(engine, question).await,
                Self::Contextual(approach) => approach.answer(engine, question).await,
                Self::Graph(approach) => approach.answer(engine, question).await,
                Self::Agentic(approach) => approach.answer(engine, question).await,
                Self::Adaptive(approach) => approach.answer(engine, question).await,
                Self::Lazy(approach) => approach.answer(engine, question).await,
            }
        })
    }
}
