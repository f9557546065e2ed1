//! Model roles: what the gateway asks of a model, whoever provides it.
//!
//! An implementation is built in (deterministic, in-process) or talks to an endpoint. The gateway holds them as trait
//! objects and never knows which it has; names travel into provenance, so a heuristic is never mistaken for a language
//! model. Nothing here does I/O.

use super::evaluate::Evaluator;
use crate::wire::empty::EmptyAnswer;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::sync::mpsc;

/// What a role's call gives, later.
pub type RoleFuture<'a, T> = BoxFuture<'a, Result<T, RoleError>>;

/// A role could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the model `{model}` failed: {message}")]
pub struct RoleError {
    /// The model's own name, for instance `builtin/hashed-subword-256`.
    pub model: String,
    /// What happened, without secrets.
    pub message: String,
    /// What kind of failure it is, for whoever decides what follows.
    pub fault: Fault,
}

/// The kinds of failure that are told apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Fault {
    /// None of the others.
    #[default]
    Failed,
    /// No complete answer in time.
    Timeout,
    /// The provider refused because of its load or a quota.
    RateLimited {
        /// How long it asks to be left alone, in seconds; null when it did not say.
        retry_after_s: Option<f64>,
    },
    /// There is a reply, but not in the form that the role needs.
    Unreadable,
    /// The provider's message has no answer in it.
    Empty {
        /// Why.
        reason: EmptyAnswer,
        /// Its refusal or its reasoning, never an answer; may be empty.
        said: String,
    },
}

impl RoleError {
    /// A failure of no particular kind.
    pub fn new(model: impl Into<String>, message: impl Into<String>) -> Self {
        Self { model: model.into(), message: message.into(), fault: Fault::Failed }
    }
}

/// Turns texts into vectors (role `embed`).
pub trait Embedder: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// How many components every vector has; at least 1 once [`Embedder::prepare`] has succeeded.
    fn dimension(&self) -> usize;
    /// Finds out what must be known before the first text, for instance the dimension of a model behind an endpoint.
    fn prepare(&self) -> RoleFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    /// Embeds each text, in order: one vector of [`Embedder::dimension`] finite components per text.
    ///
    /// No text gives no vector; an empty text still gives a vector of length above zero.
    fn embed<'a>(&'a self, texts: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>>;
}

/// One piece of context, as generation sees it and as evidence keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// Path inside the corpus mount, for instance `subset/001-name.md`.
    pub title: String,
    /// The full chunk text.
    pub text: String,
}

/// What a provider counted; absent fields stay unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens that went in.
    pub prompt_tokens: Option<u64>,
    /// Tokens that came out.
    pub completion_tokens: Option<u64>,
    /// Both together.
    pub total_tokens: Option<u64>,
}

impl Usage {
    /// The counts of two calls together; what one of them does not know stays unknown.
    pub fn and(self, other: Self) -> Self {
        let sum = |left: Option<u64>, right: Option<u64>| Some(left?.saturating_add(right?));
        Self {
            prompt_tokens: sum(self.prompt_tokens, other.prompt_tokens),
            completion_tokens: sum(self.completion_tokens, other.completion_tokens),
            total_tokens: sum(self.total_tokens, other.total_tokens),
        }
    }
}

/// A generated answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Generated {
    /// May be empty.
    pub answer: String,
    /// None when the provider reports none, as built-in models do.
    pub usage: Option<Usage>,
    /// What else the provider said about it, for instance the model that answered; kept in the evidence as
    /// `generation`. Empty for built-in models.
    pub details: Map<String, Value>,
}

/// Takes the pieces of an answer as they come. A full channel holds the provider back; a closed one is nobody listening.
pub type Pieces = mpsc::Sender<String>;

/// Answers a question from contexts (role `light_gen`).
pub trait Generator: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// Answers from the given contexts only; contexts are in retrieval order and may be none.
    fn generate<'a>(&'a self, question: &'a str, contexts: &'a [Context]) -> RoleFuture<'a, Generated>;
    /// Like [`Generator::generate`], and hands the answer over piece by piece when the model streams.
    ///
    /// The pieces together are the answer, or a beginning of it: a model that does not stream hands over none.
    fn stream<'a>(
        &'a self,
        question: &'a str,
        contexts: &'a [Context],
        pieces: &'a Pieces,
    ) -> RoleFuture<'a, Generated> {
        let _ = pieces;
        self.generate(question, contexts)
    }
}

/// One row of a reranker's reply.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reranked {
    /// Position of the text in the request, from 0.
    pub index: usize,
    /// Higher is better; none when the reranker gave no number.
    pub score: Option<f64>,
}

/// Scores texts against a query (role `rerank`).
pub trait Reranker: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// How many texts one call may carry; at least 1.
    fn max_batch(&self) -> usize {
        usize::MAX
    }
    /// Scores texts; rows may come in any order and may miss texts (`contract/gateway.md` section 2.2).
    fn rerank<'a>(&'a self, query: &'a str, texts: &'a [String]) -> RoleFuture<'a, Vec<Reranked>>;
}

/// A chunk that waits for its blurb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlurbRequest {
    /// Path of the document inside the corpus mount.
    pub title: String,
    /// The part of the document around the chunk, at most 6000 characters.
    pub window: String,
    /// The whole chunk.
    pub chunk: String,
    /// The headings above the chunk, outermost first; none in plain text.
    pub headings: Vec<String>,
    /// Which chunk of its document it is, from 1.
    pub position: usize,
    /// How many chunks the document has.
    pub chunks_n: usize,
}

