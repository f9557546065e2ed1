//! When stored rows may be used again.

use super::support::{DATASET, MODEL, RUN, encoded, failed_row, file, id, line, object, reproducibility, row};
use ragsql::error::Failure;
use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::resume::{ExpectedCell, Refusal, ResumeError, check};
use ragsql::evidence::row::{Reproducibility, Row, Status, row_id};
use ragsql::evidence::store::Store;
use ragsql::experiment::dataset::Dataset;
use ragsql::experiment::flavor::Profile;
use ragsql::experiment::manifest::EvidenceCapability;
use ragsql::experiment::plan::Cell;
use ragsql::experiment::question::Question;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

fn planned(question: &str, reproducibility: &Arc<Reproducibility>) -> ExpectedCell {
    let cell = Cell {
        dataset: Arc::new(Dataset {
            notes: std::collections::BTreeMap::new(),
            id: DATASET.to_owned(),
            label: "Harbour notes".to_owned(),
            status: "measured".to_owned(),
            complexity_level: 1,
            corpus_path: "/data/harbour".into(),
            questions_file: "/data/harbour.yaml".into(),
            graph_nature: String::new(),
            ingestion_profile: DATASET.to_owned(),
        }),
        question: Arc::new(Question {
            id: question.to_owned(),
            query: format!("What is {question}?"),
            kind: None,
            ground_truth: None,
            rationale: None,
            expect_winner: None,
            relevant_sources: None,
        }),
        profile: Arc::new(Profile {
            alias: MODEL.to_owned(),
            base: MODEL.to_owned(),
            flavor: "default".to_owned(),
            label: "Vanilla".to_owned(),
            description: String::new(),
            requires_reingest: false,
            params: BTreeMap::new(),
        }),
        capability: EvidenceCapability::AnswerWithContexts,
    };
    ExpectedCell::new(RUN, &cell, Arc::clone(reproducibility))
}

fn text(rows: &[Row]) -> String {
    rows.iter().map(|row| EncodedRow::new(row).unwrap().line().to_owned() + "\n").collect()
}

fn refusal(rows: &[Row], cells: &[ExpectedCell]) -> Refusal {
    let (_folder, path) = file(text(rows));
    match check(&Store::open(path).unwrap(), cells) {
        Err(ResumeError::Refused(refusal)) => *refusal,
        other => panic!("{other:?}"),
    }
}

fn fields(refusal: &Refusal) -> Vec<(&str, &str, &str)> {
    refusal.differences.iter().map(|one| (one.field.as_str(), one.was.as_str(), one.now.as_str())).collect()
}

#[test]
fn stored_cells_are_found_by_identity_whatever_their_order() {
    let mut other_run = row("q2", "yes");
    other_run.row_id = row_id("run-b", DATASET, "q2", MODEL);
    other_run.reproducibility.seed = "another".to_owned();
    let rows = [other_run, failed_row("q3", Status::Timeout), row("q1", "yes"), failed_row("q4", Status::Error)];
    let (_folder, path) = file(text(&rows));
    let shared = Arc::new(reproducibility());
    // A question was inserted at the front, and one has the text of another.
    let mut cells: Vec<_> = ["q0", "q1", "q2", "q3", "q4", "q1"].iter().map(|q| planned(q, &shared)).collect();
    cells[0].query = cells[1].query.clone();
    let states = check(&Store::open(path).unwrap(), &cells).unwrap();
    let statuses: Vec<_> = states.iter().map(|state| state.map(|state| state.status)).collect();
    let (ok, error, timeout) = (Some(Status::Ok), Some(Status::Error), Some(Status::Timeout));
    assert_eq!(statuses, [None, ok, None, timeout, error, ok]);
}

#[test]
fn every_compared_field_is_named_with_both_values() {
    let mut now = reproducibility();
    now.seed = "seed-2".to_owned();
    now.config_hashes = object(json!({"flavors": "b".repeat(64), "roles": "c".repeat(64)}));
    now.ingestion.insert("chunks".to_owned(), json!(13));
    now.runtime = object(json!({"project": "harbour"}));
    let mut cell = planned("q1", &Arc::new(now));
    cell.query = "What was q1?".to_owned();
    cell.base_model = "hybrid-rag".to_owned();
    cell.flavor = "fast".to_owned();
    let refusal = refusal(&[row("q1", "yes")], &[cell]);
    assert_eq!(
        fields(&refusal),
        [
            ("question.query", "\"What is q1?\"", "\"What was q1?\""),
            ("approach.base_model", "\"vanilla-rag\"", "\"hybrid-rag\""),
            ("approach.flavor", "\"default\"", "\"fast\""),
            ("reproducibility.seed", "\"seed-1\"", "\"seed-2\""),
            ("reproducibility.config_hashes.flavors", "aaaaaa...", "bbbbbb..."),
            ("reproducibility.config_hashes.roles", "(absent)", "cccccc..."),
            ("reproducibility.ingestion.chunks", "12", "13"),
            ("reproducibility.runtime.atlas", "null", "(absent)"),
        ]
    );
    let message = refusal.to_string();
    let head = format!("resume refused: row {}... ({DATASET} / q1 / {MODEL}) was made under another", &id("q1")[..6]);
    assert!(message.starts_with(&head), "{message}");
    assert!(message.contains("\n  reproducibility.config_hashes.flavors   was aaaaaa...   now bbbbbb..."), "{message}");
    let failure = Failure::from(ResumeError::Refused(Box::new(refusal)));
    assert_eq!(failure.kind.exit_code(), 2);
    assert!(failure.hints[0].starts_with("give this run a new --run-id, or move "), "{:?}", failure.hints);
}

