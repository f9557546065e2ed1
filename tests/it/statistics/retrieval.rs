//! Retrieval metrics against two reference programs, and what happens where there is nothing to score.

use super::support::{Cells, ask, assert_near, assert_steady, fail, loaded, number, row, vectors};
use ragsql::warehouse::{QuestionFacts, Warehouse};
use serde_json::{Value, json};

fn facts(question: &str, relevant: Option<&[&str]>) -> QuestionFacts {
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    QuestionFacts { question_id: question.to_owned(), kind: None, topic: None, relevant_sources: relevant.map(texts) }
}

fn sources(titles: &[&str]) -> Value {
    titles.iter().map(|title| json!({"title": title, "snippet": "text", "score": 0.5})).collect()
}

fn one(ranking: &[&str], relevant: &[&str]) -> Warehouse<'static> {
    let mut cells = Cells::default();
    let titles: Vec<String> = ranking.iter().map(|document| format!("harbour/{document}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    cells.ok("q1", "heron")["evidence"]["sources"] = sources(&titles);
    let warehouse = loaded(&cells);
    warehouse.store_question_facts("harbour", "harbour", &[facts("q1", Some(relevant))]).unwrap();
    warehouse
}

#[test]
fn every_vector_of_the_two_reference_programs_is_met() {
    let Some(vectors) = vectors("retrieval-vectors.json") else { return };
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 6);
    for vector in vectors {
        let (ranking, relevant) = (texts(&vector["ranking"]), texts(&vector["relevant"]));
        let ranking: Vec<&str> = ranking.iter().map(String::as_str).collect();
        let relevant: Vec<&str> = relevant.iter().map(String::as_str).collect();
        let warehouse = one(&ranking, &relevant);
        let found = ask(&warehouse, "metrics/retrieval", &[("k", vector["k"].as_i64().unwrap().into())]);
        let columns =
            [("recall_at_k", "recall"), ("precision_at_k", "precision"), ("mrr", "mrr"), ("mrr_at_k", "mrr_k")];
        for (column, key) in columns.into_iter().chain([("ndcg_at_k", "ndcg"), ("hit_at_k", "hit")]) {
            assert_near(&found.rows[0], column, &vector[key]);
        }
    }
}

#[test]
fn the_view_and_the_statement_with_a_cut_of_five_say_the_same() {
    let warehouse = one(&["tide", "quay", "mast", "keel", "buoy", "rope"], &["quay", "rope", "mast"]);
    let with_cut = ask(&warehouse, "metrics/retrieval", &[]);
    let ranking = ask(&warehouse, "rankings/retrieval", &[]);
    for (metric, column) in [("recall_at_5", "recall_at_k"), ("mrr", "mrr"), ("ndcg_at_5", "ndcg_at_k")] {
        let mean = row(&ranking, &[("metric", metric), ("scope", "dataset")]).float_or_null("mean").unwrap().unwrap();
        assert!((mean - number(&with_cut.rows[0], column).unwrap()).abs() < 5e-7, "{metric}");
    }
    assert_near(&with_cut.rows[0], "recall_at_k", &json!(2.0 / 3.0));
    assert_near(&with_cut.rows[0], "mrr", &json!(0.5));
}

#[test]
fn chunks_of_one_document_count_once_at_the_first() {
    let warehouse = one(&["quay", "quay", "tide", "quay"], &["tide"]);
    let found = ask(&warehouse, "metrics/retrieval", &[("k", 2.into())]);
    assert_near(&found.rows[0], "documents_n", &json!(2));
    assert_near(&found.rows[0], "recall_at_k", &json!(1));
    assert_near(&found.rows[0], "mrr", &json!(0.5));
}

#[test]
fn a_cut_below_one_gives_no_numbers() {
    let warehouse = one(&["quay"], &["quay"]);
    for k in [0, -1] {
        let found = ask(&warehouse, "metrics/retrieval", &[("k", k.into())]);
        for column in ["recall_at_k", "precision_at_k", "hit_at_k", "mrr", "mrr_at_k", "ndcg_at_k"] {
            assert_eq!(number(&found.rows[0], column), None, "{column} at {k}");
        }
    }
}

