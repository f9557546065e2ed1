//! A LightRAG server in the place of our own graph: TV-38, TV-39, TV-40.

use super::support::{Served, Site, alias, config};
use crate::stub::{Reply, Stub};
use ragsql::gateway::graph::{LightRag, answer_of};
use ragsql::gateway::{GatewayError, start};
use serde_json::json;

async fn served(site: &Site, stub: &Stub, key: Option<&str>) -> Served {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut config = config(site);
    config.graph.lightrag = Some(LightRag::new(&format!("{}/", stub.url), key).unwrap());
    Served::ready(config).await
}

#[tokio::test]
async fn a_server_is_asked_under_the_profile_and_its_answer_carries_a_marker() {
    let site = Site::new();
    let stub = Stub::start(|_| Reply::json(json!({"response": "Graph says blue."}))).await;
    let served = served(&site, &stub, Some("k-1")).await;
    let (status, body) = served.ask("graph-rag-fast", "What is blue?").await;
    assert_eq!(status, 200, "{body}");
    let extension = &body["rag_showcase"];
    assert_eq!(extension["answer"], "Graph says blue.");
    assert_eq!(extension["lightrag"], json!({"query_profile": "graph-rag-fast"}));
    let source = &extension["sources"][0];
    assert_eq!((&source["title"], &source["score"]), (&json!("LightRAG knowledge graph"), &json!(null)));
    assert!(source["snippet"].as_str().unwrap().contains("graph-rag-fast"));
    let metrics = &extension["metrics"];
    assert_eq!((&metrics["chunks"], &metrics["llm_calls"], &metrics["cloud_calls"]), (&json!(0), &json!(1), &json!(0)));
    let seen = stub.seen();
    assert_eq!(seen.len(), 1, "ingestion sends nothing");
    assert_eq!(
        (seen[0].path.as_str(), seen[0].header("x-api-key"), seen[0].header("authorization")),
        ("/query", "k-1", "")
    );
    let expected = json!({"query": "What is blue?", "mode": "local", "enable_rerank": false, "top_k": 5,
        "chunk_top_k": 3, "max_total_tokens": 8000});
    assert_eq!(seen[0].body, expected);
    // A question that is too short is not sent: TV-38.
    let (status, body) = served.ask("graph-rag", " a ").await;
    assert_eq!((status, &body["rag_showcase"]["metrics"]["llm_calls"]), (200, &json!(1)));
    assert_eq!(body["rag_showcase"]["sources"].as_array().unwrap().len(), 1);
    assert_eq!(stub.seen().len(), 1);
    // Our own graph is not built beside it.
    let (_, list) = served.get("/api/rag/ingestions").await;
    assert_eq!(list["ingestions"][0]["phases"][5]["status"], "skipped");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn odd_replies_are_empty_answers_and_refusals_are_errors() {
    let site = Site::new();
    let stub = Stub::start(|seen| match seen.body["query"].as_str().unwrap() {
        "data" => Reply::json(json!({"data": "D"})),
        "list" => Reply::json(json!([1])),
        "zero" => Reply::json(json!({"response": 0, "data": ""})),
        "html" => Reply::text(200, "<html>"),
        _ => Reply::text(422, "no"),
    })
    .await;
    let served = served(&site, &stub, None).await;
    for (question, answer) in [("data", "D"), ("list", ""), ("zero", ""), ("html", "")] {
        let (status, body) = served.ask("graph-rag", question).await;
        assert_eq!((status, &body["rag_showcase"]["answer"]), (200, &json!(answer)), "TV-40 {question}");
    }
    let (status, body) = served.ask("graph-rag", "refuse").await;
    assert_eq!(status, 500, "TV-40");
    assert_eq!(body["error"]["code"], "model_failed");
    assert!(stub.seen().iter().all(|seen| seen.header("x-api-key").is_empty()));
    served.running.stop().await.unwrap();
}

#[test]
fn an_answer_that_is_no_text_is_shown_as_json() {
    // The reference showed Python's own notation; the neutral form is decision 5 of section 10.
    assert_eq!(answer_of(&json!({"response": {"a": 1}})), r#"{"a":1}"#);
    assert_eq!(answer_of(&json!({"response": [], "data": true})), "true");
    assert_eq!(answer_of(&json!({"response": null, "data": {}})), "");
    assert_eq!(answer_of(&json!("text")), "");
}

#[tokio::test]
async fn an_alias_without_a_profile_is_refused_at_the_start() {
    // The reference failed each request with status 500 (TV-39); decision 3 finds it at the start.
    let site = Site::new();
    let mut config = site.config();
    config.aliases.push(alias("graph-rag-deep", "graph-rag", "deep", &[]));
    let Err(GatewayError::Configuration(message)) = start(config).await else { panic!("it started") };
    assert!(message.contains("`graph-rag-deep` has no graph query profile"), "{message}");
    let mut config = super::support::config(&site);
    config.graph.profiles[0].fields.insert("top_k".to_owned(), json!("ten"));
    let Err(GatewayError::Configuration(message)) = start(config).await else { panic!("it started") };
    assert!(message.contains("`top_k` of the graph query profile `graph-rag`"), "{message}");
}
