//! Verdict sidecars become tables, strictly.

use super::support::{Cells, ask, loaded, row, write_and};
use ragsql::warehouse::Warehouse;
use serde_json::{Value, json};

/// A verdict with scores in the order shown.
pub fn verdict(question: &str, judge: &str, shown: &[(&str, Option<f64>)]) -> Value {
    let labels: Vec<String> = (0..shown.len()).map(|index| char::from(b'A' + index as u8).to_string()).collect();
    let scores: Vec<Value> = shown
        .iter()
        .zip(&labels)
        .map(|((approach, score), label)| {
            json!({"label": label, "approach": approach, "score": score,
            "reason": if score.is_some() { None } else { Some("judge_missing_label") }, "value": null})
        })
        .collect();
    json!({
        "schema_version": 1, "run_id": "r1", "dataset_id": "harbour", "question_id": question, "judge": judge,
        "direction": "forward", "order_rule": "stable", "order_seed": null,
        "order": shown.iter().map(|(approach, _)| approach).collect::<Vec<_>>(), "labels": labels,
        "prompt_sha256": "00", "settings": {"backend": "embedded", "endpoint": "x", "temperature": 0, "thinking": null},
        "attempts": [{"latency_ms": 5, "raw_reply": "{}", "finish_reason": "stop", "response_model": null,
            "reason": null, "detail": ""}],
        "state": if shown.iter().all(|(_, score)| score.is_some()) { "scored" } else { "incomplete" },
        "reason": null, "detail": "", "parse": "strict", "scores": scores, "best": shown.first().map(|(a, _)| a),
        "remark": "Fine.", "surplus": [],
    })
}

/// Ingests verdicts as a sidecar.
pub fn ingest(warehouse: &Warehouse, verdicts: &[Value]) -> Result<usize, ragsql::warehouse::Error> {
    let lines: String = verdicts.iter().map(|verdict| ragsql::json::canonical(verdict).unwrap() + "\n").collect();
    write_and(&lines, "x.verdicts.jsonl", |path| warehouse.ingest_verdicts(path))
}

#[test]
fn places_scores_and_reasons_are_told_for_every_answer_shown() {
    let mut cells = Cells::default();
    cells.ok("q1", "heron")["evidence"]["answer"] = "Ebb und Fl\u{fc}t".into();
    let warehouse = loaded(&cells);
    let mut failed = verdict("q2", "j1", &[("heron", None)]);
    failed["state"] = "unscored".into();
    failed["reason"] = "timeout".into();
    failed["scores"] = json!([]);
    let all = [verdict("q1", "j1", &[("wren", Some(3.5)), ("heron", Some(4.0))]), failed];
    assert_eq!(ingest(&warehouse, &all).unwrap(), 2);
    let found = ask(&warehouse, "reports/audit_verdicts", &[]);
    let heron = row(&found, &[("question_id", "q1"), ("approach", "heron")]);
    assert_eq!((heron.integer("position").unwrap(), heron.integer("characters_n").unwrap()), (2, 12));
    assert_eq!(heron.float_or_null("score").unwrap(), Some(4.0));
    let late = row(&found, &[("question_id", "q2")]);
    assert_eq!((late.text("state").unwrap(), late.text("reason").unwrap()), ("timeout", "timeout"));
}

#[test]
fn a_later_verdict_replaces_an_earlier_one_and_the_file_can_be_read_again() {
    let warehouse = loaded(&Cells::default());
    let both = [verdict("q1", "j1", &[("heron", Some(2.0))]), verdict("q1", "j1", &[("heron", Some(4.0))])];
    let lines: String = both.iter().map(|verdict| ragsql::json::canonical(verdict).unwrap() + "\n").collect();
    write_and(&(lines + "{\"torn"), "x.verdicts.jsonl", |path| {
        for _ in 0..2 {
            assert_eq!(warehouse.ingest_verdicts(path).unwrap(), 2);
            let found = ask(&warehouse, "reports/audit_verdicts", &[]);
            assert_eq!(found.rows.len(), 1, "only the current verdict is reported");
            assert_eq!(found.rows[0].float_or_null("score").unwrap(), Some(4.0));
        }
    });
}

#[test]
fn a_damaged_line_is_named_and_changes_nothing() {
    let warehouse = loaded(&Cells::default());
    let good = verdict("q1", "j1", &[("heron", Some(2.0)), ("wren", Some(1.0))]);
    let change = |key: &str, value: Value| {
        let mut bad = good.clone();
        bad[key] = value;
        bad
    };
    let score = |value: Value| change("scores", json!([{"label": "A", "approach": "heron", "score": value}]));
    for (bad, reason) in [
        (change("schema_version", json!(2)), "`schema_version` is not 1"),
        (change("direction", json!("sideways")), "`direction` is `sideways`"),
        (change("judge", Value::Null), "`judge` is missing"),
        (change("labels", json!(["A"])), "2 answers were shown under 1 labels"),
        (score(json!(6)), "the score of `heron` is not a number of 1 to 5"),
        (score(json!("5")), "the score of `heron` is not a number of 1 to 5"),
        (score(Value::Null), "`heron` needs either a score or a reason"),
        (change("scores", json!([{"label": "C", "approach": "heron", "score": 3}])), "was not shown under the label"),
        (change("attempts", json!([{}])), "an attempt has no `latency_ms`"),
    ] {
        let message = ingest(&warehouse, &[good.clone(), bad]).unwrap_err().to_string();
        assert!(message.contains("line 2") && message.contains(reason), "{message}");
    }
    assert!(ask(&warehouse, "reports/audit_verdicts", &[]).rows.is_empty());
}
