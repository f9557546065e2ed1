//! `builtin/search-planner`: decides turn by turn which tool to call, and answers by quoting what was found.
//!
//! It speaks the messages of OpenAI's chat completions and keeps nothing: what it knows is in the conversation. It follows
//! shared words and names, understands neither, and never says what no observation says. Pure; equal conversations give
//! equal turns.

mod conversation;
mod wanted;

use super::answerer::{NO_ANSWER, answer};
use super::classifier::{COMPLEX, classify};
use crate::gateway::approaches::{GRAPH, SEARCH};
use crate::gateway::roles::TurnRequest;
use conversation::Conversation;
use serde_json::{Map, Value, json};

/// Calls of tools, each with the name and the query.
type Calls = Vec<(&'static str, String)>;

/// Says what to do next: what it says, and the message with it.
///
/// It searches for the question, asks the graph when the question has several steps or the passages do not answer it, then
/// looks for what is still missing and for a name that the findings lead to. It answers when nothing is left to look for,
/// when the last results bring nothing new, and in the last turn.
pub fn plan(request: &TurnRequest<'_>) -> (String, Map<String, Value>) {
    let conversation = Conversation::read(request.messages);
    let (thought, calls) = if request.turns_left > 1 { next(&conversation) } else { (String::new(), Vec::new()) };
    let offered = |name: &str| request.tools.iter().any(|tool| tool["function"]["name"] == name);
    let calls: Calls = calls.into_iter().filter(|(name, _)| offered(name)).collect();
    if calls.is_empty() {
        let text = answer(&conversation.question, &conversation.findings());
        return message(text, None);
    }
    let turn = conversation.turns_n;
    let calls: Vec<Value> = calls
        .into_iter()
        .enumerate()
        .map(|(position, (name, query))| {
            let arguments = json!({"query": query}).to_string();
            let function = json!({"name": name, "arguments": arguments});
            json!({"id": format!("call_{turn}_{position}"), "type": "function", "function": function})
        })
        .collect();
    message(thought, Some(calls))
}

/// What to call next, and why; no call when it is time to answer.
fn next(conversation: &Conversation) -> (String, Calls) {
    let question = &conversation.question;
    if wanted::terms(question).is_empty() {
        return (String::new(), Vec::new());
    }
    let is_complex = classify(question) == COMPLEX;
    if conversation.calls.is_empty() {
        let mut calls = vec![(SEARCH, question.clone())];
        let mut thought = "Search for the question.".to_owned();
        if is_complex {
            calls.push((GRAPH, question.clone()));
            thought = "The question has several parts: search for it, and ask the graph.".to_owned();
        }
        return (thought, calls);
    }
    if !conversation.last_turn_brought_news() {
        return (String::new(), Vec::new());
    }
    let findings = conversation.findings();
    let so_far = answer(question, &findings);
    if so_far == NO_ANSWER && !conversation.has_called(GRAPH, question) {
        return ("The passages do not answer it: ask the graph.".to_owned(), vec![(GRAPH, question.clone())]);
    }
    let fresh = |query: &String| !conversation.has_called(SEARCH, query);
    if let Some(query) = wanted::missing(question, &findings).filter(fresh) {
        return (format!("Nothing found so far mentions {query}."), vec![(SEARCH, query)]);
    }
    if is_complex && let Some(name) = wanted::bridge(question, &so_far, &conversation.queries()).filter(fresh) {
        return (format!("The findings lead to {name}."), vec![(SEARCH, name)]);
    }
    (String::new(), Vec::new())
}

fn message(content: String, calls: Option<Vec<Value>>) -> (String, Map<String, Value>) {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(content));
    message.extend(calls.map(|calls| ("tool_calls".to_owned(), Value::Array(calls))));
    (content, message)
}
