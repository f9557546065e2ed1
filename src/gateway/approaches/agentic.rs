//! `agentic-rag`: a model that calls tools until it can answer (`contract/gateway.md` section 2.5).
//!
//! The loop is bounded, tools run one after another, and a tool that fails becomes an observation. The evidence is one
//! source: the trace of what was called and what came back.

mod call;
mod status;
mod tools;
mod trace;

pub(in crate::gateway) use status::is_status;
pub(in crate::gateway) use tools::{GRAPH, SEARCH, SHOWN_CHARS};

use super::Answered;
use crate::gateway::config::ParamReader;
use crate::gateway::engine::Engine;
use crate::gateway::error::ApproachError;
use crate::gateway::graph::Mode;
use crate::gateway::roles::{RoleError, TurnRequest, Usage};
use crate::wire::chat::Source;
use call::{ToolCall, tool_calls};
use serde_json::{Map, Value, json};
use tools::Tools;
use trace::Trace;

/// The title of the one source.
const TRACE_TITLE: &str = "\u{1f916} Agent trace";

/// Its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Agentic {
    max_steps: usize,
    tools: Tools,
}

impl Agentic {
    /// Reads the parameters; the message says which mode is no mode.
    pub(super) fn read(params: &mut ParamReader<'_>) -> Result<Self, String> {
        let max_steps = params.integer("max_steps", 4);
        let vector_top_k = params.integer("vector_top_k", 5);
        let mode = params.word("graph_mode", "hybrid");
        let unknown =
            || format!("`graph_mode` must be one of `local`, `global`, `hybrid`, `mix`, `naive`, not `{mode}`");
        let graph_mode = Mode::parse(mode).ok_or_else(unknown)?;
        Ok(Self { max_steps, tools: Tools { vector_top_k, graph_mode } })
    }

    pub(super) async fn answer(&self, engine: &Engine, question: &str) -> Result<Answered, ApproachError> {
        let planner = engine.roles.agentic.as_ref();
        let offered = tools::definitions();
        let instructions = json!({"role": "system", "content": planner.instructions()});
        let mut messages = vec![instructions, json!({"role": "user", "content": question})];
        let (mut trace, mut usages, mut llm_calls) = (Trace::default(), Vec::new(), 0);
        let mut answer = None;
        for step in 0..self.max_steps {
            let request = TurnRequest { messages: &messages, tools: &offered, turns_left: self.max_steps - step };
            let turn = planner.turn(request).await?;
            llm_calls += 1;
            usages.push(turn.usage);
            let Some(mut message) = turn.message else {
                answer = Some(status::NO_MODEL_RESPONSE.to_owned());
                break;
            };
            let broken = |reason: String| RoleError::new(planner.name(), reason);
            let calls = tool_calls(&mut message, step).map_err(broken)?;
            if calls.is_empty() {
                answer = Some(turn.text);
                break;
            }
            messages.push(Value::Object(message));
            let mut thought = turn.text.trim();
            for call in calls {
                let (observation, productive_calls) = self.tools.run(engine, &call).await?;
                llm_calls += productive_calls;
                trace.push(thought, &call, &observation);
                thought = "";
                messages.push(result(call, observation));
            }
        }
        let answer = answer.unwrap_or_else(|| status::STEP_LIMIT.to_owned());
        let source = Source { title: TRACE_TITLE.to_owned(), snippet: trace.text(), score: None };
        Ok(Answered {
            answer,
            sources: vec![source],
            chunks: 0,
            llm_calls,
            cloud_calls: 0,
            usage: sum(&usages),
            metadata: Map::new(),
        })
    }
}

fn result(call: ToolCall, observation: String) -> Value {
    json!({"role": "tool", "tool_call_id": call.id, "content": observation})
}

/// The counts of all turns; unknown as soon as one turn does not tell.
fn sum(usages: &[Option<Usage>]) -> Option<Usage> {
    let mut usages = usages.iter().copied();
    let first = usages.next()??;
    usages.try_fold(first, |total, usage| Some(total.and(usage?)))
}