/// Situates a chunk in its document, for search (role `contextual_blurb`).
pub trait BlurbWriter: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// How many calls may be under way at once; at least 1.
    fn max_concurrency(&self) -> usize {
        1
    }
    /// Writes one or two sentences; an empty text is a valid reply, and the caller trims it.
    fn blurb<'a>(&'a self, request: &'a BlurbRequest) -> RoleFuture<'a, String>;
}

/// A thing that a chunk speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractedEntity {
    /// As the chunk writes it; a blank one is left out when graphs are merged.
    pub name: String,
    /// One word, for instance `person`; may be empty.
    pub kind: String,
    /// Other names of the same thing in this chunk.
    pub aliases: Vec<String>,
    /// What the chunk says about it; may be empty.
    pub description: String,
}

/// A relation between two things of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractedRelation {
    /// Name or alias of an entity.
    pub source: String,
    /// Name or alias of another entity.
    pub target: String,
    /// What connects them in a few words, for instance `uses`; may be empty.
    pub kind: String,
    /// What the chunk says about it; may be empty.
    pub description: String,
}

/// What a chunk adds to the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extraction {
    /// Things.
    pub entities: Vec<ExtractedEntity>,
    /// Relations; one that names no entity of the list makes an entity without kind.
    pub relations: Vec<ExtractedRelation>,
    /// Why nothing could be read from the chunk; null when it was read, even when it held nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

/// Finds entities and relations in a chunk (role `extract`).
pub trait Extractor: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// How many calls may be under way at once; at least 1.
    fn max_concurrency(&self) -> usize {
        1
    }
    /// Reads one chunk of the document `title`; a chunk may hold nothing.
    fn extract<'a>(&'a self, title: &'a str, text: &'a str) -> RoleFuture<'a, Extraction>;
}

/// What a question asks a graph for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keywords {
    /// Names of things.
    pub low_level: Vec<String>,
    /// Themes and kinds of relation.
    pub high_level: Vec<String>,
}

/// Finds the keywords of a question (role `keyword`).
pub trait KeywordFinder: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// Reads a question; either list may be empty.
    fn keywords<'a>(&'a self, question: &'a str) -> RoleFuture<'a, Keywords>;
}

/// What an agent is told first, unless the project says otherwise.
pub const AGENT_INSTRUCTIONS: &str = include_str!("../../templates/gateway/agent.md.j2");

/// One turn that a model is asked for in a conversation with tools.
#[derive(Debug, Clone, Copy)]
pub struct TurnRequest<'a> {
    /// The conversation so far, as messages of OpenAI's chat completions.
    pub messages: &'a [Value],
    /// The tools on offer, as OpenAI describes functions.
    pub tools: &'a [Value],
    /// How many turns are left, this one included; at least 1. A call for tools in the last one leads to no answer.
    pub turns_left: usize,
}

/// What a model said in one turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Turn {
    /// The first choice's message as it came, an empty one when the choice has none; null when there is no choice.
    pub message: Option<Map<String, Value>>,
    /// What the message says, without the reasoning that some servers put in front of it; may be empty.
    pub text: String,
    /// None when the provider reports none, as built-in models do.
    pub usage: Option<Usage>,
}

/// Answers a question with the help of tools, turn by turn (role `agentic`).
pub trait Planner: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// What it is told first.
    fn instructions(&self) -> &str {
        AGENT_INSTRUCTIONS
    }
    /// Says what to do next: call tools, or answer. It keeps nothing between turns; the messages are all it knows.
    fn turn<'a>(&'a self, request: TurnRequest<'a>) -> RoleFuture<'a, Turn>;
}

/// What a classifier said about a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Classified {
    /// In its own words; [`super::routing::Route::read`] makes a route of them.
    pub text: String,
    /// None when the provider reports none, as built-in models do.
    pub usage: Option<Usage>,
}

/// Tells simple questions from complex ones (role `classifier`).
pub trait Classifier: Send + Sync {
    /// The model's name as provenance shows it.
    fn name(&self) -> &str;
    /// Reads a question, which may be empty.
    fn classify<'a>(&'a self, question: &'a str) -> RoleFuture<'a, Classified>;
}

/// The models of one gateway.
#[derive(Clone)]
pub struct Roles {
    /// Role `embed`.
    pub embed: Arc<dyn Embedder>,
    /// Role `light_gen`.
    pub light_gen: Arc<dyn Generator>,
    /// Role `rerank`.
    pub rerank: Arc<dyn Reranker>,
    /// Role `ragas_evaluator`.
    pub ragas_evaluator: Arc<dyn Evaluator>,
    /// Role `contextual_blurb`.
    pub contextual_blurb: Arc<dyn BlurbWriter>,
    /// Role `extract`.
    pub extract: Arc<dyn Extractor>,
    /// Role `keyword`.
    pub keyword: Arc<dyn KeywordFinder>,
    /// Role `query`: answers from what the graph found.
    pub query: Arc<dyn Generator>,
    /// Role `agentic`.
    pub agentic: Arc<dyn Planner>,
    /// Role `classifier`.
    pub classifier: Arc<dyn Classifier>,
}

impl Roles {
    /// The name of the model behind each role, in the order of `compare/roles.yaml`.
    pub fn names(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("embed", self.embed.name()),
            ("light_gen", self.light_gen.name()),
            ("contextual_blurb", self.contextual_blurb.name()),
            ("agentic", self.agentic.name()),
            ("extract", self.extract.name()),
            ("keyword", self.keyword.name()),
            ("query", self.query.name()),
            ("classifier", self.classifier.name()),
            ("ragas_evaluator", self.ragas_evaluator.name()),
            ("rerank", self.rerank.name()),
        ]
    }
}
