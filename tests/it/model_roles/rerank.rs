//! A reranker behind an endpoint, inside the gateway: TV-90 to TV-97 over HTTP.
//!
//! The hits are the documents of one question without reranking; what they are called here is A, B, C, ... in that
//! order. Deviation from TV-97 by decision 4 (strict scalars): the index `true` is no index.

use super::settings;
use crate::gateway::support::{DOCUMENTS, Served, Site};
use crate::stub::{Reply, Stub};
use ragsql::gateway::remote::{RemoteReranker, RerankApi, Settings};
use ragsql::gateway::{AliasProfile, Param};
use serde_json::{Value, json};
use std::sync::Arc;

const QUESTION: &str = "What does Pump Alpha need, and what keeps ships afloat near the Valve Station?";

const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

struct Case {
    replies: Vec<Reply>,
    batch: usize,
    top_n: u64,
    /// Letter and score; a null score where none is expected, `old` where the hit keeps its own.
    expected: Value,
    calls: usize,
}

fn hybrid(rerank: bool, top_n: u64) -> AliasProfile {
    let params = [("rerank", Param::Switch(rerank)), ("top_n", Param::Integer(top_n))];
    AliasProfile {
        alias: format!("hybrid-{rerank}"),
        base: "hybrid-rag".to_owned(),
        flavor: "test".to_owned(),
        params: params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

async fn check(name: &str, case: Case) {
    let replies = case.replies;
    let stub = Stub::start(move |seen| replies.get(seen.number).cloned().unwrap_or(Reply::status(500))).await;
    let site = Site::new();
    let mut config = site.config();
    config.aliases.extend([hybrid(true, case.top_n), hybrid(false, 9)]);
    // A model that is asked again would break the count of calls.
    let settings = Settings { endpoint: stub.url.clone(), max_batch: case.batch, retries: 3, ..settings(&stub) };
    config.roles.rerank = Arc::new(RemoteReranker::new(&settings, RerankApi::Tei).unwrap());
    let served = Served::ready(config).await;
    let sources = async |model: &str| {
        let (status, reply) = served.ask(model, QUESTION).await;
        assert_eq!(status, 200, "{name}: {reply}");
        reply["rag_showcase"]["sources"].as_array().unwrap().clone()
    };
    let hits = sources("hybrid-false").await;
    assert_eq!(hits.len(), DOCUMENTS.len());
    let got: Vec<Value> = sources("hybrid-true")
        .await
        .into_iter()
        .map(|source| {
            let position = hits.iter().position(|hit| hit["title"] == source["title"]).unwrap();
            let score = if source["score"] == hits[position]["score"] { json!("old") } else { source["score"].clone() };
            json!([LETTERS[position], score])
        })
        .collect();
    assert_eq!(json!(got), case.expected, "{name}");
    assert_eq!(stub.count(), case.calls, "{name}");
    let seen = &stub.seen()[0];
    assert_eq!(seen.path, "/rerank");
    assert_eq!(seen.body["query"], QUESTION);
    let texts: Vec<&Value> = hits.iter().take(case.batch).map(|hit| &hit["snippet"]).collect();
    assert_eq!(json!(texts), seen.body["texts"], "{name}: the full chunks are reranked");
    assert_eq!(seen.body.as_object().unwrap().len(), 2, "{name}");
    served.running.stop().await.unwrap();
}

fn rows(rows: Value) -> Vec<Reply> {
    let rows: Vec<Value> =
        rows.as_array().unwrap().iter().map(|row| json!({"index": row[0], "score": row[1]})).collect();
    vec![Reply::json(json!(rows))]
}

#[tokio::test]
async fn scores_order_the_hits_and_hits_without_a_row_follow() {
    let one = |replies, top_n, expected| Case { replies, batch: 32, top_n, expected, calls: 1 };
    let full = rows(json!([[2, 0.9], [0, 0.5], [1, 0.1], [3, 0.0]]));
    check("TV-90", one(full, 2, json!([["C", 0.9], ["A", 0.5]]))).await;
    let odd = rows(json!([[3, null], [2, -1], [1, 0], [0, true]]));
    check("TV-91", one(odd, 9, json!([["D", null], ["B", 0.0], ["A", null], ["C", -1.0]]))).await;
    let below = rows(json!([[1, -5], [3, -6]]));
    check("TV-92", one(below, 9, json!([["B", -5.0], ["D", -6.0], ["A", "old"], ["C", "old"]]))).await;
    let twice = rows(json!([[0, 0.1], [0, 0.9], [1, 0.5]]));
    check("TV-93", one(twice, 2, json!([["B", 0.5], ["A", 0.1]]))).await;
    let strange = rows(json!([[true, 0.9], [1.0, 0.8], [9, 0.7], [-1, 0.6], ["2", 0.5], [3, "0.9"], [2, 0.1]]));
    check("TV-97", one(strange, 3, json!([["C", 0.1], ["D", null], ["A", "old"]]))).await;
}

#[tokio::test]
async fn the_batch_that_fails_and_all_later_ones_keep_their_order() {
    let first = rows(json!([[1, 0.9], [0, 0.1]]));
    let replies = [first, vec![Reply::status(503)]].concat();
    let expected = json!([["B", 0.9], ["A", 0.1], ["C", "old"], ["D", "old"]]);
    check("TV-94", Case { replies, batch: 2, top_n: 9, expected, calls: 2 }).await;
    let expected = json!([["A", "old"], ["B", "old"], ["C", "old"]]);
    let replies = vec![Reply::status(503)];
    check("TV-95", Case { replies, batch: 2, top_n: 3, expected: expected.clone(), calls: 1 }).await;
    for body in ["[]", "{}", "<html>", "{\"error\": {\"code\": 503}}"] {
        let replies = vec![Reply::text(200, body)];
        check("TV-96", Case { replies, batch: 32, top_n: 3, expected: expected.clone(), calls: 1 }).await;
    }
}

#[tokio::test]
async fn the_openai_shape_names_model_and_documents() {
    use ragsql::gateway::roles::{Reranked, Reranker};
    let reply = json!({"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": null}]});
    let stub = Stub::start(move |_| Reply::json(reply.clone())).await;
    let mut settings = settings(&stub);
    settings.request_defaults.insert("return_documents".to_owned(), json!(false));
    let model = RemoteReranker::new(&settings, RerankApi::Cohere).unwrap();
    let ranked = model.rerank("q", &["a".to_owned(), "b".to_owned()]).await.unwrap();
    assert_eq!(ranked, [Reranked { index: 1, score: Some(0.9) }, Reranked { index: 0, score: None }]);
    let expected = json!({"model": "heron", "query": "q", "documents": ["a", "b"], "return_documents": false});
    assert_eq!(stub.seen()[0].body, expected);
    assert_eq!(stub.seen()[0].path, "/v1/rerank");
}
