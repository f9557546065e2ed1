//! A large panel through the real binary: five instant judges on 200 questions with 19 answers each, and its audit.

use crate::gateway::Gateway;
use crate::machine::{ragsql, watched};
use crate::project;
use crate::report::{Report, median, seconds};
use ragsql::panel::store::Store;
use ragsql::report::audit;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Warehouse, file_key};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

const QUESTIONS_N: usize = 200;
/// Answers to each question; the judges of the stub score as many.
pub const ANSWERS_N: usize = 19;
const JUDGES: &str = "j1,j2,j3,j4,j5";
const MOST_S: f64 = 20.0;
const MOST_BYTES: f64 = 200e6;
const MOST_AUDIT_S: f64 = 1.0;
/// Rounds of each statement; the middle one counts.
const ROUNDS_N: usize = 3;

/// Judges the answers once, then audits the verdicts statement by statement.
pub fn measure(report: &mut Report, gateway: &Gateway) {
    report.section("ragsql judge, five judges, 200 questions, 19 answers");
    let folder = project::folder("judges-");
    write_project(folder.path());
    let judge = ["judge", "--run-id", "bench", "--models", JUDGES, "--endpoint", &gateway.judges()];
    let (elapsed, peak) = watched(ragsql(folder.path(), &judge));
    report.at_most("seconds to the last artifact", elapsed.as_secs_f64(), MOST_S);
    report.peak("the panel", peak, MOST_BYTES);
    let verdicts = Store::beside(&folder.path().join("compare/results/bench-judgments.json"));
    let catalogue = Catalogue::embedded(None).expect("the embedded catalogue");
    let warehouse = Warehouse::in_memory(&catalogue).expect("a warehouse");
    let start = Instant::now();
    let verdicts_n = warehouse.ingest_verdicts(&verdicts).expect("the verdicts");
    report.line(&format!("{verdicts_n} verdicts into a warehouse"), seconds(start.elapsed()));
    let key = file_key(&verdicts);
    for name in audit::statements() {
        let rounds = (0..ROUNDS_N).map(|_| {
            let start = Instant::now();
            warehouse.query(name, &[("panel_file", key.as_str().into())]).expect("the audit");
            start.elapsed().as_secs_f64()
        });
        report.at_most(&format!("seconds of {name}"), median(rounds.collect()), MOST_AUDIT_S);
    }
}

fn write_project(folder: &Path) {
    let write = |name: &str, text: &str| project::write(folder, name, text);
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
