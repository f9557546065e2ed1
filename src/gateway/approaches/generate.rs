//! The last step of every approach that retrieves chunks: give them to the answering model, and report them as sources.
//!
//! Source: `contract/gateway.md` section 1.13; the model is asked even when nothing was found.

use super::Answered;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::roles::Context;
use crate::wire::chat::Source;
use serde_json::{Map, Value};

/// A chunk that goes to the answering model.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Path of the document inside the corpus mount.
    pub title: String,
    /// The whole chunk.
    pub text: String,
    /// None for an approach without scores.
    pub score: Option<f64>,
}

/// One call to the embedding model and one to the answering model.
const LLM_CALLS: u64 = 2;

/// Where the evidence keeps what a provider said about its answer.
const DETAILS: &str = "generation";

/// Asks role `light_gen` and puts the answer together with its evidence.
pub async fn generate(engine: &Engine, question: &str, chosen: Vec<Chosen>) -> Result<Answered, ApproachError> {
    let contexts: Vec<Context> =
        chosen.iter().map(|hit| Context { title: hit.title.clone(), text: hit.text.clone() }).collect();
    let generated = engine.roles.light_gen.generate(question, &contexts).await?;
    let sources: Vec<Source> = chosen
        .into_iter()
        .map(|hit| Source { title: hit.title, snippet: hit.text, score: hit.score.filter(|score| score.is_finite()) })
        .collect();
    let mut metadata = Map::new();
    if !generated.details.is_empty() {
        metadata.insert(DETAILS.to_owned(), Value::Object(generated.details));
    }
    Ok(Answered {
        answer: generated.answer,
        chunks: sources.len() as u64,
        sources,
        llm_calls: LLM_CALLS,
        cloud_calls: 0,
        usage: generated.usage,
        metadata,
    })
}
