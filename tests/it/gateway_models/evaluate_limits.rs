//! What the evaluation endpoint accepts, and what it says otherwise.

use futures_util::future::BoxFuture;
use ragsql::gateway::builtin::{EMBEDDING, EVALUATOR, LexicalEvaluator};
use ragsql::gateway::evaluate::{EvaluateError, Evaluator, Metric, Outcome, Reason, Record, evaluate};
use ragsql::wire::evaluate::{EvaluateRequest, EvaluateResponse};
use serde_json::{Value, json};
use std::sync::Arc;

fn request(value: Value) -> EvaluateRequest {
    serde_json::from_value(value).unwrap()
}

fn run(value: Value) -> Result<EvaluateResponse, EvaluateError> {
    super::shared::block_on(evaluate(request(value), &LexicalEvaluator))
}

fn record() -> Value {
    json!({"question": "When?", "answer": "Ferries leave at noon.", "contexts": ["Ferries leave at noon."]})
}

#[test]
fn a_request_outside_the_limits_is_refused_with_place_and_limit() {
    let with = |field: &str, value: Value| {
        let mut record = record();
        record[field] = value;
        json!({"records": [self::record(), record], "metrics": ["faithfulness"]})
    };
    let refused = |value: Value| run(value).unwrap_err().to_string();
    assert!(
        refused(with("question", json!("q".repeat(8_001)))).starts_with("`records[1].question` has 8001 characters")
    );
    assert!(
        refused(with("answer", json!("\u{e9}".repeat(16_001)))).contains("`records[1].answer` has 16001 characters")
    );
    assert!(refused(with("contexts", json!(["", "c".repeat(32_001)]))).contains("`records[1].contexts[1]` has 32001"));
    assert!(refused(with("contexts", json!(vec!["c"; 51]))).contains("`records[1].contexts` has 51 entries"));
    assert!(refused(with("ground_truth", json!("g".repeat(16_001)))).contains("`records[1].ground_truth`"));
    for (field, value) in [
        ("question", json!("q".repeat(8_000))),
        ("answer", json!("\u{e9}".repeat(16_000))),
        ("answer", json!("")),
        ("contexts", json!(vec!["c".repeat(32_000); 50])),
        ("ground_truth", json!("g".repeat(16_000))),
    ] {
        assert!(run(with(field, value)).is_ok(), "{field} at its limit");
    }
}

#[test]
fn records_metrics_and_models_are_checked() {
    let many = |count: usize| json!({"records": vec![record(); count], "metrics": ["faithfulness"]});
    assert_eq!(run(many(0)).unwrap_err(), EvaluateError::Records(0));
    assert_eq!(run(many(101)).unwrap_err(), EvaluateError::Records(101));
    assert_eq!(run(many(100)).unwrap().results.len(), 100);
    assert_eq!(run(json!({"records": [record()], "metrics": []})).unwrap_err(), EvaluateError::NoMetric);
    let unknown = run(json!({"records": [record()], "metrics": ["faithfulness", "fluency"]})).unwrap_err().to_string();
    assert!(unknown.starts_with("unknown metric `fluency`; choose from `faithfulness`, "), "{unknown}");
    for (field, configured) in [("evaluator_model", EVALUATOR), ("embeddings_model", EMBEDDING)] {
        let mut value = many(1);
        value[field] = json!(configured);
        assert!(run(value.clone()).is_ok());
        value[field] = json!("gpt-oracle");
        let refused = run(value).unwrap_err().to_string();
        assert!(refused.contains("gpt-oracle") && refused.contains(configured), "{refused}");
    }
}

#[test]
fn metrics_come_back_once_in_the_order_they_were_asked_for() {
    let response =
        run(json!({"records": [record()], "metrics": ["answer_relevancy", "faithfulness", "answer_relevancy"]}))
            .unwrap();
    assert_eq!(response.metrics, ["answer_relevancy", "faithfulness"]);
    assert_eq!(response.results[0].scores.keys().collect::<Vec<_>>(), ["answer_relevancy", "faithfulness"]);
    assert_eq!((response.record_count, response.evaluator_model.as_str()), (1, "builtin/lexical-evaluator"));
    assert_eq!(response.embeddings_model, "builtin/hashed-subword-256");
}

#[test]
fn contexts_given_as_one_text_are_refused_at_the_door() {
    let mut record = record();
    record["contexts"] = json!("Ferries leave at noon.");
    let refused = serde_json::from_value::<EvaluateRequest>(json!({"records": [record], "metrics": ["faithfulness"]}));
    assert!(refused.unwrap_err().to_string().contains("expected a sequence"));
}

/// Scores by the first letter of the answer: `n` NaN, `i` infinity, `s` silence, anything else a half.
struct Odd;

impl Evaluator for Odd {
    fn name(&self) -> &str {
        "odd"
    }

    fn embeddings_name(&self) -> &str {
        "none"
    }

    fn score<'a>(&'a self, metrics: &'a [Metric], record: &'a Arc<Record>) -> BoxFuture<'a, Vec<Outcome>> {
        let score = match &record.answer[..1] {
            "n" => Some(f64::NAN),
            "i" => Some(f64::INFINITY),
            "s" => None,
            _ => Some(0.5),
        };
        let outcomes =
            score.into_iter().flat_map(|score| metrics.iter().map(move |_| Outcome::scored(score, json!({}))));
        Box::pin(std::future::ready(outcomes.collect()))
    }
}

#[test]
fn a_record_that_cannot_be_scored_leaves_the_others_alone() {
    let answers = ["nan", "half", "", "inf", "silent"];
    let records: Vec<Value> =
        answers.iter().map(|answer| json!({"question": "q", "answer": answer, "contexts": ["c"]})).collect();
    let asked = request(json!({"records": records, "metrics": ["faithfulness"]}));
    let response = super::shared::block_on(evaluate(asked, &Odd)).unwrap();
    let scores: Vec<&Value> = response.results.iter().map(|result| &result.scores["faithfulness"]).collect();
    assert_eq!(scores, [&json!(null), &json!(0.5), &json!(null), &json!(null), &json!(null)]);
    let reasons: Vec<&Value> =
        response.results.iter().map(|result| &result.metadata["reasons"]["faithfulness"]).collect();
    assert_eq!(
        reasons,
        [
            &json!("score_not_finite"),
            &Value::Null,
            &json!("empty_answer"),
            &json!("score_not_finite"),
            &json!("evaluator_silent")
        ]
    );
    assert_eq!(Reason::NotFinite.code(), "score_not_finite");
    let places: Vec<usize> = response.results.iter().map(|result| result.record_index).collect();
    assert_eq!(places, [0, 1, 2, 3, 4]);
}
