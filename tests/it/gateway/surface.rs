//! Routes, refusals, tokens.

use super::support::{Served, Site, request};
use ragsql::gateway::{GatewayError, Param, start};
use serde_json::{Value, json};

#[tokio::test]
async fn malformed_requests_are_refused_by_field() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    let messages = json!([{"role": "user", "content": "q"}]);
    let cases = [
        (json!({"model": "vanilla-rag", "messages": messages, "stream": null}), "stream", "bool_type"),
        (json!({"model": "vanilla-rag", "messages": messages, "stream": "true"}), "stream", "bool_type"),
        (json!({"messages": messages}), "model", "missing"),
        (json!({"model": 5, "messages": messages}), "model", "string_type"),
        (json!({"model": "vanilla-rag"}), "messages", "missing"),
        (json!({"model": "vanilla-rag", "messages": {}}), "messages", "list_type"),
        (json!({"model": "vanilla-rag", "messages": ["x"]}), "messages[0]", "dict_type"),
        (json!({"model": "vanilla-rag", "messages": messages, "temperature": "hot"}), "temperature", "float_type"),
    ];
    for (body, param, code) in cases {
        let (status, reply) = served.post("/v1/chat/completions", &body).await;
        assert_eq!(status, 422, "{body}: {reply}");
        assert_eq!(reply["error"]["param"], param, "TV-37");
        assert_eq!(reply["error"]["code"], code, "TV-37");
        assert_eq!(reply["error"]["type"], "invalid_request_error");
    }
    let deep = format!("{{\"model\":\"vanilla-rag\",\"messages\":[{}]}}", "[".repeat(300));
    for body in
        ["{".to_owned(), "[]".to_owned(), "{\"a\":1,\"a\":2}".to_owned(), "{\"a\":\"\\ud83d\"}".to_owned(), deep]
    {
        let (status, reply) = served.post_text("/v1/chat/completions", body.clone()).await;
        assert_eq!((status, &reply["error"]["code"]), (422, &json!("json_invalid")), "{body}");
    }
    let (status, _) = served.post_text("/v1/chat/completions", vec![0xff, 0xfe]).await;
    assert_eq!(status, 422);
    let (status, reply) = served.post_text("/v1/chat/completions", vec![b' '; 33 * 1024 * 1024]).await;
    assert_eq!((status, &reply["error"]["code"]), (413, &json!("body_too_large")));
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn wrong_paths_and_methods_have_the_error_shape_of_their_surface() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    for path in ["/v1/nope", "/rag/vanilla-rag/v1/nope"] {
        let (status, body) = served.get(path).await;
        assert_eq!((status, &body["error"]["message"]), (404, &json!("Not Found")), "{path}");
    }
    for path in ["/nope", "/api/rag/nope"] {
        assert_eq!(served.get(path).await, (404, json!({"detail": "Not Found"})), "{path}");
    }
    let (status, body) = served.get("/v1/chat/completions").await;
    assert_eq!((status, &body["error"]["code"]), (405, &json!("method_not_allowed")));
    assert_eq!(served.get("/api/rag/evaluate").await, (405, json!({"detail": "Method Not Allowed"})));
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn the_inventory_names_models_approaches_and_aliases() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    let (status, health) = served.get("/health").await;
    assert_eq!((status, &health["status"]), (200, &json!("ok")));
    assert_eq!(health["roles"]["embed"], "builtin/hashed-subword-256");
    assert_eq!(health["collection"], "RagBase_harbor");
    let (_, rag) = served.get("/rag/health").await;
    let bases = ["agentic-rag", "contextual-rag", "graph-rag", "hybrid-rag", "n8n-adaptive-rag", "vanilla-rag"];
    assert_eq!(rag["approaches"], json!(bases));
    assert_eq!(rag["experimental_approaches"], json!(["lazy-graph-rag"]));
    let (_, models) = served.get("/v1/models").await;
    let ids: Vec<&Value> = models["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(ids, ["vanilla-rag", "vanilla-rag-wide", "hybrid-rag", "hybrid-rag-fast", "lazy-graph-rag"]);
    assert_eq!(models["data"][3]["base_approach"], "hybrid-rag");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn sampling_fields_have_no_effect_and_are_named() {
    let site = Site::new();
    let served = Served::ready(site.config()).await;
    let (_, plain) = served.ask("vanilla-rag", "What powers the Valve Station?").await;
    let mut body = request("vanilla-rag", "What powers the Valve Station?");
    body["temperature"] = json!(0.9);
    body["cache"] = json!({"no-cache": true});
    let url = format!("{}/v1/chat/completions", served.base);
    let response = served.client.post(url).body(body.to_string()).send().await.unwrap();
    assert_eq!(response.status(), 200, "TV-36");
    assert_eq!(response.headers()["x-ignored"], "cache, temperature");
    let reply: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(reply["rag_showcase"]["answer"], plain["rag_showcase"]["answer"]);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn embeddings_come_in_order_and_unknown_models_are_refused() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    let model = "builtin/hashed-subword-256";
    let (status, body) = served.post("/v1/embeddings", &json!({"model": model, "input": ["one", "two", ""]})).await;
    assert_eq!(status, 200, "{body}");
    let data = body["data"].as_array().unwrap();
    assert_eq!(data.len(), 3);
    assert_eq!(data[1]["index"], 1);
    let (_, single) = served.post("/v1/embeddings", &json!({"model": model, "input": "two"})).await;
    assert_eq!(single["data"][0]["embedding"], data[1]["embedding"]);
    assert_eq!(data[2]["embedding"].as_array().unwrap().len(), 256);
    let (status, body) = served.post("/v1/embeddings", &json!({"model": "other", "input": "two"})).await;
    assert_eq!((status, &body["error"]["code"]), (400, &json!("model_not_found")));
    let (status, _) = served.post("/v1/embeddings", &json!({"model": model, "input": [[1, 2]]})).await;
    assert_eq!(status, 422);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn evaluation_scores_records_and_refuses_unknown_metrics() {
    let site = Site::new();
    let served = Served::start(site.config()).await;
    let context = "Grid Nine powers the Valve Station.";
    let record = json!({"question": "What powers the Valve Station?", "answer": context, "contexts": [context]});
    let mut body = json!({"records": [record], "metrics": ["faithfulness"]});
    let (status, reply) = served.post("/api/rag/evaluate", &body).await;
    assert_eq!(status, 200, "{reply}");
    assert_eq!(reply["results"][0]["scores"]["faithfulness"].as_f64(), Some(1.0));
    assert_eq!(reply["evaluator_model"], "builtin/lexical-evaluator");
    body["metrics"] = json!(["beauty"]);
    let (status, reply) = served.post("/api/rag/evaluate", &body).await;
    assert_eq!(status, 400, "{reply}");
    assert!(reply["detail"].as_str().unwrap().contains("`beauty`"));
    let (status, reply) = served.post("/api/rag/evaluate", &json!({"records": 5, "metrics": []})).await;
    assert_eq!((status, reply["detail"].is_string()), (422, true));
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_token_protects_everything_but_health() {
    let site = Site::new();
    let mut config = site.config();
    config.token = Some("secret-word".to_owned());
    let served = Served::start(config).await;
    assert_eq!(served.get("/health").await.0, 200);
    let (status, body) = served.get("/v1/models").await;
    assert_eq!((status, &body["error"]["code"]), (401, &json!("invalid_api_key")));
    let (status, body) = served.post("/api/rag/ingestions", &json!({"profile": "harbor"})).await;
    assert_eq!((status, body["detail"].is_string()), (401, true));
    for (token, wanted) in [("secret-word", 200), ("secret-wor", 401), ("", 401)] {
        let response = served.client.get(format!("{}/v1/models", served.base)).bearer_auth(token).send().await.unwrap();
        assert_eq!(response.status().as_u16(), wanted, "{token}");
    }
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_configuration_that_contradicts_itself_does_not_start() {
    let site = Site::new();
    let mut open = site.config();
    open.bind = "0.0.0.0:0".parse().unwrap();
    assert!(matches!(start(open).await, Err(GatewayError::TokenNeeded { .. })));
    let mut blank = site.config();
    blank.token = Some(" ".to_owned());
    let mut unknown = site.config();
    unknown.active_profile = "nope".to_owned();
    let mut twice = site.config();
    twice.aliases.push(twice.aliases[0].clone());
    let mut base = site.config();
    base.aliases[0].base = "magic-rag".to_owned();
    let mut parameter = site.config();
    parameter.aliases[0].params.insert("retrieve_k".to_owned(), Param::Integer(3));
    let mut kind = site.config();
    kind.aliases[0].params.insert("k".to_owned(), Param::Switch(true));
    let cases = [
        (blank, "token is blank"),
        (unknown, "`nope`"),
        (twice, "appears twice"),
        (base, "unknown base `magic-rag`"),
        (parameter, "unknown parameter `retrieve_k`"),
        (kind, "`k` of the alias `vanilla-rag` must be a whole number"),
    ];
    for (config, words) in cases {
        match start(config).await {
            Err(GatewayError::Configuration(message)) => assert!(message.contains(words), "{message}"),
            Err(other) => panic!("{words}: {other}"),
            Ok(_) => panic!("{words}: it started"),
        }
    }
}
