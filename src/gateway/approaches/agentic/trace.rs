//! The trace of a conversation with tools, as evidence shows it (`contract/gateway.md` section 2.5).

use super::call::ToolCall;
use super::status;

/// How many characters of an observation a trace shows; the model sees all of it.
const SHOWN_CHARS: usize = 300;

/// Steps in order, one for each call of a tool.
#[derive(Debug, Default)]
pub struct Trace(Vec<String>);

impl Trace {
    /// Adds a step; a blank thought is left out.
    pub fn push(&mut self, thought: &str, call: &ToolCall, observation: &str) {
        let number = self.0.len() + 1;
        let thought = if thought.is_empty() { String::new() } else { format!("**Thought:** {thought}\n\n") };
        let shown: String = observation.chars().take(SHOWN_CHARS).collect();
        let action = format!("**Action:** `{}({})`", call.name, call.shown());
        self.0.push(format!("**Step {number}.** {thought}{action}\n\n**Observation:** {shown}"));
    }

    /// All steps; says so when there is none.
    pub fn text(&self) -> String {
        if self.0.is_empty() { status::NO_RETRIEVAL.to_owned() } else { self.0.join("\n\n") }
    }
}
