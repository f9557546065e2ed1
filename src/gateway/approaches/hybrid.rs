//! `hybrid-rag`: meaning and words, then reranking (`contract/gateway.md` section 2.2).

use super::Answered;
use super::generate::{Chosen, generate};
use super::rerank::rerank;
use crate::gateway::config::ParamReader;
use crate::gateway::corpus::{Hit, HybridQuery};
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::terms::terms;

/// Its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Hybrid {
    retrieve_k: usize,
    top_n: usize,
    alpha: f64,
    rerank: bool,
}

impl Hybrid {
    pub(super) fn read(params: &mut ParamReader<'_>) -> Self {
        Self {
            retrieve_k: params.integer("retrieve_k", 20),
            top_n: params.integer("top_n", 5),
            alpha: params.ratio("alpha", 0.5),
            rerank: params.switch("rerank", true),
        }
    }

    pub(super) async fn answer(&self, engine: &Engine, question: &str) -> Result<Answered, ApproachError> {
        self.answer_from(engine, &engine.collection, question).await
    }

    /// Answers from any collection with chunks, vectors and postings.
    pub(super) async fn answer_from(
        &self,
        engine: &Engine,
        collection: &str,
        question: &str,
    ) -> Result<Answered, ApproachError> {
        let vector = engine.embed(question).await?;
        let hits = search(engine, collection, question, vector, self.alpha, self.retrieve_k).await?;
        let mut chosen: Vec<Chosen> = hits.into_iter().map(choose).collect();
        if self.rerank {
            chosen = rerank(engine.roles.rerank.as_ref(), question, chosen, self.top_n).await;
        } else {
            chosen.truncate(self.top_n);
        }
        generate(engine, question, chosen).await
    }
}

/// Searches by meaning and words; also seeds the lazy graph.
pub(super) async fn search(
    engine: &Engine,
    collection: &str,
    question: &str,
    vector: Vec<f32>,
    alpha: f64,
    limit: usize,
) -> Result<Vec<Hit>, ApproachError> {
    let (collection, terms) = (collection.to_owned(), terms(question));
    engine
        .search(move |session| {
            let collection = session.collection(&collection)?;
            session.hybrid(&HybridQuery { collection: &collection, vector: &vector, terms: &terms, alpha, limit })
        })
        .await
}

fn choose(hit: Hit) -> Chosen {
    Chosen { title: hit.title, text: hit.text, score: Some(hit.score) }
}
