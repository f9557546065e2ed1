//! The tables at the end of a run.

use crate::warehouse::rows::{failed_row, lines, row};
use ragsql::report::standings::{StandingsScope, render};
use ragsql::report::templates::Templates;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Keep, Tail, Warehouse};
use serde_json::{Value, json};

fn tables(rows: &[Value]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    std::fs::write(&file, lines(rows)).unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    warehouse.ingest_evidence(&file, Tail::Take, Keep::Numbers).unwrap();
    let templates = Templates::embedded(None).unwrap();
    render(&warehouse, &templates, &StandingsScope::default(), 80).unwrap()
}

fn metric_table(text: &str, metric: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with(&format!(" {metric}")));
    let table = lines.take_while(|line| !line.is_empty());
    table.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn an_approach_that_skipped_questions_is_provisional_and_shows_its_bounds() {
    let mut rows: Vec<Value> = (1..=4).map(|n| row(&format!("q{n}"), "heron", 0.6.into())).collect();
    rows.extend([row("q1", "wren", 0.9.into()), row("q2", "wren", 0.7.into())]);
    rows.extend([failed_row("q3", "wren", "error"), failed_row("q4", "wren", "timeout")]);
    assert_eq!(
        metric_table(&tables(&rows), "faithfulness"),
        [
            "faithfulness · higher is better",
            "rank approach mean scored errors n/a",
            "1-2 heron 0.600 4/4 0 0 provisional",
            "1-2 wren 0.800 2/4 2 0 provisional",
            "wren: 0.800 (2/4 scored, 2 failed; between 0.400 and 0.900 whatever the rest)",
        ]
    );
}

#[test]
fn equal_means_share_a_rank_and_zero_is_a_score() {
    let rows = [row("q1", "wren", 0.0.into()), row("q1", "heron", 0.0.into()), row("q1", "ibis", (-0.0).into())];
    assert_eq!(
        metric_table(&tables(&rows), "faithfulness")[2..],
        ["1 heron 0.000 1/1 0 0 tie", "1 ibis 0.000 1/1 0 0 tie", "1 wren 0.000 1/1 0 0 tie"]
    );
    let rows = [row("q1", "a", 0.8.into()), row("q1", "b", 0.7.into()), row("q1", "c", 0.8.into())];
    assert_eq!(
        metric_table(&tables(&rows), "faithfulness")[2..],
        ["1 a 0.800 1/1 0 0 tie", "1 c 0.800 1/1 0 0 tie", "3 b 0.700 1/1 0 0"]
    );
}

#[test]
fn an_approach_without_scores_is_unranked_and_leaves_no_gap() {
    let mut silent = row("q1", "ibis", Value::Null);
    silent["metrics"]["ragas"]["metric_errors"] = json!({"faithfulness": "score_missing_or_null"});
    let mut answers_only = row("q1", "plover", Value::Null);
    answers_only["metrics"]["ragas"] = json!({
        "status": "not_evaluable", "requested": ["faithfulness"], "scores": {},
        "not_evaluable": {"faithfulness": "retrieved_contexts_required"},
    });
    let rows = [row("q1", "heron", 0.5.into()), silent, answers_only, row("q1", "wren", 0.25.into())];
    assert_eq!(
        metric_table(&tables(&rows), "faithfulness")[2..],
        [
            "1 heron 0.500 1/1 0 0",
            "2 wren 0.250 1/1 0 0",
            "- ibis - 0/1 1 0 unranked",
            "- plover - 0/1 0 1 unranked",
            "ibis: unranked (0/1)",
            "plover: unranked (0/1), the metric does not apply to its answers",
        ]
    );
}

#[test]
fn enough_digits_are_shown_to_tell_means_apart_and_no_more() {
    let rows = [row("q1", "heron", 0.70012.into()), row("q1", "wren", 0.70008.into())];
    assert_eq!(
        metric_table(&tables(&rows), "faithfulness")[2..],
        ["1 heron 0.70012 1/1 0 0", "2 wren 0.70008 1/1 0 0"]
    );
    let rows = [row("q1", "tern", 0.9999999999.into()), row("q1", "ibis", 1.into())];
    assert_eq!(
        metric_table(&tables(&rows), "faithfulness")[2..],
        ["1 ibis 1.000 1/1 0 0 tie", "1 tern 1.000 1/1 0 0 tie"]
    );
}

#[test]
fn a_slow_failure_is_not_a_fast_answer() {
    let rows = [row("q1", "heron", 1.into()), failed_row("q1", "wren", "timeout"), row("q2", "wren", 1.into())];
    let found = metric_table(&tables(&rows), "latency_ms");
    assert_eq!(found[0], "latency_ms · lower is better");
    assert!(found[4].ends_with("(1/2 scored, 1 failed; at least 50.000 whatever the rest)"), "{found:?}");
    assert!(tables(&rows).contains("judges · pending: 2 answers wait for `ragsql judge`"));
}
