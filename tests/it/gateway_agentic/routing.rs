//! Routing by the class of a question (`contract/gateway.md` sections 0.7, 2.6 and 5.5), TV-116.

use super::support::*;
use ragsql::gateway::roles::{Classified, Classifier, RoleError, RoleFuture, Usage};
use ragsql::gateway::routing::{Route, RouteMap};
use ragsql::gateway::start;
use serde_json::json;
use std::sync::Arc;

/// Says one thing about every question.
struct Says(Result<&'static str, ()>);

impl Classifier for Says {
    fn name(&self) -> &str {
        "scripted/classifier"
    }
    fn classify<'a>(&'a self, _: &'a str) -> RoleFuture<'a, Classified> {
        let usage = Some(Usage { total_tokens: Some(7), ..Usage::default() });
        let said = self.0.map(|text| Classified { text: text.to_owned(), usage });
        Box::pin(async move { said.map_err(|()| RoleError::new("scripted/classifier", "status 503")) })
    }
}

#[test]
fn the_words_of_a_classifier_choose_the_route() {
    // TV-116, but for the fourth: decision 7 takes a denied complexity for a simple question.
    for text in ["complex", "Complex.", "uncomplexly"] {
        assert_eq!(Route::read(text), Route::Complex, "{text}");
    }
    for text in ["simple", "It is NOT complex", "", "moderate"] {
        assert_eq!(Route::read(text), Route::Simple, "{text}");
    }
}

#[tokio::test]
async fn the_delegate_answers_with_its_own_evidence_and_one_call_more() {
    let site = Site::new();
    let question = "What does Grid Nine power?";
    for (said, route, alias) in [
        ("simple", "simple", "vanilla-rag"),
        ("complex", "complex", "agentic-rag"),
        ("both, complex", "complex", "agentic-rag"),
    ] {
        let mut settings = config(&site);
        settings.roles.classifier = Arc::new(Says(Ok(said)));
        let served = Served::ready(settings).await;
        let (_, direct) = served.ask(alias, question).await;
        let (_, routed) = served.ask("n8n-adaptive-rag", question).await;
        let (direct, extension) = (&direct["rag_showcase"], &routed["rag_showcase"]);
        assert_eq!((&extension["answer"], &extension["sources"]), (&direct["answer"], &direct["sources"]), "{said}");
        assert_eq!(extension["metrics"]["chunks"], direct["metrics"]["chunks"]);
        let calls = direct["metrics"]["llm_calls"].as_u64().unwrap();
        assert_eq!(extension["metrics"]["llm_calls"], calls + 1);
        assert_eq!(extension["adaptive"], json!({"route": route, "approach": alias}));
        assert_eq!(routed["usage"]["total_tokens"], 7, "the classifier's, for the delegate has none");
        served.running.stop().await.unwrap();
    }
}

#[tokio::test]
async fn metadata_of_the_delegate_is_kept_below_the_route() {
    let site = Site::new();
    let mut settings = config(&site);
    settings.routing.routes = RouteMap { simple: "lazy-graph-rag".to_owned(), complex: "hybrid-rag-fast".to_owned() };
    let served = Served::ready(settings).await;
    let (_, body) = served.ask("n8n-adaptive-rag", "What does E-4417 mean?").await;
    let extension = body["rag_showcase"].as_object().unwrap();
    assert_eq!(extension["adaptive"]["approach"], "lazy-graph-rag");
    assert!(extension["adaptive"]["lazy_graph"].is_object(), "{body}");
    let keys: Vec<&str> = extension.keys().map(String::as_str).collect();
    assert_eq!(keys, ["schema_version", "answer", "sources", "metrics", "adaptive"]);
    let (_, body) = served.ask("n8n-adaptive-rag", "Compare Pump Alpha and Grid Nine.").await;
    assert_eq!(body["rag_showcase"]["adaptive"], json!({"route": "complex", "approach": "hybrid-rag-fast"}));
    assert_eq!(body["rag_showcase"]["metrics"]["chunks"], 2, "the flavor's own parameters");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_classifier_that_fails_ends_the_request() {
    let site = Site::new();
    let mut settings = config(&site);
    settings.roles.classifier = Arc::new(Says(Err(())));
    let served = Served::ready(settings).await;
    let (status, body) = served.ask("n8n-adaptive-rag", "Why?").await;
    assert_eq!((status, &body["error"]["code"]), (500, &json!("model_failed")), "{body}");
    served.running.stop().await.unwrap();
}

#[tokio::test]
async fn a_route_to_nowhere_or_to_itself_is_refused_at_the_start() {
    let site = Site::new();
    for (target, part) in [
        ("n8n-adaptive-rag", "the route `complex` leads to `n8n-adaptive-rag`"),
        ("hybird-rag", "unknown base `hybird-rag`"),
    ] {
        let mut settings = config(&site);
        settings.routing.routes.complex = target.to_owned();
        let error = start(settings).await.err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
    let mut settings = config(&site);
    let mode = [("graph_mode", ragsql::gateway::Param::Text("wide".to_owned()))];
    settings.aliases.push(alias("agentic-rag-odd", "agentic-rag", "odd", &mode));
    let error = start(settings).await.err().unwrap().to_string();
    assert!(error.contains("`graph_mode` must be one of `local`"), "{error}");
}
