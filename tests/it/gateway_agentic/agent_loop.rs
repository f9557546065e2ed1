//! The loop of `agentic-rag`: vectors TV-103 to TV-110 (`contract/gateway.md` section 7.13).

use super::support::*;
use crate::gateway::support::Gated;
use crate::stub::Reply;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const SKY: &str = "{\"query\":\"sky\"}";

fn graph_says(text: &str) -> Reply {
    Reply::json(json!({"response": text}))
}

fn llm_calls(extension: &Value) -> u64 {
    extension["metrics"]["llm_calls"].as_u64().unwrap()
}

#[tokio::test]
async fn an_answer_without_tools_has_an_empty_trace() {
    let scene = Scene::start(config(&sky_site()), vec![says("Blue.")], graph_says("")).await;
    let extension = scene.ask("agentic-rag").await;
    assert_eq!((extension["answer"].as_str(), llm_calls(&extension)), (Some("Blue."), 1), "TV-103");
    assert_eq!(trace(&extension), "The model answered without calling a tool.");
    assert_eq!(scene.agent.count(), 1);
    let body = scene.agent.seen()[0].body.clone();
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 4, "{keys:?}");
    let names: Vec<&Value> = body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(names, ["search_vectors", "query_graph"]);
    assert_eq!(body["tools"][0]["function"]["parameters"]["required"], json!(["query"]));
    assert_eq!(
        (&body["messages"][0]["role"], &body["messages"][1]["content"]),
        (&json!("system"), &json!("What colour is it?"))
    );
    agrees("direct answer", &extension);
    scene.stop().await;
}

#[tokio::test]
async fn a_search_is_observed_and_its_thought_is_shown() {
    let first = calls(" think ", vec![call(json!("c1"), "search_vectors", json!(SKY))]);
    let scene = Scene::start(config(&sky_site()), vec![first.clone(), says("Blue.")], graph_says("")).await;
    let (status, body) = scene.served.ask("agentic-rag", "What colour is it?").await;
    assert_eq!((status, &body["usage"]["total_tokens"]), (200, &json!(10)), "both turns: {body}");
    let extension = &body["rag_showcase"];
    let expected = format!(
        "**Step 1.** **Thought:** think\n\n**Action:** `search_vectors(sky)`\n\n**Observation:** {}",
        observed()
    );
    assert_eq!((trace(extension), llm_calls(extension)), (expected.as_str(), 3), "TV-104");
    let tools = scene.last_messages("tool");
    assert_eq!(tools, [json!({"role": "tool", "tool_call_id": "c1", "content": observed()})]);
    assert_eq!(scene.last_messages("assistant"), [first["choices"][0]["message"].clone()], "it goes back unchanged");
    agrees("one search", extension);
    scene.stop().await;
}

#[tokio::test]
async fn two_calls_of_one_turn_get_ids_and_one_thought_and_long_observations_are_cut_in_the_trace_alone() {
    let both = vec![
        call(Value::Null, "search_vectors", json!(SKY)),
        call(json!(""), "query_graph", json!("{\"query\":\"hues\"}")),
    ];
    let scene =
        Scene::start(config(&sky_site()), vec![calls("plan", both), says("Blue.")], graph_says(&"G".repeat(310))).await;
    let extension = scene.ask("agentic-rag").await;
    let expected = format!(
        "**Step 1.** **Thought:** plan\n\n**Action:** `search_vectors(sky)`\n\n**Observation:** {}\n\n**Step 2.** **Action:** `query_graph(hues)`\n\n**Observation:** {}",
        observed(),
        "G".repeat(300)
    );
    assert_eq!((trace(&extension), llm_calls(&extension)), (expected.as_str(), 4), "TV-105");
    let tools = scene.last_messages("tool");
    assert_eq!((&tools[0]["tool_call_id"], &tools[1]["tool_call_id"]), (&json!("call_0_0"), &json!("call_0_1")));
    assert_eq!(tools[1]["content"], "G".repeat(310));
    assert_eq!(scene.last_messages("assistant")[0]["tool_calls"][1]["id"], "call_0_1");
    let asked = scene.graph.seen()[0].body.clone();
    assert_eq!(
        (&asked["query"], &asked["mode"], &asked["top_k"]),
        (&json!("hues"), &json!("hybrid"), &json!(10)),
        "no profile"
    );
    agrees("two tools one turn, ids missing", &extension);
    scene.stop().await;
}

