//! `builtin/lexical-evaluator`: verdicts, scores, and a reason for every null.

use ragsql::gateway::builtin::{LexicalEvaluator, NO_ANSWER};
use ragsql::gateway::evaluate::evaluate;
use ragsql::wire::evaluate::{EvaluateRequest, EvaluateResult};
use serde_json::{Value, json};

const ALL: [&str; 4] = ["faithfulness", "answer_relevancy", "context_precision", "context_recall"];

fn run(record: Value) -> EvaluateResult {
    let request: EvaluateRequest = serde_json::from_value(json!({"records": [record], "metrics": ALL})).unwrap();
    super::shared::block_on(evaluate(request, &LexicalEvaluator)).unwrap().results.remove(0)
}

fn scores(result: &EvaluateResult) -> Vec<Option<f64>> {
    ALL.iter().map(|metric| result.scores[*metric].as_f64()).collect()
}

fn reasons(result: &EvaluateResult) -> Vec<&str> {
    ALL.iter()
        .map(|metric| result.metadata["reasons"].get(metric).map_or("", |reason| reason.as_str().unwrap()))
        .collect()
}

const POOL: &str = "The pool has six lanes. It opens at 9 on weekdays. Dogs are not allowed in the pool.";
const CAFE: &str = "The cafe sells tea and cake.";

