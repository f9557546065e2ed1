//! Rows, files and runtimes that the cases share.

use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::row::{
    Evidence, Metrics, Operational, Reproducibility, Row, RowApproach, RowDataset, RowError, RowQuestion, Status,
    row_id,
};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub const RUN: &str = "run-a";
pub const DATASET: &str = "harbour";
pub const MODEL: &str = "vanilla-rag";

/// The id of the cell that asks `question`.
pub fn id(question: &str) -> String {
    row_id(RUN, DATASET, question, MODEL)
}

/// A finished row with the given answer.
pub fn row(question: &str, answer: &str) -> Row {
    Row {
        schema_version: 1,
        runner_version: 1,
        run_id: RUN.to_owned(),
        row_id: id(question),
        dataset: RowDataset {
            id: DATASET.to_owned(),
            label: "Harbour notes".to_owned(),
            complexity_level: 1,
            questions_file: "/data/harbour.yaml".to_owned(),
            corpus_path: "/data/harbour".to_owned(),
        },
        question: RowQuestion {
            id: question.to_owned(),
            query: format!("What is {question}?"),
            ground_truth: None,
            rationale: None,
            expect_winner: None,
        },
        approach: RowApproach {
            model: MODEL.to_owned(),
            base_model: MODEL.to_owned(),
            flavor: "default".to_owned(),
            evidence_capability: "answer_with_contexts".to_owned(),
            requires_reingest: false,
            provider: "embedded".to_owned(),
        },
        reproducibility: reproducibility(),
        status: Status::Ok,
        evidence: Evidence { answer: answer.to_owned(), ..Evidence::empty() },
        metrics: Metrics {
            operational: Operational { latency_ms: 7, attempts: 1, token_usage: None, server: None },
            ragas: Map::new(),
            judge_panel: object(json!({"status": "disabled"})),
        },
        error: None,
    }
}

/// A row whose cell failed.
pub fn failed_row(question: &str, status: Status) -> Row {
    let error = RowError { kind: "ReadTimeout".to_owned(), message: "too slow".to_owned() };
    Row { status, error: Some(error), evidence: Evidence::empty(), ..row(question, "") }
}

pub fn reproducibility() -> Reproducibility {
    Reproducibility {
        seed: "seed-1".to_owned(),
        config_hashes: object(json!({"flavors": "a".repeat(64)})),
        ingestion: object(json!({"revision": "r1", "chunks": 12})),
        runtime: object(json!({"project": "harbour", "atlas": null})),
    }
}

pub fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

pub fn encoded(question: &str, answer: &str) -> EncodedRow {
    EncodedRow::new(&row(question, answer)).unwrap()
}

pub fn line(question: &str) -> String {
    encoded(question, "yes").line().to_owned()
}

/// A folder with an evidence file of the given bytes.
pub fn file(bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Names of everything in the folder of an evidence file, sorted.
pub fn neighbours(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs a future to its end.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(future)
}
