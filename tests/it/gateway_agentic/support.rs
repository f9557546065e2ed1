//! A served gateway whose agent, and whose graph, are scripted services; and the vectors, when they are there.

pub use crate::gateway::support::{Served, Site, alias};
use crate::stub::{Reply, Stub};
use ragsql::gateway::graph::LightRag;
use ragsql::gateway::remote::{ChatClient, Prompt, PromptKind, RemotePlanner, Settings};
use ragsql::gateway::{Config, Param};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A document that a search for `sky` finds first: more than 200 characters, not all of them ASCII.
pub fn sky() -> String {
    format!("The sky over the harbour. {}", "é1 ".repeat(100))
}

/// A corpus of the sky and of something else.
pub fn sky_site() -> Site {
    let site = Site::empty();
    site.write("a.md", sky().as_bytes());
    site.write("b.md", b"beta");
    site
}

/// What a search for `sky` shows.
pub fn observed() -> String {
    let beginning: String = sky().chars().take(200).collect();
    format!("- harbor/a.md: {beginning}\n- harbor/b.md: beta")
}

/// The aliases of the agent and of routing, beside those of the site.
pub fn config(site: &Site) -> Config {
    let mut config = site.config();
    config.aliases.push(alias("agentic-rag", "agentic-rag", "default", &[]));
    let deeper = [("max_steps", Param::Integer(8)), ("vector_top_k", Param::Integer(1))];
    config.aliases.push(alias("agentic-rag-deeper", "agentic-rag", "deeper", &deeper));
    config.aliases.push(alias("n8n-adaptive-rag", "n8n-adaptive-rag", "default", &[]));
    config
}

/// A chat client for a stub, without further attempts.
pub fn chat(stub: &Stub) -> ChatClient {
    let settings = Settings {
        endpoint: format!("{}/v1", stub.url),
        model: "scripted-chat".to_owned(),
        api_key: None,
        timeout_s: 20.0,
        max_concurrency: 4,
        max_batch: 1,
        request_defaults: Map::new(),
        retries: 0,
    };
    ChatClient::new(&settings).unwrap()
}

/// Serves a corpus with an agent that replies as scripted, the last reply for ever, and a LightRAG server.
pub struct Scene {
    pub served: Served,
    pub agent: Stub,
    pub graph: Stub,
}

impl Scene {
    pub async fn start(mut config: Config, turns: Vec<Value>, graph: Reply) -> Self {
        let agent = Stub::start(move |seen| Reply::json(turns[seen.number.min(turns.len() - 1)].clone())).await;
        let graph = Stub::start(move |_| graph.clone()).await;
        let prompt = Prompt::built_in(PromptKind::Agent).unwrap();
        config.roles.agentic = Arc::new(RemotePlanner::new(chat(&agent), &prompt).unwrap());
        config.graph.lightrag = Some(LightRag::new(&graph.url, None).unwrap());
        Self { served: Served::ready(config).await, agent, graph }
    }

    /// Asks the agent and gives the extension.
    pub async fn ask(&self, model: &str) -> Value {
        let (status, body) = self.served.ask(model, "What colour is it?").await;
        assert_eq!(status, 200, "{body}");
        body["rag_showcase"].clone()
    }

    /// The messages of the last request to the agent, with this role.
    pub fn last_messages(&self, role: &str) -> Vec<Value> {
        let seen = self.agent.seen();
        let messages = seen.last().unwrap().body["messages"].as_array().unwrap().clone();
        messages.into_iter().filter(|message| message["role"] == role).collect()
    }

    pub async fn stop(self) {
        self.served.running.stop().await.unwrap();
    }
}

/// A reply with one choice.
pub fn turn(message: Value) -> Value {
    json!({"choices": [{"index": 0, "message": message}], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}})
}

pub fn says(text: &str) -> Value {
    turn(json!({"role": "assistant", "content": text}))
}

/// A call with arguments as the model wrote them.
pub fn call(id: Value, name: &str, arguments: Value) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

pub fn calls(text: &str, calls: Vec<Value>) -> Value {
    turn(json!({"role": "assistant", "content": text, "tool_calls": calls}))
}

pub fn searches(query: &str) -> Value {
    let arguments = json!(json!({"query": query}).to_string());
    calls("", vec![call(json!("c1"), "search_vectors", arguments)])
}

/// The only source's text.
pub fn trace(extension: &Value) -> &str {
    let sources = extension["sources"].as_array().unwrap();
    assert_eq!((sources.len(), &sources[0]["title"]), (1, &json!("🤖 Agent trace")));
    assert_eq!(sources[0]["score"], Value::Null);
    sources[0]["snippet"].as_str().unwrap()
}

/// A vector's extension with our wording and our documents in it; null without the vectors.
pub fn vector(key: &str) -> Option<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/contract/gateway-vectors.json");
    let text = std::fs::read_to_string(path);
    println!(
        "vectors: {}",
        if text.is_ok() { "../shared and the values in this test" } else { "the values in this test" }
    );
    let all: Value = serde_json::from_str(&text.ok()?).unwrap();
    let beginning: String = sky().chars().take(200).collect();
    let mut text = all["agentic_and_n8n"][key]["ext"].to_string();
    for (mask, ours) in [
        ("- a.md", "- harbor/a.md".to_owned()),
        ("- b.md", "- harbor/b.md".to_owned()),
        ("⟦alpha×200ch⟧", beginning),
        ("⟦NO_RETRIEVAL⟧", "The model answered without calling a tool.".to_owned()),
        ("⟦STEP_LIMIT⟧", "No answer was reached within the allowed number of steps (MAX_STEPS).".to_owned()),
        ("⟦NO_MODEL_RESPONSE⟧", "The model gave no response.".to_owned()),
        ("⟦EMPTY_QUERY⟧", "[the query is empty; give it some words]".to_owned()),
        ("⟦SHORT_GRAPH_QUERY⟧", "[the query is too short for the graph; give it three characters or more]".to_owned()),
        ("⟦UNKNOWN_TOOL:⟧", "[there is no tool ``]".to_owned()),
        ("⟦UNKNOWN_TOOL:fly⟧", "[there is no tool `fly`]".to_owned()),
        ("⟦TOOL_FAILED:search_vectors:HTTPStatusError⟧", "[the tool `search_vectors` failed: ModelError]".to_owned()),
        ("⟦TOOL_FAILED:query_graph:HTTPStatusError⟧", "[the tool `query_graph` failed: ModelError]".to_owned()),
    ] {
        text = text.replace(mask, &ours);
    }
    assert!(!text.contains('⟦'), "{text}");
    Some(serde_json::from_str(&text).unwrap())
}

/// Compares an extension with a vector, but for the time.
pub fn agrees(key: &str, extension: &Value) {
    if let Some(mut expected) = vector(key) {
        expected["metrics"]["seconds"] = extension["metrics"]["seconds"].clone();
        assert_eq!(*extension, expected, "{key}");
    }
}