#[test]
fn an_edited_question_is_found_among_many_equal_rows() {
    let rows: Vec<_> = (0..60).map(|cell| row(&format!("q{cell}"), "yes")).collect();
    let shared = Arc::new(reproducibility());
    let mut cells: Vec<_> = (0..60).map(|cell| planned(&format!("q{cell}"), &shared)).collect();
    for cell in [20, 40, 59] {
        cells[cell].query.push_str(" Really?");
    }
    let refusal = refusal(&rows, &cells);
    assert_eq!((refusal.row_id.clone(), refusal.more_rows), (id("q20"), 2));
    assert_eq!(fields(&refusal), [("question.query", "\"What is q20?\"", "\"What is q20? Really?\"")]);
    assert!(refusal.to_string().ends_with("and 2 more planned rows differ"));
}

#[test]
fn a_row_with_other_inputs_is_found_behind_equal_ones() {
    let mut rows: Vec<_> = (0..8).map(|cell| row(&format!("q{cell}"), "yes")).collect();
    rows[7].reproducibility.runtime.insert("project".to_owned(), json!("quay"));
    let shared = Arc::new(reproducibility());
    let cells: Vec<_> = (0..8).map(|cell| planned(&format!("q{cell}"), &shared)).collect();
    let refusal = refusal(&rows, &cells);
    assert_eq!((refusal.row_id.clone(), refusal.more_rows), (id("q7"), 0));
    assert_eq!(fields(&refusal), [("reproducibility.runtime.project", "\"quay\"", "\"harbour\"")]);
}

#[test]
fn one_equals_one_point_zero_and_a_missing_map_is_an_empty_one() {
    let mut now = reproducibility();
    now.ingestion.insert("chunks".to_owned(), json!(12.0));
    now.runtime.clear();
    let stored = line("q1").replace(",\"runtime\":{\"atlas\":null,\"project\":\"harbour\"}", "");
    assert!(!stored.contains("\"runtime\""));
    let (_folder, path) = file(stored);
    assert!(check(&Store::open(path).unwrap(), &[planned("q1", &Arc::new(now))]).unwrap()[0].is_some());
}

#[test]
fn texts_that_do_not_reach_the_approach_are_not_compared() {
    let mut stored = row("q1", "yes");
    stored.question.rationale = Some("because".to_owned());
    stored.question.ground_truth = Some("yes".to_owned());
    stored.dataset.label = "Another label".to_owned();
    stored.approach.requires_reingest = true;
    let (_folder, path) = file(text(&[stored]));
    let cells = [planned("q1", &Arc::new(reproducibility()))];
    assert!(check(&Store::open(path).unwrap(), &cells).unwrap()[0].is_some());
}

#[test]
fn a_row_without_its_parts_is_refused_and_a_strange_status_is_damage() {
    let bare = format!("{{\"row_id\":\"{}\",\"status\":\"ok\"}}", id("q1"));
    let cells = [planned("q1", &Arc::new(reproducibility()))];
    let (_folder, path) = file(bare);
    let Err(ResumeError::Refused(refusal)) = check(&Store::open(path).unwrap(), &cells) else { panic!() };
    assert_eq!(fields(&refusal)[0], ("question.query", "(absent)", "\"What is q1?\""));
    let (_folder, path) = file(line("q1").replace("\"status\":\"ok\"}", "\"status\":\"done\"}"));
    let error = check(&Store::open(path).unwrap(), &cells).unwrap_err();
    assert!(error.to_string().contains("its status is \"done\""), "{error}");
}

#[test]
fn resuming_reads_and_changes_nothing() {
    let stored = encoded("q1", &"meta ".repeat(900)).line().to_owned();
    let (_folder, path) = file(&stored);
    check(&Store::open(&path).unwrap(), &[planned("q1", &Arc::new(reproducibility()))]).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), stored);
    assert_eq!(row_id(RUN, DATASET, "q1", MODEL), id("q1"));
}
