//! Models that need no download and no network: word counting with honest names.
//!
//! Each fills one role of the gateway; `docs/builtin-models.md` gives formulas and limits. All are pure and
//! deterministic: equal input gives equal output on every machine and in every thread. None is a language model, and the
//! names say so wherever a score or an answer is shown.

mod answerer;
mod blurb;
mod classifier;
mod cross_scorer;
mod embedding;
mod evaluator;
mod extraction;
mod keywords;
mod names;
mod planner;
mod sentences;
mod words;

pub use answerer::{NO_ANSWER, answer};
pub use blurb::blurb;
pub use classifier::{COMPLEX, SIMPLE, classify};
pub use cross_scorer::score;
pub use embedding::{DIMENSION, cosine, embed};
pub use evaluator::LexicalEvaluator;
pub use extraction::extract;
pub use keywords::keywords;
pub use planner::plan;

use super::roles::{
    BlurbRequest, BlurbWriter, Classified, Classifier, Context, Embedder, Extraction, Extractor, Generated, Generator,
    KeywordFinder, Keywords, Planner, Reranked, Reranker, RoleFuture, Roles, Turn, TurnRequest,
};
use std::sync::Arc;

/// Name of the embedding.
pub const EMBEDDING: &str = "builtin/hashed-subword-256";
/// Name of the answerer.
pub const ANSWERER: &str = "builtin/extractive-answerer";
/// Name of the reranker.
pub const RERANKER: &str = "builtin/lexical-cross-scorer";
/// Name of the evaluator.
pub const EVALUATOR: &str = "builtin/lexical-evaluator";
/// Name of the writer of blurbs.
pub const BLURB_WRITER: &str = "builtin/heading-path-blurb";
/// Name of the extractor.
pub const EXTRACTOR: &str = "builtin/name-and-phrase-extractor";
/// Name of the keyword finder.
pub const KEYWORD_FINDER: &str = "builtin/question-keywords";
/// Name of the planner.
pub const PLANNER: &str = "builtin/search-planner";
/// Name of the classifier.
pub const CLASSIFIER: &str = "builtin/complexity-classifier";

/// All roles of a gateway, filled with built-in models.
pub fn roles() -> Roles {
    Roles {
        embed: Arc::new(HashedSubword),
        light_gen: Arc::new(Extractive),
        rerank: Arc::new(LexicalCross),
        ragas_evaluator: Arc::new(LexicalEvaluator),
        contextual_blurb: Arc::new(HeadingPath),
        extract: Arc::new(NamesAndPhrases),
        keyword: Arc::new(QuestionKeywords),
        query: Arc::new(Extractive),
        agentic: Arc::new(SearchPlanner),
        classifier: Arc::new(ComplexityClassifier),
    }
}

/// Role `embed`: [`embed`].
#[derive(Debug, Clone, Copy, Default)]
pub struct HashedSubword;

/// Roles `light_gen` and `query`: [`answer`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Extractive;

/// Role `rerank`: [`score`].
#[derive(Debug, Clone, Copy, Default)]
pub struct LexicalCross;

/// Role `contextual_blurb`: [`blurb`].
#[derive(Debug, Clone, Copy, Default)]
pub struct HeadingPath;

/// Role `extract`: [`extract`].
#[derive(Debug, Clone, Copy, Default)]
pub struct NamesAndPhrases;

/// Role `keyword`: [`keywords`].
#[derive(Debug, Clone, Copy, Default)]
pub struct QuestionKeywords;

/// Role `agentic`: [`plan`].
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchPlanner;

/// Role `classifier`: [`classify`].
#[derive(Debug, Clone, Copy, Default)]
pub struct ComplexityClassifier;

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

impl BlurbWriter for HeadingPath {
    fn name(&self) -> &str {
        BLURB_WRITER
    }

    fn blurb<'a>(&'a self, request: &'a BlurbRequest) -> RoleFuture<'a, String> {
        Box::pin(async move { Ok(blurb(request)) })
    }
}

impl Extractor for NamesAndPhrases {
    fn name(&self) -> &str {
        EXTRACTOR
    }

    fn extract<'a>(&'a self, _title: &'a str, text: &'a str) -> RoleFuture<'a, Extraction> {
        Box::pin(async move { Ok(extract(text)) })
    }
}

impl KeywordFinder for QuestionKeywords {
    fn name(&self) -> &str {
        KEYWORD_FINDER
    }

    fn keywords<'a>(&'a self, question: &'a str) -> RoleFuture<'a, Keywords> {
        Box::pin(async move { Ok(keywords(question)) })
    }
}

impl Planner for SearchPlanner {
    fn name(&self) -> &str {
        PLANNER
    }

    fn turn<'a>(&'a self, request: TurnRequest<'a>) -> RoleFuture<'a, Turn> {
        Box::pin(async move {
            let (text, message) = plan(&request);
            Ok(Turn { message: Some(message), text, usage: None })
        })
    }
}

impl Classifier for ComplexityClassifier {
    fn name(&self) -> &str {
        CLASSIFIER
    }

    fn classify<'a>(&'a self, question: &'a str) -> RoleFuture<'a, Classified> {
        Box::pin(async move { Ok(Classified { text: classify(question).to_owned(), usage: None }) })
    }
}
