//! The judgments file: shape, order, and the published files that must recompute.

use super::stub::{Stub, input, judge, plan, verdict};
use ragsql::json::parse_strict;
use ragsql::panel::aggregate::{LastTieBreak, aggregate};
use ragsql::panel::artifact::{disabled, encode, judgments};
use ragsql::panel::order::stable;
use serde_json::{Value, json};
use std::path::PathBuf;

#[tokio::test]
async fn the_document_has_the_published_keys_in_order_and_ends_with_a_newline() {
    let folder = tempfile::tempdir().unwrap();
    let stub = Stub::start(|_, seen| verdict(seen, |_, text| if text.starts_with('x') { 4.25 } else { 4.0 })).await;
    let mut plan = plan(input(1, &["x", "y"]), &["j1"]);
    plan.input.ingestion.insert("mode".into(), json!("m"));
    let outcome = judge(&plan, &stub.address, &folder.path().join("v.jsonl")).await;
    let text = encode(&judgments(&plan.input, &plan.settings, &outcome.verdicts)).unwrap();
    let order = &outcome.verdicts[0].order;
    let score = |name: &str| if name == "x" { "4.25" } else { "4.0" };
    let expected = format!(
        r#"{{
  "status": "ok",
  "dataset_id": "d",
  "judges": [
    "j1"
  ],
  "runtime": {{
    "backend": "openai-compatible",
    "endpoint": "http://stub/v1/chat/completions",
    "temperature": 0.0,
    "thinking": null
  }},
  "queries": [
    {{
      "query_id": "q1",
      "query": "What is number 1?",
      "expect_winner": null,
      "per_judge": {{
        "j1": {{
          "scores": {{
            "{first}": {first_score},
            "{second}": {second_score}
          }},
          "best": "{first}",
          "reason": "so be it"
        }}
      }},
      "mean_by_approach": {{
        "{first}": {first_score},
        "{second}": {second_score}
      }},
      "votes": {{
        "{first}": 1
      }},
      "observed_winner": "x"
    }}
  ],
  "ingestion": {{
    "mode": "m"
  }}
}}
"#,
        first = order[0],
        second = order[1],
        first_score = score(&order[0]),
        second_score = score(&order[1]),
    );
    assert_eq!(text, expected);
}

#[test]
fn a_panel_that_is_off_writes_exactly_four_keys() {
    let mut input = input(2, &["x"]);
    assert_eq!(disabled(&input).to_string(), r#"{"status":"disabled","dataset_id":"d","judges":[],"queries":[]}"#);
    input.dataset_id = None;
    input.ingestion.insert("mode".into(), json!("m"));
    let document = disabled(&input);
    assert_eq!((&document["dataset_id"], &document["ingestion"]), (&Value::Null, &json!({"mode": "m"})));
}

#[test]
fn an_outage_and_an_empty_question_list_are_still_documents() {
    let plan = plan(input(1, &["x"]), &["j"]);
    let document = judgments(&plan.input, &plan.settings, &[]);
    let query = &document["queries"][0];
    assert_eq!(query["per_judge"]["j"], json!({"error": "no valid verdict"}));
    assert_eq!(
        (&query["mean_by_approach"], &query["votes"], &query["observed_winner"]),
        (&json!({}), &json!({}), &Value::Null)
    );
    let empty = judgments(&input(0, &[]), &plan.settings, &[]);
    assert_eq!((&empty["status"], &empty["queries"]), (&json!("ok"), &json!([])));
}

/// The published judgment files, or the project's own when those are absent.
fn judgment_files() -> Vec<PathBuf> {
    let root = env!("CARGO_MANIFEST_DIR");
    let published = format!("{root}/../shared/data/rag-showcase/results");
    let folder =
        if std::path::Path::new(&published).is_dir() { published } else { format!("{root}/tests/fixtures/panel") };
    println!("used: {folder}");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with("-judgments.json")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn published_files_recompute_under_the_old_rule_key_order_included() {
    let mut queries = 0;
    for file in judgment_files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let document = parse_strict(&text).unwrap();
        assert_eq!(encode(&document).unwrap().trim_end(), text.trim_end(), "{}", file.display());
        for query in document["queries"].as_array().unwrap() {
            let found = aggregate(query["per_judge"].as_object().unwrap(), LastTieBreak::FirstInserted);
            let place = format!("{} {}", file.display(), query["query_id"]);
            // Texts, not values: they tell 4 from 4.0 and hold the key order.
            assert_eq!(Value::Object(found.means).to_string(), query["mean_by_approach"].to_string(), "{place}");
            assert_eq!(Value::Object(found.votes).to_string(), query["votes"].to_string(), "{place}");
            assert_eq!(found.winner.as_deref(), query["observed_winner"].as_str(), "{place}");
            queries += 1;
        }
    }
    println!("{queries} questions recomputed");
    assert!(queries > 0);
}

#[test]
fn published_verdicts_list_their_scores_in_the_stable_order() {
    let mut verdicts = 0;
    for file in judgment_files() {
        let document = parse_strict(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for query in document["queries"].as_array().unwrap() {
            for verdict in query["per_judge"].as_object().unwrap().values() {
                let Some(scores) = verdict["scores"].as_object() else { continue };
                let names: Vec<&str> = scores.keys().map(String::as_str).collect();
                let order = stable(query["query_id"].as_str().unwrap(), &names);
                assert!(order.iter().copied().eq(0..names.len()), "{} {}", file.display(), query["query_id"]);
                verdicts += 1;
            }
        }
    }
    assert!(verdicts > 0);
}