#[tokio::test]
async fn a_model_that_never_stops_is_stopped() {
    let scene = Scene::start(config(&sky_site()), vec![searches("x")], graph_says("")).await;
    let extension = scene.ask("agentic-rag").await;
    assert_eq!((scene.agent.count(), llm_calls(&extension)), (4, 8), "TV-106");
    assert!(extension["answer"].as_str().unwrap().contains("MAX_STEPS"));
    let deeper = scene.ask("agentic-rag-deeper").await;
    assert_eq!((scene.agent.count(), llm_calls(&deeper)), (4 + 8, 16));
    assert!(trace(&deeper).contains("**Step 8.**") && !trace(&deeper).contains("\n- harbor"), "one hit a search");
    scene.stop().await;
}

#[tokio::test]
async fn bad_calls_are_answered_and_count_nothing() {
    let bad = [
        ("search_vectors", json!("{bad")),
        ("search_vectors", json!("[1]")),
        ("search_vectors", json!("{\"query\":5}")),
        ("query_graph", json!("{\"query\":\"ab \"}")),
        ("", json!("{}")),
        ("fly", json!("{\"query\":\"up\"}")),
        ("search_vectors", Value::Null),
    ];
    let bad =
        bad.into_iter().enumerate().map(|(at, (name, arguments))| call(json!((at + 1).to_string()), name, arguments));
    let scene =
        Scene::start(config(&sky_site()), vec![calls("", bad.collect()), says("ok")], graph_says("never")).await;
    let extension = scene.ask("agentic-rag").await;
    assert_eq!((extension["answer"].as_str(), llm_calls(&extension)), (Some("ok"), 2), "TV-107");
    assert_eq!((scene.last_messages("tool").len(), scene.graph.count()), (7, 0));
    assert!(trace(&extension).contains("**Step 7.** **Action:** `search_vectors()`"));
    assert!(trace(&extension).contains("`search_vectors(5)`\n\n**Observation:** [the query is empty"));
    agrees("bad args", &extension);
    scene.stop().await;
}

#[tokio::test]
async fn a_tool_that_fails_is_an_observation() {
    let open = Arc::new(AtomicBool::new(true));
    let site = sky_site();
    let mut settings = config(&site);
    settings.roles.embed = Arc::new(Gated { open: Arc::clone(&open) });
    let graph = calls("", vec![call(json!("1"), "query_graph", json!("{\"query\":\"hues\"}"))]);
    let turns = vec![searches("sky"), says("ok"), graph, says("ok")];
    let scene = Scene::start(settings, turns, Reply::status(500)).await;
    open.store(false, Ordering::SeqCst);
    for (tool, key) in [("search_vectors", "tool failure"), ("query_graph", "graph failure")] {
        let extension = scene.ask("agentic-rag").await;
        assert_eq!((extension["answer"].as_str(), llm_calls(&extension)), (Some("ok"), 2), "TV-108");
        assert!(trace(&extension).ends_with(&format!("**Observation:** [the tool `{tool}` failed: ModelError]")));
        agrees(key, &extension);
    }
    scene.stop().await;
}

#[tokio::test]
async fn a_silent_model_ends_the_conversation_and_a_failing_one_the_request() {
    let turns = vec![
        searches("sky"),
        json!({"choices": []}),
        turn(json!({"content": [{"type": "text"}]})),
        json!({"choices": [{}]}),
    ];
    let scene = Scene::start(config(&sky_site()), turns, graph_says("")).await;
    let extension = scene.ask("agentic-rag").await;
    assert_eq!(
        (extension["answer"].as_str(), llm_calls(&extension)),
        (Some("The model gave no response."), 3),
        "TV-109"
    );
    agrees("no choices second turn", &extension);
    for key in ["list content final", "no message"] {
        let extension = scene.ask("agentic-rag").await;
        assert_eq!((extension["answer"].as_str(), llm_calls(&extension)), (Some(""), 1), "TV-110");
        agrees(key, &extension);
    }
    scene.stop().await;
    let refused = json!({"error": {"message": "out of memory", "code": 500}});
    let scene = Scene::start(config(&sky_site()), vec![refused], graph_says("")).await;
    let (status, body) = scene.served.ask("agentic-rag", "What colour is it?").await;
    assert_eq!((status, &body["error"]["code"]), (500, &json!("model_failed")), "TV-109: {body}");
    scene.stop().await;
}

#[tokio::test]
async fn a_corpus_that_was_never_ingested_is_no_observation() {
    let site = sky_site();
    let mut settings = config(&site);
    settings.roles = ragsql::gateway::builtin::roles();
    let served = Served::start(settings).await;
    let (status, body) = served.ask("agentic-rag", "What colour is the sky?").await;
    assert_eq!((status, &body["error"]["code"]), (503, &json!("corpus_not_ready")), "{body}");
    served.running.stop().await.unwrap();
}
