//! The gateway's own stream over a model that streams, and what becomes of a model's non-answers.

use super::{chat, settings};
use crate::gateway::support::{Served, Site, request};
use crate::stub::{Reply, Stub};
use ragsql::gateway::Config;
use ragsql::gateway::remote::{Prompt, PromptKind, RemoteGenerator};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

const QUESTION: &str = "What powers Pump Alpha?";

fn with_model(site: &Site, stub: &Stub) -> Config {
    let mut config = site.config();
    config.roles.light_gen = Arc::new(RemoteGenerator::new(chat(stub), Prompt::built_in(PromptKind::Answer).unwrap()));
    config
}

fn delta(text: &str) -> Vec<u8> {
    format!("data: {}\n\n", json!({"model": "osprey", "choices": [{"delta": {"content": text}}]})).into_bytes()
}

/// The provider's pieces, each held back until the gate lets it through.
fn gated(pieces: &[&str], gate: &Arc<Semaphore>) -> Reply {
    let mut pieces: Vec<Vec<u8>> = pieces.iter().map(|piece| delta(piece)).collect();
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}});
    pieces.push(format!("data: {usage}\n\ndata: [DONE]\n\n").into_bytes());
    Reply::Events { pieces, gate: Some(Arc::clone(gate)) }
}

async fn open(served: &Served) -> reqwest::Response {
    let mut body = request("vanilla-rag", QUESTION);
    body["stream"] = json!(true);
    let request = served.client.post(format!("{}/v1/chat/completions", served.base)).body(body.to_string());
    request.send().await.unwrap()
}

/// The next event's data.
async fn event(response: &mut reqwest::Response, buffer: &mut String) -> String {
    loop {
        if let Some((event, rest)) = buffer.split_once("\n\n") {
            let event = event.to_owned();
            *buffer = rest.to_owned();
            return event.strip_prefix("data: ").unwrap_or(&event).to_owned();
        }
        let chunk = response.chunk().await.unwrap().expect("another event");
        buffer.push_str(std::str::from_utf8(&chunk).unwrap());
    }
}

async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), work).await.expect("nothing came in 20 s")
}

