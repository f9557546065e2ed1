//! Submitting a corpus and following its job: vectors TV-117 to TV-119 (`contract/gateway.md` sections 3.2 and 7.15).

use crate::stub::{Reply, Seen, Stub};
use ragsql::wire::ingest::client::{IngestError, Ingested, Submission, ingest};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A gateway that accepts job `j 7` and answers the looks at it in turn; the last answer stays.
async fn gateway(looks: Vec<Reply>) -> Stub {
    let turn = AtomicUsize::new(0);
    Stub::start(move |seen: &Seen| {
        if seen.path.starts_with("/api/rag/ingestions/") {
            let turn = turn.fetch_add(1, Ordering::SeqCst);
            return looks[turn.min(looks.len() - 1)].clone();
        }
        Reply::json(json!({"ingestion_id": 7, "job_id": "j7", "status": "pending", "message": "queued"}))
    })
    .await
}

fn status(status: Value) -> Reply {
    Reply::json(json!({"id": "7", "profile": "p1", "status": status}))
}

async fn submitted(stub: &Stub, budget_s: f64) -> Result<Ingested, IngestError> {
    let base_url = &format!("{}/", stub.url);
    let (token, corpus_path) = (Some(" tok "), Some("sub"));
    ingest(&Submission { base_url, token, profile: "p1", corpus_path, budget_s, poll_s: 0.0 }).await
}

#[tokio::test]
async fn tv_117_looks_that_fail_are_repeated_and_the_record_comes_back_as_it_is() {
    let record = json!({"status": "completed", "counts": {"chunks": 3}, "other": [1]});
    let looks = vec![
        Reply::status(502),
        Reply::text(200, "<html>"),
        Reply::json(json!([1])),
        status(json!("running")),
        Reply::json(record.clone()),
    ];
    let stub = gateway(looks).await;
    let ingested = submitted(&stub, 60.0).await.unwrap();
    assert_eq!((Value::Object(ingested.record), ingested.was_there), (record, false));
    let seen = stub.seen();
    assert_eq!(seen[0].path, "/api/rag/ingestions");
    assert_eq!(seen[0].query.as_deref(), Some("async_job=true"));
    assert_eq!(seen[0].body, json!({"profile": "p1", "corpus_path": "sub"}));
    assert!(seen[1..].iter().all(|look| look.path == "/api/rag/ingestions/7"));
    assert!(seen.iter().all(|call| call.header("authorization") == "Bearer tok"));
    assert_eq!(seen.len(), 6);
}

#[tokio::test]
async fn tv_118_a_failed_job_says_phase_service_file_and_message_of_every_error() {
    let errors = json!([
        {"phase": "parse", "service": "", "file": "a.md", "message": "bad", "code": 5},
        {"phase": "drain", "service": "lightrag", "file": null, "message": "slow"},
        {},
        "odd",
    ]);
    let stub = gateway(vec![Reply::json(json!({"status": "failed", "errors": errors}))]).await;
    let error = submitted(&stub, 60.0).await.unwrap_err();
    let IngestError::Ended { status, details, .. } = error else { panic!("{error}") };
    assert_eq!((status.as_str(), details.as_str()), ("failed", "parse/a.md/bad; drain/lightrag/slow"));
}

#[tokio::test]
async fn tv_119_strange_statuses_are_waited_out_a_cancelled_job_is_an_error_and_a_blank_token_makes_no_call() {
    let stub = gateway(vec![status(json!("weird")), status(Value::Null), status(json!("completed"))]).await;
    assert_eq!(submitted(&stub, 60.0).await.unwrap().record["status"], "completed");
    let stub = gateway(vec![status(json!("cancelled"))]).await;
    let error = submitted(&stub, 60.0).await.unwrap_err().to_string();
    assert_eq!(error, "the ingestion of profile `p1` is cancelled: its record does not say why");
    let blank = Submission {
        base_url: &stub.url,
        token: Some(" \t"),
        profile: "p1",
        corpus_path: None,
        budget_s: 1.0,
        poll_s: 0.0,
    };
    let before = stub.count();
    assert!(matches!(ingest(&blank).await, Err(IngestError::BlankToken)));
    assert_eq!(stub.count(), before);
}

#[tokio::test]
async fn a_job_that_does_not_end_within_the_budget_is_named_with_its_last_status() {
    let stub = gateway(vec![status(json!("running"))]).await;
    let error = submitted(&stub, 0.0).await.unwrap_err().to_string();
    assert_eq!(error, "ingestion `7` of profile `p1` was still `running` after 0 s");
}

#[tokio::test]
async fn a_submission_that_is_refused_or_says_no_job_is_not_repeated() {
    let stub = Stub::start(|_| Reply::text(503, "busy")).await;
    assert!(matches!(submitted(&stub, 60.0).await, Err(IngestError::Refused(_))));
    assert_eq!(stub.count(), 1);
    let stub = Stub::start(|_| Reply::json(json!({"status": "pending"}))).await;
    assert!(matches!(submitted(&stub, 60.0).await, Err(IngestError::Reply(_))));
    assert_eq!(stub.count(), 1);
}

#[tokio::test]
async fn what_a_record_says_is_shown_in_part_and_without_our_token() {
    let long = "the file is broken ".repeat(500);
    let errors = json!([{"phase": "parse", "message": format!("401 for Bearer secret-token-1\u{1b}[31m {long}")}]);
    let stub = gateway(vec![Reply::json(json!({"status": "failed", "errors": errors}))]).await;
    let (base_url, token) = (stub.url.as_str(), Some("secret-token-1"));
    let submission = Submission { base_url, token, profile: "p1", corpus_path: None, budget_s: 60.0, poll_s: 0.0 };
    let told = ingest(&submission).await.unwrap_err().to_string();
    assert!(told.contains("parse/401 for") && !told.contains("secret-token-1"), "{told}");
    assert!(told.chars().count() < 1000 && !told.contains('\u{1b}'), "{} characters", told.chars().count());
}

#[tokio::test]
async fn an_id_is_one_part_of_the_path_whatever_it_holds() {
    let accepting = |id: &'static str| {
        Stub::start(move |seen: &Seen| match seen.path.ends_with("/ingestions") {
            true => Reply::json(json!({"ingestion_id": id})),
            false => Reply::json(json!({"status": "completed"})),
        })
    };
    let stub = accepting("a/../b?c#d é").await;
    submitted(&stub, 60.0).await.unwrap();
    let look = &stub.seen()[1];
    assert_eq!((look.path.as_str(), look.query.as_deref()), ("/api/rag/ingestions/a%2F..%2Fb%3Fc%23d%20%C3%A9", None));
    let stub = accepting("..").await;
    assert!(matches!(submitted(&stub, 60.0).await, Err(IngestError::Reply(_))));
    assert_eq!(stub.count(), 1);
}

#[tokio::test]
async fn a_pause_between_looks_ends_with_the_budget() {
    let stub = gateway(vec![status(json!("running"))]).await;
    let submission =
        Submission { base_url: &stub.url, token: None, profile: "p1", corpus_path: None, budget_s: 0.5, poll_s: 600.0 };
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), ingest(&submission)).await;
    assert!(matches!(waited.expect("it does not sleep on"), Err(IngestError::Timeout { .. })));
}
