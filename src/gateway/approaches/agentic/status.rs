//! What the agent is told, or what stands for its answer, when there is nothing to report.
//!
//! Constants of our own wording; no program reads them but the built-in planner.

use crate::gateway::error::ApproachError;

/// Stands for the answer of a model that never stopped calling tools.
pub const STEP_LIMIT: &str = "No answer was reached within the allowed number of steps (MAX_STEPS).";
/// Stands for the answer of a model that said nothing.
pub const NO_MODEL_RESPONSE: &str = "The model gave no response.";
/// Stands for the trace of an answer without tools.
pub const NO_RETRIEVAL: &str = "The model answered without calling a tool.";
/// A search that found nothing.
pub const NO_RESULTS: &str = "[no results]";
/// A search without a question.
pub const EMPTY_QUERY: &str = "[the query is empty; give it some words]";
/// A question to the graph that is too short.
pub const SHORT_GRAPH_QUERY: &str = "[the query is too short for the graph; give it three characters or more]";

/// A tool that does not exist.
pub fn unknown_tool(name: &str) -> String {
    format!("[there is no tool `{name}`]")
}

/// A tool that could not do its work, with the kind of the failure and nothing of its message.
pub fn tool_failed(name: &str, error: &ApproachError) -> String {
    let kind = match error {
        ApproachError::Corpus(_) => "CorpusError",
        ApproachError::Role(_) => "ModelError",
        ApproachError::Graph(_) => "GraphError",
        ApproachError::LazyGraph(_) => "LazyGraphError",
        ApproachError::Worker => "WorkerError",
    };
    format!("[the tool `{name}` failed: {kind}]")
}

/// Whether an observation is one of these rather than something that was found.
pub fn is_status(observation: &str) -> bool {
    let failed = observation.starts_with("[the tool `") && observation.ends_with(']');
    let unknown = observation.starts_with("[there is no tool `") && observation.ends_with(']');
    failed || unknown || [NO_RESULTS, EMPTY_QUERY, SHORT_GRAPH_QUERY].contains(&observation)
}