#[tokio::test]
async fn pieces_reach_the_client_before_the_provider_is_done_and_the_last_event_brings_the_evidence() {
    let gate = Arc::new(Semaphore::new(0));
    let script = Arc::clone(&gate);
    let stub = Stub::start(move |_| gated(&["Grid ", "Nine."], &script)).await;
    let site = Site::new();
    let served = Served::ready(with_model(&site, &stub)).await;
    gate.add_permits(1);
    let mut response = within(open(&served)).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream; charset=utf-8");
    let mut buffer = String::new();
    let first: Value = serde_json::from_str(&within(event(&mut response, &mut buffer)).await).unwrap();
    assert_eq!(first["choices"][0]["delta"], json!({"role": "assistant", "content": "Grid "}));
    assert_eq!(first["choices"][0]["finish_reason"], Value::Null);
    assert!(first.get("usage").is_none() && first.get("rag_showcase").is_none(), "{first}");
    assert_eq!(stub.in_flight(), 1, "the provider is still at work");
    gate.add_permits(1);
    let second: Value = serde_json::from_str(&within(event(&mut response, &mut buffer)).await).unwrap();
    assert_eq!(second["choices"][0]["delta"], json!({"content": "Nine."}));
    gate.add_permits(1);
    let last: Value = serde_json::from_str(&within(event(&mut response, &mut buffer)).await).unwrap();
    assert_eq!(within(event(&mut response, &mut buffer)).await, "[DONE]");
    let choice = &last["choices"][0];
    assert_eq!(choice["finish_reason"], "stop");
    let rest = choice["delta"]["content"].as_str().unwrap();
    assert!(rest.starts_with("\n\n<details>") && rest.ends_with(" cloud"), "{rest}");
    assert_eq!(last["rag_showcase"]["answer"], "Grid Nine.");
    assert_eq!(choice["delta"]["provider_specific_fields"]["rag_showcase"], last["rag_showcase"]);
    assert_eq!(last["rag_showcase"]["generation"], json!({"model": "osprey"}));
    assert_eq!(last["usage"], json!({"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}));
    for chunk in [&second, &last] {
        assert_eq!((&chunk["id"], &chunk["created"]), (&first["id"], &first["created"]));
    }
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_failure_after_the_first_piece_is_an_event_and_before_it_a_status() {
    let error = "data: {\"error\":{\"code\":502,\"message\":\"gone\"}}\n\n";
    let site = Site::new();
    let gate = Arc::new(Semaphore::new(1));
    let script = Arc::clone(&gate);
    let pieces = vec![delta("Grid"), error.as_bytes().to_vec()];
    let stub = Stub::start(move |_| Reply::Events { pieces: pieces.clone(), gate: Some(Arc::clone(&script)) }).await;
    let served = Served::ready(with_model(&site, &stub)).await;
    let mut response = within(open(&served)).await;
    assert_eq!(response.status(), 200);
    let mut buffer = String::new();
    let first = within(event(&mut response, &mut buffer)).await;
    assert!(first.contains("\"content\":\"Grid\""), "{first}");
    gate.add_permits(1);
    let last = within(event(&mut response, &mut buffer)).await;
    let expected = "{\"error\":{\"message\":\"the model `heron` failed: status 200 wrapped error 502: gone\"";
    assert!(last.starts_with(expected) && !last.contains("rag_showcase"), "{last}");
    assert_eq!(within(event(&mut response, &mut buffer)).await, "[DONE]");
    served.running.stop().await.unwrap();

    let stub = Stub::start(move |_| Reply::events(error)).await;
    let served = Served::ready(with_model(&site, &stub)).await;
    let response = open(&served).await;
    assert_eq!(response.status(), 500);
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_goes_away_takes_the_providers_call_with_it() {
    let gate = Arc::new(Semaphore::new(1));
    let script = Arc::clone(&gate);
    let stub = Stub::start(move |_| gated(&["Grid ", "Nine."], &script)).await;
    let site = Site::new();
    let served = Served::ready(with_model(&site, &stub)).await;
    let mut response = within(open(&served)).await;
    within(event(&mut response, &mut String::new())).await;
    assert_eq!(stub.in_flight(), 1);
    drop(response);
    within(async {
        while stub.in_flight() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_refusal_is_passed_on_as_one_and_never_as_an_answer() {
    let refused = json!({"model": "heron", "choices": [
        {"message": {"content": null, "refusal": "not that"}, "finish_reason": "content_filter"},
    ]});
    let stub = Stub::start(move |_| Reply::json(refused.clone())).await;
    let site = Site::new();
    let served = Served::ready(with_model(&site, &stub)).await;
    let (status, reply) = served.ask("vanilla-rag", QUESTION).await;
    assert_eq!(status, 200);
    let expected = json!({"role": "assistant", "content": null, "refusal": "not that"});
    assert_eq!(reply["choices"][0]["message"], expected);
    assert_eq!(reply["choices"][0]["finish_reason"], "content_filter");
    let error = ragsql::runner::completion::normalise(&reply, &[]).unwrap_err();
    assert_eq!(error.to_string(), "empty answer: refused");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn the_model_reads_the_full_chunks_and_the_load_it_refuses_for_reaches_the_client() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::answer("Grid Nine."),
        _ => Reply::status(429).with("retry-after", "7"),
    })
    .await;
    let site = Site::new();
    let served = Served::ready(with_model(&site, &stub)).await;
    let (_, reply) = served.ask("vanilla-rag", QUESTION).await;
    let prompt = stub.seen()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
    for (position, source) in reply["rag_showcase"]["sources"].as_array().unwrap().iter().enumerate() {
        let (title, snippet) = (source["title"].as_str().unwrap(), source["snippet"].as_str().unwrap());
        assert!(prompt.contains(&format!("[{}] {title}: {snippet}", position + 1)), "{prompt}");
    }
    assert!(prompt.contains(QUESTION));
    let body = request("vanilla-rag", QUESTION).to_string();
    let response = served.client.post(format!("{}/v1/chat/completions", served.base)).body(body).send().await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (429, &"7".parse().unwrap()));
    let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(body["error"]["code"], "model_rate_limited");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn an_embedding_model_that_is_down_is_found_at_the_start() {
    use ragsql::gateway::remote::RemoteEmbedder;
    let stub = Stub::start(|_| Reply::text(503, "loading")).await;
    let site = Site::new();
    let mut config = site.config();
    config.roles.embed = Arc::new(RemoteEmbedder::new(&settings(&stub)).unwrap());
    let error = ragsql::gateway::start(config).await.err().unwrap().to_string();
    assert!(
        error.starts_with("the model `heron` failed:") && error.ends_with("503 Service Unavailable: loading"),
        "{error}"
    );
}
