//! An n8n webhook in place of our own routing: vectors TV-111 to TV-115 (`contract/gateway.md` section 7.14).

use super::support::*;
use crate::stub::{Reply, Stub};
use ragsql::gateway::routing::N8nWebhook;
use serde_json::{Value, json};

async fn served(reply: Reply) -> (Served, Stub) {
    let webhook = Stub::start(move |_| reply.clone()).await;
    let site = sky_site();
    let mut settings = config(&site);
    settings.routing.webhook = Some(N8nWebhook::new(&format!("{}/webhook/adaptive-rag", webhook.url)).unwrap());
    (Served::start(settings).await, webhook)
}

/// Asks behind a webhook with this body.
async fn ask(reply: Reply) -> Value {
    let (served, webhook) = served(reply).await;
    let (status, body) = served.ask("n8n-adaptive-rag", "hard q").await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(webhook.seen()[0].body, json!({"query": "hard q"}));
    assert_eq!(webhook.count(), 1);
    served.running.stop().await.unwrap();
    body["rag_showcase"].clone()
}

#[tokio::test]
async fn a_full_reply_is_passed_on_and_the_classifier_counted() {
    let extension = json!({
        "schema_version": 1,
        "answer": "inner",
        "sources": [
            {"title": "D", "snippet": "g", "score": 0.8},
            {"title": 3, "snippet": "h", "score": true},
            {"title": null, "snippet": "i", "score": "0.5"},
            {"title": "no snippet"},
        ],
        "metrics": {"seconds": 9.0, "chunks": 2, "llm_calls": 3.9, "cloud_calls": 1},
        "lazy_graph": {"visited": 3},
    });
    let body = json!({"answer": "routed", "route": "complex", "approach": "agentic-rag", "rag_showcase": extension});
    let got = ask(Reply::json(body)).await;
    assert_eq!(got["answer"], "routed", "TV-111");
    assert_eq!(
        got["sources"],
        json!([
            {"title": "D", "snippet": "g", "score": 0.8},
            {"title": "3", "snippet": "h", "score": null},
            {"title": "", "snippet": "i", "score": null},
        ])
    );
    let metrics = &got["metrics"];
    assert_eq!((&metrics["chunks"], &metrics["llm_calls"], &metrics["cloud_calls"]), (&json!(2), &json!(4), &json!(1)));
    // Decision 7: what the delegate added is kept, under `adaptive`.
    let adaptive = json!({"route": "complex", "approach": "agentic-rag", "lazy_graph": {"visited": 3}});
    assert_eq!(got["adaptive"], adaptive);
    if let Some(mut expected) = vector("n8n full") {
        expected["adaptive"] = adaptive;
        expected["metrics"]["seconds"] = metrics["seconds"].clone();
        assert_eq!(got, expected);
    }
}

#[tokio::test]
async fn an_empty_answer_gives_way_to_that_of_the_extension() {
    let extension = json!({"schema_version": 1, "answer": "inner"});
    let body = json!({"answer": "", "route": "simple", "approach": "vanilla-rag", "rag_showcase": extension});
    let got = ask(Reply::json(body)).await;
    assert_eq!(got["answer"], "inner", "TV-112");
    agrees("n8n answer from extension", &got);
    let got = ask(Reply::json(json!({"answer": 5, "route": "simple", "approach": "vanilla-rag"}))).await;
    assert_eq!(got["answer"], "");
    agrees("n8n nonstring answer", &got);
    let other =
        json!({"answer": "a", "rag_showcase": {"schema_version": 2, "sources": [{"title": "t", "snippet": "s"}]}});
    let got = ask(Reply::json(other)).await;
    assert_eq!(got["sources"], json!([]), "another schema says nothing");
    agrees("n8n v2 ext", &got);
}

#[tokio::test]
async fn a_reply_of_any_other_shape_is_an_empty_answer_of_nobody() {
    for (body, key) in [("{}", "n8n empty"), ("[]", "n8n empty list"), ("5", "n8n scalar"), ("<html>", "n8n html")] {
        let got = ask(Reply::text(200, body)).await;
        assert_eq!((&got["answer"], &got["metrics"]["llm_calls"]), (&json!(""), &json!(1)), "TV-113: {body}");
        assert_eq!(got["adaptive"], json!({"route": "unknown", "approach": "unknown"}));
        agrees(key, &got);
    }
    let got = ask(Reply::text(200, "[null, {\"answer\": \"second\", \"route\": 7}]")).await;
    assert_eq!((&got["answer"], &got["adaptive"]["route"]), (&json!("second"), &json!("7")), "TV-114");
    agrees("n8n list", &got);
}

#[tokio::test]
async fn counts_that_are_no_numbers_are_zero() {
    let metrics = json!({"chunks": "4", "llm_calls": true, "cloud_calls": null});
    let got = ask(Reply::json(json!({"answer": "a", "rag_showcase": {"schema_version": 1, "metrics": metrics}}))).await;
    let metrics = &got["metrics"];
    assert_eq!(
        (&metrics["chunks"], &metrics["llm_calls"], &metrics["cloud_calls"]),
        (&json!(0), &json!(1), &json!(0)),
        "TV-115"
    );
    agrees("n8n string metrics", &got);
}

#[tokio::test]
async fn a_webhook_that_refuses_ends_the_request_and_its_url_is_shown_without_secrets() {
    let (served, webhook) = served(Reply::status(500)).await;
    let (status, body) = served.ask("n8n-adaptive-rag", "hard q").await;
    assert_eq!((status, &body["error"]["code"]), (500, &json!("model_failed")), "{body}");
    let (_, health) = served.get("/health").await;
    assert_eq!(health["routing"], format!("{}/webhook/adaptive-rag", webhook.url));
    served.running.stop().await.unwrap();
    assert_eq!(N8nWebhook::new("http://ann:hush@h/x?k=secret").unwrap().shown(), "http://h/x");
}
