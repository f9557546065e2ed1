//! One cell against a scripted gateway: requests, attempts, classification, rows.

use super::support::{cells, config, ran, row_of};
use crate::stub::{Reply, Stub};
use ragsql::evidence::row::row_id;
use ragsql::runner::{AttemptOutcome, Event};
use ragsql::wire::call::Endpoint;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn error_of(row: &Value) -> (&str, &str, &str, u64) {
    let text = |value: &'_ Value| value.as_str().map(str::to_owned);
    assert!(text(&row["error"]["message"]).is_some_and(|message| !message.is_empty()), "{row}");
    (
        row["status"].as_str().unwrap(),
        row["error"]["type"].as_str().unwrap(),
        row["error"]["message"].as_str().unwrap(),
        row["metrics"]["operational"]["attempts"].as_u64().unwrap(),
    )
}

#[tokio::test]
async fn the_request_has_the_contracts_keys_and_the_row_all_twelve() {
    let stub = Stub::start(|_| Reply::answer("Seven.")).await;
    let mut config = config(&stub, 1, 1);
    config.gateway.endpoint = config.gateway.endpoint.bearer("sk-1").unwrap();
    let row = row_of(&config).await;
    let seen = &stub.seen()[0];
    assert_eq!(
        seen.body.to_string(),
        concat!(
            r#"{"model":"heron","messages":[{"role":"user","content":"What is 0?"}],"#,
            r#""cache":{"no-cache":true,"no-store":true}}"#
        )
    );
    assert_eq!((seen.path.as_str(), seen.header("authorization")), ("/v1/chat/completions", "Bearer sk-1"));
    let keys: Vec<&String> = row.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "approach",
            "dataset",
            "error",
            "evidence",
            "metrics",
            "question",
            "reproducibility",
            "row_id",
            "run_id",
            "runner_version",
            "schema_version",
            "status"
        ]
    );
    assert_eq!(
        (&row["status"], &row["evidence"]["answer"], &row["error"]),
        (&json!("ok"), &json!("Seven."), &Value::Null)
    );
    assert_eq!(row["row_id"], row_id("run", "ds", "q0", "heron"));
    assert_eq!(row["metrics"]["operational"]["server"], Value::Null);
    assert!(row["metrics"]["operational"].as_object().unwrap().contains_key("server"));
    assert_eq!(row["metrics"]["ragas"]["status"], "disabled");
    assert_eq!(row["metrics"]["judge_panel"], json!({"status": "disabled"}));
}

#[tokio::test]
async fn a_strict_gateway_is_not_asked_again_and_its_field_is_named() {
    let script = |seen: &crate::stub::Seen| match seen.body.as_object().unwrap().keys().find(|key| *key == "cache") {
        Some(key) => Reply::text(400, &format!("{{\"error\":{{\"message\":\"unknown field {key}\"}}}}")),
        None => Reply::answer("fine"),
    };
    let stub = Stub::start(script).await;
    let mut config = config(&stub, 3, 1);
    let row = row_of(&config).await;
    let (status, kind, message, attempts) = error_of(&row);
    assert_eq!((status, kind, attempts, stub.count()), ("error", "HTTPStatusError", 1, 1));
    assert!(message.contains("400") && message.contains("unknown field cache"), "{message}");
    config.gateway.refuse_cache = false;
    assert_eq!(row_of(&config).await["evidence"]["answer"], "fine");
}

#[tokio::test]
async fn every_attempt_is_told_and_the_row_counts_them() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::status(500),
        1 => Reply::text(200, "<html>busy</html>"),
        _ => Reply::answer("better"),
    })
    .await;
    let ran = ran(&config(&stub, 2, 1), &cells(1, &["heron"])).await;
    assert_eq!((&ran.rows[0]["status"], &ran.rows[0]["metrics"]["operational"]["attempts"]), (&json!("ok"), &json!(3)));
    let told: Vec<(u32, Option<&str>)> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            Event::AttemptFinished { attempt, outcome: AttemptOutcome::Answered, .. } => Some((*attempt, None)),
            Event::AttemptFinished { attempt, outcome: AttemptOutcome::Failed { error_type, .. }, .. } => {
                Some((*attempt, Some(*error_type)))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [(1, Some("HTTPStatusError")), (2, Some("JSONDecodeError")), (3, None)]);
    assert_eq!(ran.events.iter().filter(|event| matches!(event, Event::CellRetry { .. })).count(), 2);
}

#[tokio::test]
async fn a_failed_row_is_empty_of_evidence() {
    let stub = Stub::start(|_| Reply::status(500)).await;
    let row = row_of(&config(&stub, 1, 1)).await;
    assert_eq!(error_of(&row).3, 2);
    assert_eq!(
        row["evidence"],
        json!({
            "answer": "", "raw_content": "", "contexts": [], "sources": [], "token_usage": {}, "server_metrics": null,
            "response_id": null, "response_model": null, "transport": null
        })
    );
    let keys: Vec<&String> = row["metrics"]["operational"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["attempts", "latency_ms"]);
    assert_eq!(row["metrics"]["ragas"], json!({"status": "not_run", "requested": [], "scores": {}}));
}

