//! The built-in planner and classifier behind a served gateway, and on conversations of their own.

use super::support::*;
use ragsql::gateway::builtin::{COMPLEX, NO_ANSWER, SIMPLE, classify, plan};
use ragsql::gateway::roles::TurnRequest;
use serde_json::{Map, Value, json};

fn offered() -> Vec<Value> {
    ["search_vectors", "query_graph"].map(|name| json!({"type": "function", "function": {"name": name}})).to_vec()
}

fn next(messages: &[Value], turns_left: usize) -> Map<String, Value> {
    plan(&TurnRequest { messages, tools: &offered(), turns_left }).1
}

/// The calls of a message as (name, query).
fn called(message: &Map<String, Value>) -> Vec<(String, String)> {
    let calls = message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let read = |call: &Value| {
        let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
        (text(&call["function"]["name"]), text(&arguments["query"]))
    };
    calls.iter().map(read).collect()
}

fn pair(name: &str, query: &str) -> (String, String) {
    (name.to_owned(), query.to_owned())
}

/// Appends a turn and what its calls observe.
fn observe(messages: &mut Vec<Value>, message: Map<String, Value>, observations: &[&str]) {
    let ids: Vec<Value> = message["tool_calls"].as_array().unwrap().iter().map(|call| call["id"].clone()).collect();
    messages.push(Value::Object(message));
    assert_eq!(ids.len(), observations.len());
    for (id, observation) in ids.into_iter().zip(observations) {
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": observation}));
    }
}

fn asked(question: &str) -> Vec<Value> {
    vec![json!({"role": "system", "content": "s"}), json!({"role": "user", "content": question})]
}

#[test]
fn a_plain_question_is_searched_once_and_answered() {
    let mut messages = asked("What does Pump Alpha move?");
    let first = next(&messages, 4);
    assert_eq!(called(&first), [pair("search_vectors", "What does Pump Alpha move?")]);
    assert_eq!(first, next(&messages, 4), "equal conversations give equal turns");
    observe(&mut messages, first, &["- h/pump.md: # Pump Alpha\n\nPump Alpha moves water from the basin."]);
    let answer = next(&messages, 3);
    assert!(called(&answer).is_empty());
    assert_eq!(answer["content"], "Pump Alpha moves water from the basin.");
}

#[test]
fn what_is_missing_is_looked_for_and_the_graph_is_the_second_resort() {
    let question = "Who built the Valve Station?";
    let mut messages = asked(question);
    let first = next(&messages, 4);
    observe(&mut messages, first, &["- h/lock.md: Harbor Lock keeps ships afloat."]);
    let second = next(&messages, 3);
    assert_eq!(called(&second), [pair("query_graph", question)]);
    observe(&mut messages, second, &["Ann Marlow built the Valve Station in 2019."]);
    assert_eq!(next(&messages, 2)["content"], "Ann Marlow built the Valve Station in 2019.");

    let mut messages = asked("Does Pump Alpha report E-4417?");
    let first = next(&messages, 4);
    observe(&mut messages, first, &["- h/pump.md: Pump Alpha does report faults of Pump Alpha."]);
    let second = next(&messages, 3);
    assert_eq!(called(&second), [pair("query_graph", "Does Pump Alpha report E-4417?")], "no answer without the code");
    observe(&mut messages, second, &["Pump Alpha does report codes."]);
    assert_eq!(called(&next(&messages, 2)), [pair("search_vectors", "E-4417")]);
}

#[test]
fn a_question_of_several_parts_asks_both_tools_and_follows_a_name() {
    let question = "Which company both built Pump Alpha and repaired Harbor Lock?";
    let mut messages = asked(question);
    let first = next(&messages, 4);
    assert_eq!(called(&first), [pair("search_vectors", question), pair("query_graph", question)]);
    let passages = "- h/pump.md: The company Brightwater built Pump Alpha and repaired Harbor Lock, said Brightwater.";
    observe(&mut messages, first, &[passages, NO_ANSWER]);
    let second = next(&messages, 3);
    assert_eq!(called(&second), [pair("search_vectors", "Brightwater")]);
    observe(&mut messages, second, &[passages]);
    let answer = next(&messages, 2);
    assert!(called(&answer).is_empty(), "nothing new came");
    assert!(answer["content"].as_str().unwrap().contains("Brightwater built Pump Alpha"));
}

