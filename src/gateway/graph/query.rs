//! Asking the graph: ours, or the configured LightRAG server.
//!
//! One function for the approach and for the agent's tool. Keywords, vectors, search, contexts, answer; nothing is kept.

use super::contexts::contexts;
use super::profile::{Mode, Settings, lightrag_body};
use super::search::{Vectors, search};
use crate::gateway::approaches::{Chosen, rerank};
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::roles::{Context, Keywords, RoleError, Usage};
use serde_json::Map;

/// A question with fewer characters, blanks around it left out, is not asked.
pub const SHORTEST_QUESTION_CHARS: usize = 3;
/// What is said instead.
pub const TOO_SHORT: &str = "The question is too short to be asked of a knowledge graph.";

/// How a question is asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ask<'a> {
    /// Name of a profile; none takes the defaults.
    pub profile: Option<&'a str>,
    /// Wins over the profile's mode.
    pub mode: Option<Mode>,
}

/// An answer of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphAnswer {
    /// May be empty.
    pub answer: String,
    /// What the answering model saw, chunks first; none when the server does not tell, or when nothing was asked.
    pub contexts: Option<Vec<Chosen>>,
    /// How many of the contexts are chunks.
    pub chunks_n: u64,
    /// Calls to model roles; 1 for a server, whatever it does inside, and for a question that was not asked.
    pub llm_calls: u64,
    /// What the provider of role `query` reported.
    pub usage: Option<Usage>,
}

/// Asks a question of the graph.
///
/// One that is too short is answered without any call. Fails when the profile is unknown, a model or the server fails, or
/// the collection has no graph.
pub async fn ask(engine: &Engine, question: &str, how: Ask<'_>) -> Result<GraphAnswer, ApproachError> {
    if question.trim().chars().count() < SHORTEST_QUESTION_CHARS {
        let answer = TOO_SHORT.to_owned();
        return Ok(GraphAnswer { answer, contexts: None, chunks_n: 0, llm_calls: 1, usage: None });
    }
    let config = &engine.graph;
    let profile = match how.profile {
        None => None,
        Some(name) => {
            let unknown = || ApproachError::Graph(format!("there is no graph query profile `{name}`"));
            Some(config.profile(name).ok_or_else(unknown)?)
        }
    };
    if let Some(server) = &config.lightrag {
        let mode = how.mode.map(Mode::as_str);
        let body = lightrag_body(question, &config.defaults, profile, mode, &Map::new());
        let answer = server.query(body).await?;
        return Ok(GraphAnswer { answer, contexts: None, chunks_n: 0, llm_calls: 1, usage: None });
    }
    let settings = config.settings(profile, how.mode).map_err(ApproachError::Graph)?;
    own(engine, question, settings).await
}

/// Asks our own graph.
async fn own(engine: &Engine, question: &str, settings: Settings) -> Result<GraphAnswer, ApproachError> {
    let mut llm_calls = 2;
    let keywords = if settings.mode == Mode::Naive {
        Keywords::default()
    } else {
        llm_calls += 1;
        engine.roles.keyword.keywords(question).await?
    };
    let vectors = embed(engine, question, &keywords).await?;
    let collection = engine.collection.clone();
    let found = engine.search(move |session| search(session, &collection, &keywords, &vectors, &settings)).await?;
    let chunks = found.chunks.into_iter();
    let mut chunks: Vec<Chosen> =
        chunks.map(|hit| Chosen { title: hit.title, text: hit.text, score: Some(hit.score) }).collect();
    if settings.enable_rerank {
        chunks = rerank(engine.roles.rerank.as_ref(), question, chunks, settings.chunk_top_k).await;
    }
    let made = contexts(chunks, &found.entities, &found.relations, settings.max_total_tokens);
    let shown: Vec<Context> =
        made.chosen.iter().map(|one| Context { title: one.title.clone(), text: one.text.clone() }).collect();
    let generated = engine.roles.query.generate(question, &shown).await?;
    tracing::debug!("{} chunks and {} facts of the graph were used", made.chunks_n, made.facts_n);
    Ok(GraphAnswer {
        answer: generated.answer,
        contexts: Some(made.chosen),
        chunks_n: made.chunks_n as u64,
        llm_calls,
        usage: generated.usage,
    })
}

/// Embeds the question and the keywords of both levels in one call.
async fn embed(engine: &Engine, question: &str, keywords: &Keywords) -> Result<Vectors, ApproachError> {
    let levels = [&keywords.low_level, &keywords.high_level].map(|level| level.join(", "));
    let texts: Vec<String> =
        std::iter::once(question.to_owned()).chain(levels.iter().filter(|text| !text.is_empty()).cloned()).collect();
    let embedder = &engine.roles.embed;
    let mut vectors = embedder.embed(&texts).await?;
    if vectors.len() != texts.len() {
        let message = format!("it gave {} vectors for {} texts", vectors.len(), texts.len());
        return Err(RoleError::new(embedder.name(), message).into());
    }
    let mut rest = vectors.split_off(1).into_iter();
    let [low, high] = levels.map(|text| if text.is_empty() { None } else { rest.next() });
    Ok(Vectors { question: vectors.remove(0), low, high })
}