#[tokio::test]
async fn faults_of_the_request_and_redirects_are_classified() {
    for (status, calls) in [(400, 1), (401, 1), (403, 1), (404, 1), (422, 1), (302, 2), (408, 2), (409, 2), (503, 2)] {
        let stub = Stub::start(move |_| Reply::status(status).with("location", "/elsewhere")).await;
        let row = row_of(&config(&stub, 1, 1)).await;
        assert_eq!((error_of(&row).1, stub.count()), ("HTTPStatusError", calls), "{status}");
        assert!(stub.seen().iter().all(|seen| seen.path == "/v1/chat/completions"));
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_normalised_is_never_asked_for_again() {
    for body in [r#"{"choices":[]}"#, r#"{"choices":[{"message":{"content":null}}]}"#, "null", "[]"] {
        let stub = Stub::start(move |_| Reply::text(200, body)).await;
        let row = row_of(&config(&stub, 3, 1)).await;
        let (status, kind, _, attempts) = error_of(&row);
        assert_eq!((status, kind, attempts, stub.count()), ("error", "ValueError", 1, 1), "{body}");
    }
}

#[tokio::test]
async fn the_deadline_covers_the_whole_attempt() {
    for reply in [Reply::Hang, Reply::Trickle] {
        let stub = Stub::start(move |_| reply.clone()).await;
        let mut config = config(&stub, 1, 1);
        config.timeout_s = 0.1;
        let started = Instant::now();
        let row = row_of(&config).await;
        let (status, kind, _, attempts) = error_of(&row);
        assert_eq!((status, kind, attempts), ("timeout", "ReadTimeout", 2));
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        assert!(row["metrics"]["operational"]["latency_ms"].as_u64().unwrap() >= 200);
    }
}

#[tokio::test]
async fn the_last_failure_decides_the_status() {
    let stub = Stub::start(|seen| if seen.number == 0 { Reply::Hang } else { Reply::status(500) }).await;
    let mut config = config(&stub, 1, 1);
    config.timeout_s = 0.1;
    let row = row_of(&config).await;
    assert_eq!((error_of(&row).0, error_of(&row).1), ("error", "HTTPStatusError"));
}

#[tokio::test]
async fn broken_and_refused_connections_have_their_names() {
    let stub = Stub::start(|_| Reply::Break).await;
    assert_eq!(error_of(&row_of(&config(&stub, 0, 1)).await).1, "RemoteProtocolError");

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://ann:hush-hush@{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let mut config = config(&stub, 0, 1);
    config.gateway.endpoint = Endpoint::new(&url).unwrap();
    let row = row_of(&config).await;
    let (status, kind, message, _) = error_of(&row);
    assert_eq!((status, kind), ("error", "ConnectError"));
    assert!(!message.contains("hush-hush") && !message.contains("ann"), "{message}");
}

#[tokio::test]
async fn a_key_that_a_service_echoes_never_reaches_a_row() {
    let stub = Stub::start(|seen| Reply::text(401, &format!("bad header {}", seen.header("authorization")))).await;
    let mut config = config(&stub, 0, 1);
    config.gateway.endpoint = config.gateway.endpoint.bearer("sk-very-secret").unwrap();
    let ran = ran(&config, &cells(1, &["heron"])).await;
    assert!(ran.rows[0]["error"]["message"].as_str().unwrap().contains("***"), "{}", ran.rows[0]);
    assert!(!format!("{:?} {:?}", ran.rows, ran.events).contains("sk-very-secret"));
}

#[tokio::test]
async fn answer_only_approaches_keep_sources_and_lose_contexts() {
    let extension = json!({"schema_version": 1, "answer": "A", "sources": [{"title": "t", "snippet": "s"}]});
    let body = json!({"choices": [{"message": {"content": "x"}}], "rag_showcase": extension});
    let stub = Stub::start(move |_| Reply::json(body.clone())).await;
    let mut planned = cells(1, &["heron"]);
    planned[0].capability = ragsql::experiment::manifest::EvidenceCapability::AnswerOnly;
    let row = ran(&config(&stub, 0, 1), &planned).await.rows.remove(0);
    assert_eq!((&row["evidence"]["contexts"], &row["evidence"]["sources"][0]["title"]), (&json!([]), &json!("t")));
    assert_eq!(row["approach"]["evidence_capability"], "answer_only");
}

#[tokio::test]
async fn a_wrapped_refusal_is_retried_like_a_real_one() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::json(json!({"error": {"code": 429, "message": "slow down"}, "choices": null})),
        _ => Reply::answer("ok"),
    })
    .await;
    let row = row_of(&config(&stub, 1, 1)).await;
    assert_eq!((&row["status"], &row["metrics"]["operational"]["attempts"]), (&json!("ok"), &json!(2)));
}
