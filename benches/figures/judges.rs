//! A large panel through the real binary: five instant judges on 200 questions with 19 answers each, and its audit.

use crate::gateway::Gateway;
use crate::machine::peak_memory_bytes;
use crate::report::{Report, median, seconds};
use ragsql::panel::store::Store;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Warehouse, file_key};
use serde_json::json;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const QUESTIONS_N: usize = 200;
/// Answers to each question; the judges of the stub score as many.
pub const ANSWERS_N: usize = 19;
const JUDGES: &str = "j1,j2,j3,j4,j5";
const MOST_S: f64 = 20.0;
const MOST_BYTES: f64 = 200e6;
const MOST_AUDIT_S: f64 = 1.0;
/// Rounds of each statement; the middle one counts.
const ROUNDS_N: usize = 3;
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// The statements of the audit.
const AUDIT: [&str; 9] = [
    "metrics/audit_judges",
    "reports/audit_reasons",
    "metrics/audit_alpha",
    "metrics/audit_pairs",
    "metrics/audit_effects",
    "metrics/audit_swap",
    "metrics/audit_families",
    "rankings/audit_leave_one_out",
    "metrics/audit_canaries",
];

/// Judges the answers once, then audits the verdicts statement by statement.
pub fn measure(report: &mut Report, gateway: &Gateway) {
    report.section("ragsql judge, five judges, 200 questions, 19 answers");
    let folder = tempfile::Builder::new().prefix("judges-").tempdir_in(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.expect("cargo's folder can be written");
    write_project(folder.path());
    let (peak, elapsed) = judge(folder.path(), gateway);
    report.at_most("seconds to the last artifact", elapsed.as_secs_f64(), MOST_S);
    match peak {
        Some(peak) => report.at_most("peak memory in MB", peak as f64 / 1e6, MOST_BYTES / 1e6),
        None => report.line("peak memory", "not told by this system"),
    }
    let verdicts = Store::beside(&folder.path().join("compare/results/bench-judgments.json"));
    let catalogue = Catalogue::embedded(None).expect("the embedded catalogue");
    let warehouse = Warehouse::in_memory(&catalogue).expect("a warehouse");
    let start = Instant::now();
    let verdicts_n = warehouse.ingest_verdicts(&verdicts).expect("the verdicts");
    report.line(&format!("{verdicts_n} verdicts into a warehouse"), seconds(start.elapsed()));
    let key = file_key(&verdicts);
    for name in AUDIT {
        let rounds = (0..ROUNDS_N).map(|_| {
            let start = Instant::now();
            warehouse.query(name, &[("panel_file", key.as_str().into())]).expect("the audit");
            start.elapsed().as_secs_f64()
        });
        report.at_most(&format!("seconds of {name}"), median(rounds.collect()), MOST_AUDIT_S);
    }
}

fn judge(project: &Path, gateway: &Gateway) -> (Option<u64>, Duration) {
    let log = project.join("judge.log");
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ragsql"))
        .args(["judge", "--run-id", "bench", "--models", JUDGES, "--endpoint", &gateway.judges(), "--project"])
        .arg(project)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log).expect("a log file"))
        .spawn()
        .expect("ragsql starts");
    let mut peak = None;
    let status = loop {
        peak = peak.max(peak_memory_bytes(child.id()));
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        std::thread::sleep(LOOK_EVERY);
    };
    assert!(status.success(), "ragsql judge ended with {status}:\n{}", fs::read_to_string(&log).unwrap_or_default());
    (peak, start.elapsed())
}

fn write_project(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("inside the project")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "compare/evaluation.yaml",
        "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches:\n  - {model: vanilla-rag, evidence: answer_only}\n\
         metrics: {judge_panel: {endpoint: embedded, models: [nobody]}}\nrun: {seed: bench}\n",
    );
    write(
        "compare/datasets.yaml",
        "datasets:\n  - {id: bench, label: Bench, complexity_level: 1, status: measured, corpus_path: corpus, \
         questions_file: demo/queries.yaml}\n",
    );
    write("demo/queries.yaml", "- {id: q0, query: Why?}\n");
    let sentence = "The report of the ninth working day lists three open questions and two answers. ";
    let mut queries = Vec::new();
    let mut cells = Vec::new();
    for question in 0..QUESTIONS_N {
        let id = format!("q{question}");
        queries.push(json!({"id": id, "query": format!("What does report {question} say?"), "rationale": "Names it."}));
        cells.extend((0..ANSWERS_N).map(|approach| {
            json!({
                "query_id": id, "model": format!("approach-{approach:02}"), "ok": true,
                "answer": format!("{question} {approach} {}", sentence.repeat(14)),
            })
        }));
    }
    let matrix = json!({"base": null, "run_id": "bench", "dataset_id": "bench", "queries": queries, "cells": cells});
    write("compare/results/bench-matrix.json", &matrix.to_string());
}
