//! `vanilla-rag`: the chunks nearest to the question (`contract/gateway.md` section 2.1).

use super::Answered;
use super::generate::{Chosen, generate};
use crate::gateway::config::ParamReader;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;

/// Its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Vanilla {
    k: usize,
}

impl Vanilla {
    pub(super) fn read(params: &mut ParamReader<'_>) -> Self {
        Self { k: params.integer("k", 5) }
    }

    pub(super) async fn answer(&self, engine: &Engine, question: &str) -> Result<Answered, ApproachError> {
        let vector = engine.embed(question).await?;
        let (collection, k) = (engine.collection.clone(), self.k);
        let hits = engine
            .search(move |session| {
                let collection = session.collection(&collection)?;
                session.dense(&collection, &vector, k)
            })
            .await?;
        let chosen = hits.into_iter().map(|hit| Chosen { title: hit.title, text: hit.text, score: None }).collect();
        generate(engine, question, chosen).await
    }
}
