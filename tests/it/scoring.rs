//! Cases of the `scoring` room: the client against a scripted evaluator.

use crate::stub::{Reply, Stub};
use ragsql::scoring::{ScoringClient, ScoringConfig, Subject, disabled, eligibility, not_run};
use ragsql::wire::call::Endpoint;
use ragsql::wire::retry::{Pace, RetryPolicy};
use serde_json::{Value, json};

const TWO: [&str; 2] = ["faithfulness", "answer_relevancy"];

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn client(stub: &Stub, metrics: &[&str], retries: u32) -> ScoringClient {
    let config = ScoringConfig {
        endpoint: Endpoint::new(&format!("{}/api/rag/evaluate", stub.url)).unwrap().header("apikey", "k-1").unwrap(),
        metrics: texts(metrics),
        timeout_s: 5.0,
        policy: RetryPolicy::new(retries),
        pace: Pace { scale_ratio: 0.01 },
        jitter_seed: 3,
    };
    ScoringClient::new(config).unwrap()
}

async fn score(client: &ScoringClient, contexts: &[&str], ground_truth: Option<&str>) -> Value {
    let contexts = texts(contexts);
    let subject = Subject {
        question: "Q",
        answer: "A",
        contexts: &contexts,
        contexts_missing: false,
        ground_truth,
        row_id: "r",
        run_id: "n",
        dataset_id: "d",
    };
    client.score(&subject).await.into()
}

