//! Models that need no download and no network: word counting with honest names.
//!
//! Each fills one role of the gateway; `docs/builtin-models.md` gives formulas and limits. All are pure and
//! deterministic: equal input gives equal output on every machine and in every thread. None is a language model, and the
//! names say so wherever a score or an answer is shown.

mod answerer;
mod cross_scorer;
mod embedding;
mod evaluator;
mod sentences;
mod words;

pub use answerer::{NO_ANSWER, answer};
pub use cross_scorer::score;
pub use embedding::{DIMENSION, cosine, embed};
pub use evaluator::LexicalEvaluator;

use super::roles::{Context, Embedder, Generated, Generator, Reranked, Reranker, RoleFuture, Roles};
use std::sync::Arc;

/// Name of the embedding.
pub const EMBEDDING: &str = "builtin/hashed-subword-256";
/// Name of the answerer.
pub const ANSWERER: &str = "builtin/extractive-answerer";
/// Name of the reranker.
pub const RERANKER: &str = "builtin/lexical-cross-scorer";
/// Name of the evaluator.
pub const EVALUATOR: &str = "builtin/lexical-evaluator";

/// All roles of a gateway, filled with built-in models.
pub fn roles() -> Roles {
    Roles {
        embed: Arc::new(HashedSubword),
        light_gen: Arc::new(Extractive),
        rerank: Arc::new(LexicalCross),
        ragas_evaluator: Arc::new(LexicalEvaluator),
    }
}

/// Role `embed`: [`embed`].
#[derive(Debug, Clone, Copy, Default)]
pub struct HashedSubword;

/// Role `light_gen`: [`answer`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Extractive;

/// Role `rerank`: [`score`].
#[derive(Debug, Clone, Copy, Default)]
pub struct LexicalCross;

impl Embedder for HashedSubword {
    fn name(&self) -> &str {
        EMBEDDING
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>> {
        Box::pin(async move { Ok(texts.iter().map(|text| embed(text)).collect()) })
    }
}

impl Generator for Extractive {
    fn name(&self) -> &str {
        ANSWERER
    }

    fn generate<'a>(&'a self, question: &'a str, contexts: &'a [Context]) -> RoleFuture<'a, Generated> {
        Box::pin(async move { Ok(Generated { answer: answer(question, contexts), ..Generated::default() }) })
    }
}

impl Reranker for LexicalCross {
    fn name(&self) -> &str {
        RERANKER
    }

    fn rerank<'a>(&'a self, query: &'a str, texts: &'a [String]) -> RoleFuture<'a, Vec<Reranked>> {
        Box::pin(async move {
            let rows = texts.iter().enumerate();
            Ok(rows.map(|(index, text)| Reranked { index, score: Some(score(query, text)) }).collect())
        })
    }
}
