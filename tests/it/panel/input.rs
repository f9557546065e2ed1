//! What is judged: matrices of every date, and canonical rows.

use ragsql::panel::error::InputError;
use ragsql::panel::input::{Input, SHOWN_CHARACTERS};
use ragsql::wire::judging::NO_ANSWER;
use serde_json::{Value, json};

fn matrix(cells: Value) -> Value {
    json!({
        "base": "http://127.0.0.1:1",
        "models": ["x"],
        "queries": [
            {"id": "q1", "query": "Why?", "expect_winner": "x", "rationale": "A reason."},
            {"id": "q2", "query": "How?", "expect_winner": null, "rationale": ""},
        ],
        "cells": cells,
    })
}

#[test]
fn the_last_cell_wins_and_unknown_questions_are_ignored() {
    let cells = json!([
        {"query_id": "q1", "model": "x", "ok": true, "answer": "first"},
        {"query_id": "q9", "model": "x", "ok": true, "answer": "nobody asked"},
        {"query_id": "q1", "model": "y", "ok": false, "error": "Boom: x", "answer": "half an answer"},
        {"query_id": "q1", "model": "x", "ok": true, "answer": "second"},
        {"query_id": "q1", "model": "z", "ok": true, "answer": ""},
    ]);
    let input = Input::from_matrix(&matrix(cells)).unwrap();
    let shown: Vec<(&str, &str)> =
        input.questions[0].answers.iter().map(|answer| (answer.approach.as_str(), answer.shown.as_str())).collect();
    assert_eq!(shown, [("x", "second"), ("y", NO_ANSWER), ("z", NO_ANSWER)]);
    assert_eq!(input.questions[0].need.as_deref(), Some("A reason."));
    assert_eq!((input.questions[1].answers.len(), input.questions[1].need.as_deref()), (0, None));
    assert_eq!((input.run_id, input.dataset_id, input.ingestion.len()), (None, None, 0));
}

#[test]
fn answers_are_cut_at_code_points() {
    let long = "é🔎".repeat(SHOWN_CHARACTERS);
    let input = Input::from_matrix(&matrix(json!([{"query_id": "q1", "model": "x", "ok": true, "answer": long}])));
    let shown = &input.unwrap().questions[0].answers[0].shown;
    assert_eq!(shown.chars().count(), SHOWN_CHARACTERS);
    assert!(long.starts_with(shown.as_str()));
}

#[test]
fn damaged_matrices_are_refused_with_the_place() {
    let refused = |change: fn(&mut Value)| {
        let mut document = matrix(json!([{"query_id": "q1", "model": "x", "ok": true, "answer": "a"}]));
        change(&mut document);
        Input::from_matrix(&document).unwrap_err().to_string()
    };
    assert_eq!(refused(|matrix| matrix["queries"] = json!({})), "`queries` is not a list");
    assert_eq!(refused(|matrix| matrix["queries"][1]["id"] = json!(7)), "`queries[1].id` is not a text");
    assert_eq!(refused(|matrix| matrix["queries"][1]["id"] = json!("q1")), "the question `q1` is listed twice");
    assert_eq!(refused(|matrix| matrix["cells"][0]["model"] = Value::Null), "`cells[0].model` is not a text");
    assert_eq!(Input::from_matrix(&json!([])).unwrap_err().to_string(), "`queries` is not a list");
}

fn row(dataset: &str, question: &str, query: &str, status: &str, answer: &str) -> Value {
    json!({
        "run_id": "r1", "status": status,
        "dataset": {"id": dataset},
        "question": {"id": question, "query": query, "rationale": null, "expect_winner": null},
        "approach": {"model": "x"},
        "reproducibility": {"ingestion": {"mode": "m"}},
        "evidence": {"answer": answer},
    })
}

#[test]
fn canonical_rows_of_one_dataset_are_input_too() {
    let rows =
        [row("d", "q1", "Why?", "ok", "a"), row("d", "q2", "How?", "timeout", ""), row("e", "q1", "Else?", "ok", "b")];
    let input = Input::from_rows(&rows, Some("d")).unwrap();
    assert_eq!((input.run_id.as_deref(), input.dataset_id.as_deref()), (Some("r1"), Some("d")));
    assert_eq!(input.ingestion["mode"], "m");
    let shown: Vec<&str> = input.questions.iter().map(|question| question.answers[0].shown.as_str()).collect();
    assert_eq!(shown, ["a", NO_ANSWER]);
    assert_eq!(Input::from_rows(&rows, None).unwrap_err(), InputError::ConflictingQuestion { id: "q1".into() });
    assert_eq!(
        Input::from_rows(&rows[1..], None).unwrap_err(),
        InputError::SeveralDatasets { datasets: vec!["d".into(), "e".into()] }
    );
}

#[test]
fn every_published_matrix_can_be_judged_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/rag-showcase/results");
    let Ok(entries) = std::fs::read_dir(folder) else {
        return println!("used: the matrices written in this file; {folder} is absent");
    };
    let mut read = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        if !path.to_string_lossy().ends_with("-matrix.json") {
            continue;
        }
        let matrix = ragsql::json::parse_strict(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let input = Input::from_matrix(&matrix).unwrap();
        let models = matrix["models"].as_array().unwrap().len();
        assert!(input.questions.iter().all(|question| question.answers.len() == models), "{}", path.display());
        read += 1;
    }
    println!("used: {read} published matrices");
    assert!(read > 0);
}