/// A reply with `scores` as raw JSON text.
fn scored(scores: &str) -> Reply {
    Reply::text(200, &format!(r#"{{"results":[{{"scores":{scores}}}],"evaluator_model":"e","embeddings_model":"m"}}"#))
}

async fn scored_result(metrics: &[&str], scores: &'static str) -> Value {
    let stub = Stub::start(move |_| scored(scores)).await;
    score(&client(&stub, metrics, 0), &["c"], Some("g")).await
}

#[tokio::test]
async fn one_record_is_sent_and_both_scores_come_back() {
    let stub = Stub::start(|_| scored(r#"{"faithfulness":1,"answer_relevancy":"0.5","surplus":9}"#)).await;
    let result = score(&client(&stub, &TWO, 1), &["c"], None).await;
    let seen = &stub.seen()[0];
    assert_eq!((seen.path.as_str(), seen.header("apikey")), ("/api/rag/evaluate", "k-1"));
    assert_eq!(
        seen.body.to_string(),
        concat!(
            r#"{"records":[{"question":"Q","answer":"A","contexts":["c"],"ground_truth":null,"#,
            r#""metadata":{"row_id":"r","run_id":"n","dataset_id":"d"}}],"metrics":["faithfulness","answer_relevancy"]}"#
        )
    );
    assert_eq!(
        ragsql::json::canonical(&result).unwrap(),
        concat!(
            r#"{"embeddings_model":"m","evaluator_model":"e","metadata":{},"metric_errors":{},"not_evaluable":{},"#,
            r#""requested":["faithfulness","answer_relevancy"],"scores":{"answer_relevancy":0.5,"faithfulness":1.0},"#,
            r#""status":"ok"}"#
        )
    );
}

#[test]
fn eligibility_names_missing_contexts_before_a_missing_reference() {
    let all = texts(&["context_recall", "faithfulness", "answer_relevancy", "faithfulness", "context_precision"]);
    let none = eligibility(&all, &[], "retrieved_contexts_required", None);
    assert_eq!(none.requested, ["context_recall", "faithfulness", "answer_relevancy", "context_precision"]);
    assert_eq!(none.eligible, ["answer_relevancy"]);
    assert!(none.ineligible.iter().all(|(_, reason)| *reason == "retrieved_contexts_required"));
    let no_reference = eligibility(&all, &texts(&["c"]), "retrieved_contexts_required", Some(""));
    assert_eq!(no_reference.eligible, ["faithfulness", "answer_relevancy"]);
    assert!(no_reference.ineligible.iter().all(|(_, reason)| *reason == "ground_truth_required"));
    assert_eq!(eligibility(&all, &texts(&["c"]), "retrieved_contexts_required", Some("g")).eligible.len(), 4);
    for blank in [&[""][..], &["  \n"], &[], &["", "\u{1f}"]] {
        assert_eq!(
            eligibility(&all, &texts(blank), "retrieved_contexts_required", Some("g")).eligible,
            ["answer_relevancy"],
            "{blank:?}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_measured_is_not_asked_for() {
    let stub = Stub::start(|_| scored(r#"{"answer_relevancy":0.9}"#)).await;
    let result = score(&client(&stub, &TWO, 0), &[], None).await;
    assert_eq!(stub.seen()[0].body["metrics"], json!(["answer_relevancy"]));
    assert_eq!(result["status"], "partial");
    assert_eq!(result["not_evaluable"], json!({"faithfulness": "retrieved_contexts_required"}));

    let result = score(&client(&stub, &["faithfulness", "context_recall"], 0), &[], Some("g")).await;
    assert_eq!((&result["status"], stub.count()), (&json!("not_evaluable"), 1));
    assert_eq!(result.as_object().unwrap().len(), 7);

    let result = score(&client(&stub, &[], 0), &["c"], None).await;
    assert_eq!((&result["status"], &result["requested"], stub.count()), (&json!("disabled"), &json!([]), 1));
}

#[tokio::test]
async fn every_kind_of_score_has_its_outcome() {
    for (score, expected) in [
        ("0.25", Ok("0.25")),
        ("1", Ok("1.0")),
        ("-2", Ok("-2.0")),
        ("\" 0.5 \"", Ok("0.5")),
        ("\"\\u001f.5\"", Ok("0.5")),
        ("null", Err("score_missing_or_null")),
        ("true", Err("score_not_numeric")),
        ("[]", Err("score_not_numeric")),
        ("{\"v\":1}", Err("score_not_numeric")),
        ("\"\"", Err("score_not_numeric")),
        ("\"abc\"", Err("score_not_numeric")),
        ("\"1_0\"", Err("score_not_numeric")),
        ("\"nan\"", Err("score_not_finite")),
        ("\"-Infinity\"", Err("score_not_finite")),
        ("NaN", Err("score_not_finite")),
        ("-Infinity", Err("score_not_finite")),
        ("1e999", Err("score_not_finite")),
    ] {
        let body = format!(r#"{{"answer_relevancy":{score},"note":"NaN \" Infinity"}}"#);
        let result = scored_result(&["answer_relevancy"], body.leak()).await;
        match expected {
            Ok(text) => {
                assert_eq!(ragsql::json::canonical(&result["scores"]["answer_relevancy"]).unwrap(), text, "{score}");
                assert_eq!(result["status"], "ok");
            }
            Err(code) => {
                assert_eq!(result["metric_errors"], json!({"answer_relevancy": code}), "{score}");
                assert_eq!((&result["status"], &result["scores"]), (&json!("error"), &json!({})));
                assert!(result.get("error").is_none() && result["metadata"] == json!({}));
            }
        }
    }
}

#[tokio::test]
async fn a_bad_score_does_not_take_the_good_one_along() {
    let result = scored_result(&TWO, r#"{"faithfulness":"nan","answer_relevancy":0.2}"#).await;
    assert_eq!((&result["status"], &result["scores"]), (&json!("partial"), &json!({"answer_relevancy": 0.2})));
    assert_eq!(result["metric_errors"], json!({"faithfulness": "score_not_finite"}));
    let result = scored_result(&TWO, r#"{"faithfulness":null,"answer_relevancy":true}"#).await;
    assert_eq!(
        (&result["status"], &result["metric_errors"]),
        (&json!("error"), &json!({"faithfulness": "score_missing_or_null", "answer_relevancy": "score_not_numeric"}))
    );
    for falsy in ["null", "{}", "[]", "\"\"", "false", "0"] {
        let result = scored_result(&["answer_relevancy"], falsy).await;
        assert_eq!(result["metric_errors"], json!({"answer_relevancy": "score_missing_or_null"}), "{falsy}");
    }
}

#[tokio::test]
async fn reasons_of_the_evaluator_replace_the_bare_null() {
    let body = |reasons: Value, scores: Value| {
        let result = json!({"scores": scores, "metadata": {"reasons": reasons}});
        Reply::json(json!({"results": [result], "metadata": {"runner": "x"}}))
    };
    let script = move |seen: &crate::stub::Seen| match seen.number {
        0 => body(json!({"faithfulness": "no_claims"}), json!({"faithfulness": null, "answer_relevancy": 0.5})),
        1 => body(json!({"faithfulness": "no_claims", "answer_relevancy": "empty_answer"}), json!({})),
        2 => body(json!({"faithfulness": "judge_parse"}), json!({"faithfulness": null, "answer_relevancy": 0.5})),
        _ => body(json!({"faithfulness": "no_claims"}), json!({"faithfulness": 0.0, "answer_relevancy": true})),
    };
    let stub = Stub::start(script).await;
    let client = client(&stub, &TWO, 0);
    let mut results = Vec::new();
    for _ in 0..4 {
        results.push(score(&client, &["c"], None).await);
    }
    let states: Vec<_> = results.iter().map(|result| result["status"].as_str().unwrap()).collect();
    assert_eq!(states, ["partial", "not_evaluable", "partial", "partial"]);
    assert_eq!(results[0]["not_evaluable"], json!({"faithfulness": "no_claims"}));
    assert_eq!(results[0]["metric_errors"], json!({}));
    assert_eq!(results[1]["metadata"], json!({"runner": "x"}));
    assert_eq!(results[2]["metric_errors"], json!({"faithfulness": "judge_parse"}));
    assert_eq!(results[3]["scores"], json!({"faithfulness": 0.0}));
    assert_eq!(results[3]["metric_errors"], json!({"answer_relevancy": "score_not_numeric"}));
}

#[tokio::test]
async fn replies_of_another_shape_fail_the_whole_call_and_are_repeated() {
    let huge = format!(r#"{{"results":[{{"scores":{{"answer_relevancy":1{}}}}}]}}"#, "0".repeat(400));
    for (body, kind) in [
        ("", "JSONDecodeError"),
        ("<html>", "JSONDecodeError"),
        ("[]", "ValueError"),
        ("{}", "ValueError"),
        (r#"{"results":[]}"#, "ValueError"),
        (r#"{"results":{"0":{}}}"#, "ValueError"),
        (r#"{"results":[1]}"#, "ValueError"),
        (r#"{"results":[{"scores":[0.5]}]}"#, "ValueError"),
        (r#"{"results":[{"scores":"x"}]}"#, "ValueError"),
        (huge.as_str(), "ValueError"),
    ] {
        let reply = Reply::text(200, body);
        let stub = Stub::start(move |_| reply.clone()).await;
        let result = score(&client(&stub, &["answer_relevancy", "context_recall"], 1), &["c"], None).await;
        assert_eq!((&result["status"], stub.count()), (&json!("error"), 2), "{body}");
        assert_eq!(result["error_type"], kind, "{body}");
        assert!(result["error"].as_str().unwrap().starts_with(&format!("{kind}: ")), "{result}");
        assert_eq!(result["not_evaluable"], json!({"context_recall": "ground_truth_required"}));
        assert_eq!((&result["metric_errors"], &result["evaluator_model"]), (&json!({}), &Value::Null));
        assert!(result.get("metadata").is_none());
    }
}

#[tokio::test]
async fn the_last_failure_is_kept_and_the_key_is_not() {
    let stub = Stub::start(|seen| match seen.number {
        0 => Reply::Hang,
        _ => Reply::text(503, &format!("no {}", seen.header("apikey"))),
    })
    .await;
    let config = ScoringConfig {
        endpoint: Endpoint::new(&stub.url).unwrap().header("apikey", "k-secret").unwrap(),
        metrics: texts(&["answer_relevancy"]),
        timeout_s: 0.1,
        policy: RetryPolicy::new(1),
        pace: Pace { scale_ratio: 0.01 },
        jitter_seed: 3,
    };
    let result = score(&ScoringClient::new(config).unwrap(), &[], None).await;
    assert_eq!((&result["error_type"], stub.count()), (&json!("HTTPStatusError"), 2));
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("503") && error.contains("no ***"), "{error}");
}

#[tokio::test]
async fn a_slow_evaluator_is_a_timeout_with_its_own_name() {
    let stub = Stub::start(|_| Reply::Hang).await;
    let config = ScoringConfig {
        endpoint: Endpoint::new(&stub.url).unwrap(),
        metrics: texts(&TWO),
        timeout_s: 0.05,
        policy: RetryPolicy::new(1),
        pace: Pace { scale_ratio: 0.01 },
        jitter_seed: 3,
    };
    let result = score(&ScoringClient::new(config).unwrap(), &["c"], None).await;
    assert_eq!((&result["status"], &result["error_type"]), (&json!("error"), &json!("ReadTimeout")));
    assert_eq!(stub.count(), 2);
}

#[tokio::test]
async fn faults_of_the_request_are_not_repeated() {
    let stub = Stub::start(|_| Reply::text(422, r#"{"detail":"answer too long"}"#)).await;
    let result = score(&client(&stub, &TWO, 5), &["c"], None).await;
    assert_eq!((&result["status"], stub.count()), (&json!("error"), 1));
    assert!(result["error"].as_str().unwrap().contains("answer too long"));
}

#[tokio::test]
async fn metadata_that_a_row_cannot_hold_becomes_null() {
    let body =
        r#"{"results":[{"scores":{"answer_relevancy":1}}],"evaluator_model":5,"metadata":{"a":NaN,"b":[1e999,"NaN"]}}"#;
    let stub = Stub::start(move |_| Reply::text(200, body)).await;
    let result = score(&client(&stub, &["answer_relevancy"], 0), &[], None).await;
    assert_eq!(result["metadata"], json!({"a": null, "b": [null, "NaN"]}));
    assert_eq!((&result["evaluator_model"], &result["embeddings_model"]), (&json!(5), &Value::Null));
    assert!(ragsql::json::canonical(&result).is_ok());
}

#[test]
fn states_without_a_client_have_exactly_the_contracts_keys() {
    assert_eq!(Value::from(not_run()), json!({"status": "not_run", "requested": [], "scores": {}}));
    assert_eq!(
        Value::from(disabled(&texts(&["faithfulness", "faithfulness"]))),
        json!({
            "status": "disabled", "requested": ["faithfulness", "faithfulness"], "scores": {}, "not_evaluable": {},
            "evaluator_model": null, "embeddings_model": null
        })
    );
}

#[tokio::test]
async fn what_scores_rest_on_is_kept_beside_them_for_the_metrics_that_were_asked_for() {
    let body = r#"{"results":[{"scores":{"answer_relevancy":1},"metadata":{"details":{"answer_relevancy":{"questions":[{"cosine":1e999}]},"fluency":{}}}}]}"#;
    let stub = Stub::start(move |_| Reply::text(200, body)).await;
    let result = score(&client(&stub, &["answer_relevancy"], 0), &[], None).await;
    assert_eq!(result["details"], json!({"answer_relevancy": {"questions": [{"cosine": null}]}}));
}
