//! Summaries against artifacts that other programs wrote.

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