#[test]
fn a_quoted_answer_is_faithful_and_says_where_from() {
    let result = run(json!({
        "question": "How many lanes does the pool have?",
        "answer": "The pool has six lanes. It is painted green.",
        "contexts": [CAFE, POOL],
        "ground_truth": "The pool has six lanes.",
    }));
    assert_eq!(scores(&result)[0], Some(0.5));
    let statements = &result.metadata["details"]["faithfulness"]["statements"];
    assert_eq!(statements[0]["statement"], "The pool has six lanes.");
    assert_eq!((&statements[0]["verdict"], &statements[0]["context"]), (&json!(1), &json!(1)));
    assert_eq!((&statements[1]["verdict"], &statements[1]["reason"]), (&json!(0), &json!("words_missing")));
    assert_eq!(scores(&result)[2..], [Some(0.5), Some(1.0)]);
    let relevancy = scores(&result)[1].unwrap();
    assert!(relevancy > 0.2 && relevancy < 1.0, "{relevancy}");
    assert_eq!(result.metadata["details"]["answer_relevancy"]["questions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_wrong_number_a_wrong_name_and_a_denial_are_not_supported() {
    let contexts = ["Captain Ida Renner sold 40 boats to Ostvik in 2019. The gate K-118 was not repaired."];
    for (answer, reason) in [
        ("Captain Ida Renner sold 41 boats to Ostvik in 2019.", "number_missing"),
        ("Captain Ida Renner sold 40 boats to Kelso and Tarn in 2019.", "name_missing"),
        ("The gate K-181 was not repaired.", "number_missing"),
        ("The gate K-118 was repaired.", "negation_differs"),
        ("Captain Ida Renner sold 40 boats to Ostvik in 2019.", "supported"),
        ("The gate K-118 was not repaired.", "supported"),
    ] {
        let result = run(json!({"question": "q", "answer": answer, "contexts": contexts}));
        let statement = &result.metadata["details"]["faithfulness"]["statements"][0];
        assert_eq!(statement["reason"], reason, "{answer}");
        assert_eq!(scores(&result)[0], Some(if reason == "supported" { 1.0 } else { 0.0 }), "{answer}");
    }
}

#[test]
fn words_spread_over_two_contexts_support_nothing() {
    let contexts = ["Ida Renner bought a boat.", "The harbour of Ostvik froze."];
    let result =
        run(json!({"question": "q", "answer": "Ida Renner froze the harbour of Ostvik.", "contexts": contexts}));
    assert_eq!(scores(&result)[0], Some(0.0));
}

#[test]
fn an_answer_that_admits_not_knowing_has_no_claims() {
    for answer in [NO_ANSWER, "The files do not say when the pool opens.", "I don't know."] {
        let result = run(json!({"question": "When does the pool open?", "answer": answer, "contexts": [POOL]}));
        assert_eq!(scores(&result)[..2], [None, Some(0.0)], "{answer}");
        assert_eq!(reasons(&result)[..2], ["no_claims", ""], "{answer}");
        assert_eq!(result.metadata["details"]["answer_relevancy"]["questions"][0]["noncommittal"], 1);
    }
}

#[test]
fn blank_contexts_count_as_none_in_every_form() {
    let base = json!({"question": "When?", "answer": "The pool opens at 9.", "ground_truth": "At 9."});
    for contexts in [json!([""]), json!(["  \n"]), json!([]), json!(null), json!([null]), json!("absent")] {
        let mut record = base.clone();
        if contexts != json!("absent") {
            record["contexts"] = contexts.clone();
        }
        let result = run(record);
        assert_eq!(reasons(&result), ["no_contexts", "", "no_contexts", "no_contexts"], "{contexts}");
        assert_eq!(scores(&result).iter().flatten().count(), 1, "{contexts}");
    }
}

#[test]
fn a_null_among_the_contexts_is_dropped_and_counted() {
    let result = run(json!({
        "question": "When do ferries leave?",
        "answer": "Ferries leave at noon.",
        "contexts": [null, "Ferries leave at noon."],
        "ground_truth": "",
    }));
    assert_eq!(scores(&result)[0], Some(1.0));
    assert_eq!(reasons(&result), ["", "", "no_reference", "no_reference"]);
    assert_eq!(result.metadata["blank_contexts"], 1);
    assert_eq!(result.metadata["details"]["faithfulness"]["statements"][0]["context"], 1, "its place in the request");
}

#[test]
fn an_empty_answer_has_reasons_and_leaves_the_contexts_scored() {
    for answer in ["", " \n"] {
        let result = run(json!({
            "question": "How many lanes does the pool have?",
            "answer": answer,
            "contexts": [POOL],
            "ground_truth": "The pool has six lanes.",
        }));
        assert_eq!(reasons(&result), ["empty_answer", "empty_answer", "", ""]);
        assert_eq!(scores(&result), [None, None, Some(1.0), Some(1.0)]);
    }
}

#[test]
fn perfect_precision_is_one_and_order_matters() {
    let precision = |contexts: &[&str]| {
        let result = run(json!({
            "question": "q", "answer": "a", "contexts": contexts, "ground_truth": "The pool has six lanes.",
        }));
        scores(&result)[2].unwrap()
    };
    assert_eq!(precision(&[POOL]), 1.0);
    assert_eq!(precision(&[POOL, CAFE]), 1.0);
    assert_eq!(precision(&[CAFE, POOL]), 0.5);
    assert_eq!(precision(&["", POOL]), 1.0, "a blank context takes no rank");
    assert_eq!(precision(&[CAFE]), 0.0);
}

#[test]
fn recall_is_the_share_of_reference_statements_found() {
    let result = run(json!({
        "question": "q",
        "answer": "a",
        "contexts": [POOL],
        "ground_truth": "The pool has six lanes. The sauna was built by Arvo Lind in 1970.",
    }));
    assert_eq!(scores(&result)[3], Some(0.5));
    let silent = run(json!({
        "question": "q", "answer": "a", "contexts": [POOL], "ground_truth": "The documents do not state a price.",
    }));
    assert_eq!(reasons(&silent)[2..], ["no_claims", "no_claims"]);
}

#[test]
fn every_null_has_a_reason_and_every_score_is_finite() {
    let texts =
        ["", "  ", "\u{1f6a2}", "Yes.", "...", NO_ANSWER, POOL, "# Heading only", "K-118", &"word ".repeat(1_500)];
    for answer in texts {
        for context in texts {
            for reference in texts {
                let result = run(json!({
                    "question": reference, "answer": answer, "contexts": [context], "ground_truth": reference,
                }));
                for (score, reason) in scores(&result).iter().zip(reasons(&result)) {
                    assert_eq!(score.is_none(), !reason.is_empty(), "{answer:.20} {context:.20} {reference:.20}");
                    assert!(score.is_none_or(|score| (-1.0..=1.0).contains(&score)));
                }
            }
        }
    }
}

#[test]
fn equal_records_get_equal_results_and_metadata_travels_along() {
    let record = json!({
        "question": "How many lanes?", "answer": POOL, "contexts": [CAFE, POOL], "ground_truth": POOL,
        "metadata": {"row_id": "r1"},
    });
    let first = serde_json::to_string(&run(record.clone())).unwrap();
    assert!(first.contains("\"row_id\":\"r1\""));
    for _ in 0..10 {
        assert_eq!(serde_json::to_string(&run(record.clone())).unwrap(), first);
    }
}