#[test]
fn the_planner_stops_in_its_last_turn_and_where_nothing_is_found() {
    let mut messages = asked("Who runs the Valve Station?");
    assert_eq!(next(&messages, 1)["content"], NO_ANSWER, "no turn is left for a tool");
    let first = next(&messages, 4);
    observe(&mut messages, first, &["[the tool `search_vectors` failed: ModelError]"]);
    let answer = next(&messages, 3);
    assert_eq!((called(&answer).len(), &answer["content"]), (0, &json!(NO_ANSWER)), "a failure is never quoted");
    for empty in ["", "   ", "?!"] {
        assert_eq!(next(&asked(empty), 4)["content"], NO_ANSWER, "{empty:?}");
    }
    let none: Vec<Value> = Vec::new();
    let request = TurnRequest { messages: &asked("Who runs the Valve Station?"), tools: &none, turns_left: 4 };
    assert!(!plan(&request).1.contains_key("tool_calls"), "only what is on offer is called");
}

#[test]
fn strange_conversations_are_read_as_far_as_they_go() {
    let strange = [
        json!(null),
        json!({"role": "tool", "tool_call_id": "x", "content": "y"}),
        json!({"role": "assistant", "tool_calls": [null, {"function": {"arguments": "{"}}]}),
        json!({"role": "user", "content": [1]}),
    ];
    assert!(next(&strange, 4).contains_key("content"));
    assert!(next(&[], 4).contains_key("content"));
}

#[tokio::test]
async fn the_built_in_agent_answers_over_http_the_same_way_every_time() {
    let site = Site::new();
    let served = Served::ready(config(&site)).await;
    let question = "What does error E-4417 mean?";
    let (status, first) = served.ask("agentic-rag", question).await;
    assert_eq!(status, 200, "{first}");
    let extension = &first["rag_showcase"];
    assert!(extension["answer"].as_str().unwrap().contains("stuck valve"), "{first}");
    assert!(trace(extension).starts_with("**Step 1.** **Thought:** Search for the question."), "{first}");
    assert!(extension["metrics"]["llm_calls"].as_u64().unwrap() >= 3);
    assert_eq!(extension["metrics"]["chunks"], 0);
    let (_, second) = served.ask("agentic-rag", question).await;
    assert_eq!(
        (&extension["answer"], &extension["sources"]),
        (&second["rag_showcase"]["answer"], &second["rag_showcase"]["sources"])
    );
    let (_, health) = served.get("/health").await;
    assert_eq!(health["roles"]["agentic"], "builtin/search-planner");
    assert_eq!(health["roles"]["classifier"], "builtin/complexity-classifier");
    assert_eq!(health["routing"], "builtin");
    let (_, all) = served.get("/rag/health").await;
    assert_eq!(all["approaches"].as_array().unwrap().len(), 6);
    served.running.stop().await.unwrap();
}

#[test]
fn the_project_s_questions_fall_into_both_classes() {
    let classes = |file: &str| {
        let path = format!("{}/demo/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let questions = text.lines().filter_map(|line| line.trim().strip_prefix("query: "));
        let (complex, simple): (Vec<&str>, Vec<&str>) =
            questions.map(|question| classify(question.trim_matches('"'))).partition(|class| *class == COMPLEX);
        assert!(simple.iter().all(|class| *class == SIMPLE));
        (complex.len(), simple.len())
    };
    let (complex, simple) = classes("graph_native_queries.yaml");
    assert!(complex > 2 * simple, "{complex} of them are complex, {simple} simple");
    let (complex, simple) = classes("cyber_threat_intel_queries.yaml");
    assert!(simple > complex && complex > 8, "{complex} of them are complex, {simple} simple");
    let (complex, simple) = classes("queries.yaml");
    assert!(simple > 0 && complex > 0, "{complex} of them are complex, {simple} simple");
}
