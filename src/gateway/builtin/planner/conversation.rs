//! A conversation read back from its messages: the question, the calls, and what they found.

use crate::gateway::approaches::{GRAPH, SEARCH, SHOWN_CHARS, is_status};
use crate::gateway::builtin::answerer::NO_ANSWER;
use crate::gateway::graph::TOO_SHORT;
use crate::gateway::roles::Context;
use crate::json;
use serde_json::Value;

/// The title of what the graph says.
const GRAPH_TITLE: &str = "knowledge graph";

/// What has happened so far.
#[derive(Debug, Default)]
pub struct Conversation {
    /// The last message of the user; empty when there is none.
    pub question: String,
    /// How many turns the model has had.
    pub turns_n: usize,
    /// In order.
    pub calls: Vec<Call>,
    /// Where the calls of the last turn begin.
    last_turn: usize,
}

/// A call with what came of it.
#[derive(Debug)]
pub struct Call {
    id: String,
    name: String,
    query: String,
    observation: String,
}

impl Conversation {
    /// Reads messages; what is not understood is left out.
    pub fn read(messages: &[Value]) -> Self {
        let mut conversation = Self::default();
        for message in messages {
            let text = |field: &str| message.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
            match message.get("role").and_then(Value::as_str) {
                Some("user") => conversation.question = text("content"),
                Some("assistant") => {
                    conversation.turns_n += 1;
                    conversation.last_turn = conversation.calls.len();
                    let calls = message.get("tool_calls").and_then(Value::as_array);
                    conversation.calls.extend(calls.into_iter().flatten().map(call));
                }
                Some("tool") => {
                    let id = text("tool_call_id");
                    let answered = conversation.calls[conversation.last_turn..].iter_mut().find(|call| call.id == id);
                    if let Some(call) = answered {
                        call.observation = text("content");
                    }
                }
                _ => {}
            }
        }
        conversation
    }

    /// Whether a tool was called with this query.
    pub fn has_called(&self, name: &str, query: &str) -> bool {
        self.calls.iter().any(|call| call.name == name && call.query == query)
    }

    /// All queries, in order.
    pub fn queries(&self) -> Vec<&str> {
        self.calls.iter().map(|call| call.query.as_str()).collect()
    }

    /// Everything that was found, each passage once.
    pub fn findings(&self) -> Vec<Context> {
        distinct(&self.calls)
    }

    /// Whether the last turn found a passage that none before it had found.
    pub fn last_turn_brought_news(&self) -> bool {
        self.findings().len() > distinct(&self.calls[..self.last_turn]).len()
    }
}

fn call(value: &Value) -> Call {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let function = value.get("function");
    let arguments = text(function.and_then(|function| function.get("arguments")));
    let arguments = json::parse_strict(&arguments).unwrap_or_default();
    Call {
        id: text(value.get("id")),
        name: text(function.and_then(|function| function.get("name"))),
        query: text(arguments.get("query")),
        observation: String::new(),
    }
}

fn distinct(calls: &[Call]) -> Vec<Context> {
    let mut found: Vec<Context> = Vec::new();
    for passage in calls.iter().flat_map(passages) {
        if !found.contains(&passage) {
            found.push(passage);
        }
    }
    found
}

/// The passages of an observation; one that reports a failure, or that nothing was found, has none.
fn passages(call: &Call) -> Vec<Context> {
    let observation = call.observation.as_str();
    if observation.trim().is_empty() || is_status(observation) || [NO_ANSWER, TOO_SHORT].contains(&observation) {
        return Vec::new();
    }
    match call.name.as_str() {
        GRAPH => vec![Context { title: GRAPH_TITLE.to_owned(), text: observation.to_owned() }],
        SEARCH => lines(observation),
        _ => Vec::new(),
    }
}

/// Splits a search's observation into its passages, each without the words that its end cuts off.
fn lines(observation: &str) -> Vec<Context> {
    let mut found: Vec<Context> = Vec::new();
    for line in observation.split('\n') {
        match (titled(line), found.last_mut()) {
            (Some((title, text)), _) => found.push(Context { title: title.to_owned(), text: text.to_owned() }),
            (None, Some(passage)) => {
                passage.text.push('\n');
                passage.text.push_str(line);
            }
            (None, None) => {}
        }
    }
    for passage in &mut found {
        if passage.text.chars().count() >= SHOWN_CHARS
            && let Some(end) = last_end(&passage.text)
        {
            passage.text.truncate(end);
        }
    }
    found
}

/// Where the last whole sentence or line ends; a full stop inside a code or a number ends none.
fn last_end(text: &str) -> Option<usize> {
    let ends = text.char_indices().rev().find(|(at, mark)| {
        let goes_on = text[at + mark.len_utf8()..].starts_with(|next: char| !next.is_whitespace());
        *mark == '\n' || matches!(mark, '.' | '!' | '?') && !goes_on
    });
    ends.map(|(at, mark)| at + mark.len_utf8())
}

/// The title and the text of a line that begins a passage: a path of the corpus stands before a colon.
fn titled(line: &str) -> Option<(&str, &str)> {
    let (title, text) = line.strip_prefix("- ")?.split_once(": ")?;
    (title.contains('/') && title.contains('.')).then_some((title, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_read_back_as_passages() {
        let long = format!("One. T1547.{}", "x".repeat(195));
        let observation = format!("- a/b.md: # Title\n\n- Owner: Ann.\n- a/c.txt: {long}");
        let found = lines(&observation);
        assert_eq!(found[0], Context { title: "a/b.md".to_owned(), text: "# Title\n\n- Owner: Ann.".to_owned() });
        assert_eq!(found[1], Context { title: "a/c.txt".to_owned(), text: "One.".to_owned() });
        assert_eq!(found.len(), 2);
    }
}
