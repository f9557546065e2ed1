//! Summaries against artifacts that other programs wrote.

use crate::golden;
use ragsql::report::summary::{Scope, Summary};
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Keep, Tail, Warehouse, file_key};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    let is_there = found.exists();
    println!("{}: {}", found.display(), if is_there { "used" } else { "absent, own fixtures only" });
    is_there.then_some(found)
}

fn summary(rows: &Path, judgments: Option<&Path>) -> Summary {
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    warehouse.ingest_evidence(rows, Tail::Take, Keep::Numbers).unwrap();
    if let Some(judgments) = judgments {
        warehouse.ingest_judgments(judgments, None).unwrap();
    }
    let scope = Scope { source_file: Some(file_key(rows)), judgments_file: judgments.map(file_key) };
    Summary::read(&warehouse, &scope).unwrap()
}

fn assert_same(found: &str, expected: &str, what: &Path) {
    if found != expected {
        let line = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
        let at = line.unwrap_or(0);
        let lines = |text: &str| text.lines().skip(at.saturating_sub(6)).take(14).collect::<Vec<_>>().join("\n");
        panic!(
            "{} differs at line {}\nfound:\n{}\nexpected:\n{}",
            what.display(),
            at + 1,
            lines(found),
            lines(expected)
        );
    }
}

/// Blanks the error texts, which every program words itself.
fn masked(text: &str) -> String {
    fn mask(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    match inner {
                        Value::String(text) if key == "error" => {
                            assert!(!text.trim().is_empty());
                            *inner = "<opaque>".into();
                        }
                        _ => mask(inner),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(mask),
            _ => {}
        }
    }
    let mut value = ragsql::json::parse_strict(text).unwrap();
    mask(&mut value);
    ragsql::json::pretty_sorted(&value).unwrap() + "\n"
}

fn compare_case(folder: &Path) {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let case = ragsql::json::parse_strict(&read("case.json")).unwrap();
    let judgments = folder.join("judgments.json");
    let judgments = (case["judgments"] != "none").then_some(judgments.as_path());
    let summary = summary(&folder.join("evidence.jsonl"), judgments);
    let found = summary.evaluation_json().unwrap();
    match case["opaque_error_text"] == true {
        true => assert_same(&masked(&found), &read("expected-evaluation.masked.json"), folder),
        false => assert_same(&found, &read("expected-evaluation.json"), folder),
    }
    assert_same(&summary.csv(), &read("expected.csv"), folder);
}

#[test]
fn every_oracle_case_is_rebuilt_byte_for_byte() {
    let Some(folder) = shared("oracle/summaries") else { return };
    let mut cases: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 8);
    cases.iter().for_each(|case| compare_case(case));
}

#[test]
fn every_published_evidence_file_rebuilds_its_summary_byte_for_byte() {
    let Some(folder) = shared("data/rag-showcase/results") else { return };
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix("-evidence.jsonl") else { continue };
        let path = |suffix: &str| folder.join(format!("{stem}{suffix}"));
        let summary = summary(&path("-evidence.jsonl"), Some(&path("-judgments.json")));
        let read = |suffix: &str| std::fs::read_to_string(path(suffix)).unwrap();
        assert_same(&summary.evaluation_json().unwrap(), &read("-evaluation.json"), &path("-evaluation.json"));
        assert_same(&summary.csv(), &read(".csv"), &path(".csv"));
        compared += 1;
    }
    assert_eq!(compared, 5);
}

#[test]
fn our_own_case_is_rebuilt_whatever_the_order_of_its_rows() {
    let folder = golden::root().join("tests/fixtures/summaries/harbour");
    let judgments = folder.join("judgments.json");
    let found = summary(&folder.join("evidence.jsonl"), Some(&judgments));
    golden::check("tests/fixtures/summaries/harbour/expected-evaluation.json", &found.evaluation_json().unwrap());
    golden::check("tests/fixtures/summaries/harbour/expected.csv", &found.csv());
    let text = std::fs::read_to_string(folder.join("evidence.jsonl")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    for turn in 0..lines.len() {
        lines.rotate_left(1);
        if turn % 2 == 0 {
            lines.reverse();
        }
        let copy = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(copy.path(), lines.join("\r\n")).unwrap();
        let other = summary(copy.path(), Some(&judgments));
        assert_same(&other.evaluation_json().unwrap(), &found.evaluation_json().unwrap(), &folder);
        assert_same(&other.csv(), &found.csv(), &folder);
    }
}

#[test]
fn an_empty_file_has_no_summary() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    warehouse.ingest_evidence(file.path(), Tail::Take, Keep::Numbers).unwrap();
    let scope = Scope { source_file: Some(file_key(file.path())), judgments_file: None };
    assert!(matches!(Summary::read(&warehouse, &scope), Err(ragsql::report::Error::NoRows)));
}

#[test]
fn a_broken_judgments_file_marks_the_judge_section_and_nothing_else() {
    let folder = golden::root().join("tests/fixtures/summaries/harbour");
    let rows = folder.join("evidence.jsonl");
    let without: Value = ragsql::json::parse_strict(&summary(&rows, None).evaluation_json().unwrap()).unwrap();
    let broken = tempfile::NamedTempFile::new().unwrap();
    let missing = folder.join("no-such-judgments.json");
    for (text, path) in [(&b"{\"queries\": ["[..], broken.path()), (&b"\xff\xfe"[..], broken.path()), (b"", &missing)] {
        std::fs::write(broken.path(), text).unwrap();
        let mut found: Value =
            ragsql::json::parse_strict(&summary(&rows, Some(path)).evaluation_json().unwrap()).unwrap();
        for scope in ["/overall", "/datasets/harbour", "/datasets/vertrag"] {
            let panel = format!("{scope}/judge_panel");
            let told = found.pointer_mut(&panel).unwrap();
            assert_eq!(
                (told["status"].as_str(), told["error"].as_str().is_some_and(|text| !text.is_empty())),
                (Some("error"), true)
            );
            *told = without.pointer(&panel).unwrap().clone();
        }
        assert_eq!(found, without);
    }
}
