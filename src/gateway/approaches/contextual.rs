//! `contextual-rag`: the search of `hybrid-rag` over chunks that begin with a blurb (`contract/gateway.md` section 2.3).

use super::Answered;
use super::hybrid::Hybrid;
use crate::gateway::config::ParamReader;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;

/// Its parameters are those of `hybrid-rag`.
#[derive(Debug, Clone, PartialEq)]
pub struct Contextual {
    hybrid: Hybrid,
}

impl Contextual {
    pub(super) fn read(params: &mut ParamReader<'_>) -> Self {
        Self { hybrid: Hybrid::read(params) }
    }

    pub(super) async fn answer(&self, engine: &Engine, question: &str) -> Result<Answered, ApproachError> {
        self.hybrid.answer_from(engine, &engine.contextual_collection, question).await
    }
}
