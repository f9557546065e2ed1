//! `lazy-graph-rag`: expansion over a graph of concepts, built when first asked (`contract/gateway.md` section 2.7).

use super::Answered;
use super::generate::{Chosen, generate};
use super::hybrid;
use crate::gateway::config::ParamReader;
use crate::gateway::corpus::Session;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::lazy_graph::{Chunk, Hit, Limits, Loaded, namespace};
use crate::json;
use serde_json::json;
use std::sync::Arc;

/// The weight of meaning in the search for seeds.
const SEED_ALPHA: f64 = 0.5;

/// Its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Lazy {
    relevance_budget: usize,
    seed_k: usize,
    max_context_chunks: usize,
    max_concepts_per_chunk: usize,
}

/// What a look into the collection gives.
enum Found {
    Resident(Loaded),
    Chunks { chunks: Vec<(String, String)>, digest: String },
}

impl Lazy {
    pub(super) fn read(params: &mut ParamReader<'_>) -> Self {
        Self {
            relevance_budget: params.integer("relevance_budget", 24),
            seed_k: params.integer("seed_k", 8),
            max_context_chunks: params.integer("max_context_chunks", 8),
            max_concepts_per_chunk: params.integer("max_concepts_per_chunk", 24),
        }
    }

    pub(super) async fn answer(&self, engine: &Arc<Engine>, question: &str) -> Result<Answered, ApproachError> {
        let vector = engine.embed(question).await?;
        let seeds = hybrid::search(engine, &engine.collection, question, vector, SEED_ALPHA, self.seed_k);
        let (seeds, loaded) = tokio::try_join!(seeds, self.load(engine))?;
        let seeds: Vec<Hit> = seeds
            .into_iter()
            .map(|hit| Hit { chunk: Chunk { title: hit.title, text: hit.text }, score: Some(hit.score) })
            .collect();
        let limits = Limits { relevance_budget: self.relevance_budget, max_context_chunks: self.max_context_chunks };
        let expansion = loaded.index.retrieve(question, &seeds, limits);
        let chosen = expansion
            .hits
            .into_iter()
            .map(|hit| Chosen { title: hit.chunk.title, text: hit.chunk.text, score: hit.score })
            .collect();
        let mut answered = generate(engine, question, chosen).await?;
        let metadata = json!({
            "experimental": true,
            "cache_hit": loaded.cache_hit,
            "index_seconds": json::round_to(loaded.seconds, 6),
            "graph_chunks": loaded.index.chunk_count(),
            "graph_concepts": loaded.index.concept_count(),
            "graph_edges": loaded.index.edge_count(),
            "relevance_tests": expansion.relevance_tests,
            "relevance_budget": self.relevance_budget,
            "seed_k": self.seed_k,
            "max_context_chunks": self.max_context_chunks,
            "llm_index_calls": 0,
            "cache_namespace": self.namespace(engine),
        });
        answered.metadata.insert("lazy_graph".to_owned(), metadata);
        Ok(answered)
    }

    /// Finds the index of the collection; reads the chunks only when memory does not hold it already.
    async fn load(&self, engine: &Arc<Engine>) -> Result<Loaded, ApproachError> {
        let namespace = self.namespace(engine);
        let (shared, name) = (Arc::clone(engine), namespace.clone());
        let read = move |session: &Session<'_>| {
            let collection = session.collection(&shared.collection)?;
            if let Some(loaded) = shared.lazy_graph.resident(&name, &collection.content_digest) {
                return Ok(Found::Resident(loaded));
            }
            let chunks = session.all_chunks(&collection)?;
            Ok(Found::Chunks { chunks, digest: collection.content_digest })
        };
        let (chunks, digest) = match engine.search(read).await? {
            Found::Resident(loaded) => return Ok(loaded),
            Found::Chunks { chunks, digest } => (chunks, digest),
        };
        let max_concepts = self.max_concepts();
        let engine = Arc::clone(engine);
        let load = move || {
            let chunks: Vec<Chunk> = chunks.into_iter().map(|(title, text)| Chunk { title, text }).collect();
            engine.lazy_graph.load_or_build(&namespace, &chunks, max_concepts, Some(&digest))
        };
        Ok(tokio::task::spawn_blocking(load).await.map_err(|_| ApproachError::Worker)??)
    }

    fn namespace(&self, engine: &Engine) -> String {
        namespace(&engine.collection, self.max_concepts())
    }

    fn max_concepts(&self) -> i64 {
        i64::try_from(self.max_concepts_per_chunk).unwrap_or(i64::MAX)
    }
}