fn states() -> Cells {
    let mut cells = Cells::default();
    cells.ok("none_given", "heron")["evidence"]["sources"] = sources(&["harbour/quay"]);
    cells.ok("none_relevant", "heron")["evidence"]["sources"] = sources(&["harbour/quay"]);
    cells.ok("nothing_found", "heron");
    fail(cells.ok("failed", "heron"), "error");
    fail(cells.ok("late", "heron"), "timeout");
    cells.ok("trace", "heron")["evidence"]["sources"] = sources(&["Agent trace"]);
    cells.ok("bare_title", "heron")["evidence"]["sources"] = sources(&["quay"]);
    let silent = cells.ok("bare_title", "wren");
    silent["approach"]["evidence_capability"] = "answer_only".into();
    cells
}

fn store_states(warehouse: &Warehouse) {
    let mut all: Vec<QuestionFacts> = ["nothing_found", "failed", "late", "trace", "bare_title"]
        .iter()
        .map(|question| facts(question, Some(&["quay", "quay"])))
        .collect();
    all.push(facts("none_given", None));
    all.push(facts("none_relevant", Some(&[])));
    warehouse.store_question_facts("harbour", "harbour", &all).unwrap();
}

#[test]
fn every_missing_score_has_a_reason_and_only_an_empty_ranking_is_a_zero() {
    let warehouse = loaded(&states());
    store_states(&warehouse);
    let found = ask(&warehouse, "metrics/retrieval", &[]);
    for (question, approach, state, reason, recall) in [
        ("none_given", "heron", "not_evaluable", "no_qrels", None),
        ("none_relevant", "heron", "not_evaluable", "no_relevant", None),
        ("nothing_found", "heron", "scored", "-", Some(0.0)),
        ("failed", "heron", "not_run", "cell_error", None),
        ("late", "heron", "not_run", "cell_timeout", None),
        ("trace", "heron", "not_evaluable", "sources_name_no_document", None),
        ("bare_title", "heron", "scored", "-", Some(1.0)),
        ("bare_title", "wren", "not_evaluable", "answer_only", None),
    ] {
        let row = row(&found, &[("question_id", question), ("approach", approach)]);
        assert_eq!(row.text("state").unwrap(), state, "{question}");
        assert_eq!(row.value("reason").unwrap().to_string(), reason, "{question}");
        assert_eq!(number(row, "recall_at_k"), recall, "{question}");
    }
}

#[test]
fn the_ranking_counts_every_cell_and_ranks_no_approach_without_a_score() {
    let warehouse = loaded(&states());
    store_states(&warehouse);
    let ranking = ask(&warehouse, "rankings/retrieval", &[]);
    let heron = row(&ranking, &[("scope", "overall"), ("metric", "recall_at_5"), ("approach", "heron")]);
    let counts = ["total", "evaluated", "not_evaluable", "errors", "timeouts"];
    assert_eq!(counts.map(|column| heron.integer(column).unwrap()), [7, 2, 3, 1, 1]);
    assert_near(heron, "mean", &json!(0.5));
    assert_eq!(heron.integer("rank").unwrap(), 1);
    let wren = row(&ranking, &[("scope", "overall"), ("metric", "recall_at_5"), ("approach", "wren")]);
    assert_eq!((wren.integer_or_null("rank").unwrap(), number(wren, "mean")), (None, None));
    assert_eq!(wren.integer("not_evaluable").unwrap(), 1);
}

#[test]
fn a_dataset_whose_file_names_no_document_has_no_retrieval_metrics() {
    let mut cells = Cells::default();
    cells.ok("q1", "heron")["evidence"]["sources"] = sources(&["harbour/quay"]);
    let warehouse = loaded(&cells);
    assert!(ask(&warehouse, "rankings/retrieval", &[]).rows.is_empty());
    warehouse.store_question_facts("harbour", "harbour", &[facts("q1", Some(&["quay"]))]).unwrap();
    assert_eq!(ask(&warehouse, "rankings/retrieval", &[]).rows.len(), 6);
    warehouse.store_question_facts("harbour", "harbour", &[facts("q1", None)]).unwrap();
    assert!(ask(&warehouse, "rankings/retrieval", &[]).rows.is_empty(), "facts are replaced, not added");
}

#[test]
fn rows_in_any_order_on_any_threads_give_the_same_digits() {
    let statements = [("metrics/retrieval", &[][..]), ("rankings/retrieval", &[][..])];
    assert_steady(&states(), store_states, &statements);
}
