//! The tools of the agent: searching chunks, and asking the knowledge graph.
//!
//! Each gives an observation and how many calls to models it counts for. Only a corpus that was never ingested ends the
//! conversation; every other failure is an observation.

use super::call::ToolCall;
use super::status;
use crate::gateway::approaches::hybrid;
use crate::gateway::corpus::{CorpusError, Hit};
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::graph::{Ask, Mode, SHORTEST_QUESTION_CHARS, ask};
use serde_json::{Value, json};

/// The name of the search.
pub const SEARCH: &str = "search_vectors";
/// The name of the question to the graph.
pub const GRAPH: &str = "query_graph";

/// Weight of meaning against words.
const ALPHA: f64 = 0.5;
/// How many characters of a chunk an observation shows.
pub const SHOWN_CHARS: usize = 200;

/// How the tools work.
#[derive(Debug, Clone, PartialEq)]
pub struct Tools {
    /// Chunks of one search.
    pub vector_top_k: usize,
    /// How the graph is searched.
    pub graph_mode: Mode,
}

/// Describes the tools in the shape of OpenAI's functions.
pub fn definitions() -> Vec<Value> {
    let tool = |name: &str, description: &str, query: &str| {
        json!({"type": "function", "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string", "description": query}},
                "required": ["query"],
            },
        }})
    };
    vec![
        tool(SEARCH, "Finds passages of the corpus by meaning and by words.", "What the passages should be about."),
        tool(
            GRAPH,
            "Answers a question from a graph of people, things and how they relate.",
            "A whole question that names what it is about.",
        ),
    ]
}

impl Tools {
    /// Runs a call: what came of it, and how many calls to models that counts for.
    pub async fn run(&self, engine: &Engine, call: &ToolCall) -> Result<(String, u64), ApproachError> {
        let query = call.text();
        let done = match call.name.as_str() {
            SEARCH if query.trim().is_empty() => return Ok((status::EMPTY_QUERY.to_owned(), 0)),
            GRAPH if query.trim().chars().count() < SHORTEST_QUESTION_CHARS => {
                return Ok((status::SHORT_GRAPH_QUERY.to_owned(), 0));
            }
            SEARCH => self.search(engine, query).await,
            GRAPH => self.ask_graph(engine, query).await,
            unknown => return Ok((status::unknown_tool(unknown), 0)),
        };
        match done {
            Ok(observation) => Ok((observation, 1)),
            Err(error @ ApproachError::Corpus(CorpusError::NotIngested { .. })) => Err(error),
            Err(error) => {
                tracing::warn!("the tool `{}` failed: {error}", call.name);
                Ok((status::tool_failed(&call.name, &error), 0))
            }
        }
    }

    async fn search(&self, engine: &Engine, query: &str) -> Result<String, ApproachError> {
        let vector = engine.embed(query).await?;
        let hits = hybrid::search(engine, &engine.collection, query, vector, ALPHA, self.vector_top_k).await?;
        Ok(if hits.is_empty() {
            status::NO_RESULTS.to_owned()
        } else {
            hits.iter().map(line).collect::<Vec<_>>().join("\n")
        })
    }

    async fn ask_graph(&self, engine: &Engine, query: &str) -> Result<String, ApproachError> {
        Ok(ask(&engine.quiet(), query, Ask { profile: None, mode: Some(self.graph_mode) }).await?.answer)
    }
}

fn line(hit: &Hit) -> String {
    let shown: String = hit.text.chars().take(SHOWN_CHARS).collect();
    format!("- {}: {shown}", hit.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_the_first_characters_of_a_chunk() {
        let hit = Hit { title: "a/b.md".to_owned(), chunk_index: 0, text: "\u{1f427}".repeat(300), score: 1.0 };
        assert_eq!(line(&hit), format!("- a/b.md: {}", "\u{1f427}".repeat(200)));
    }
}
