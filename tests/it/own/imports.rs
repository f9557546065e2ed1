//! `ragsql import` of what other tools and earlier versions wrote (bug-report B4 for a bare NaN).

use super::support::{Service, answer_with};
use crate::cli::project::Project;
use serde_json::{Value, json};
use std::io::Write as _;

/// The rows an import wrote.
fn imported(project: &Project, run: &str) -> Vec<Value> {
    let text = project.read(&format!("compare/results/imported/{run}.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn inspect_log() -> Value {
    json!({
        "version": 2, "status": "success",
        "eval": {"task": "harbour", "model": "mockllm/heron", "run_id": "x"},
        "samples": [
            {"id": 7, "epoch": 1, "input": "When?", "target": "At noon.", "working_time": 1.5,
             "output": {"model": "heron-1", "choices": [{"message": {"role": "assistant", "content": "At noon."}}],
                "usage": {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}},
             "scores": {"match": {"value": "C"}, "parts": {"value": {"a": 0.25, "b": "?"}}}},
            {"id": "007", "epoch": 1, "target": ["a", "b"],
             "input": [{"role": "system", "content": "Be short."}, {"role": "user", "content": [{"type": "text", "text": "Where?"}]}],
             "output": {"choices": [{"message": {"content": [{"type": "text", "text": "Pier 4."}]}}]},
             "scores": {"match": {"value": "I"}}},
            {"id": 7, "epoch": 2, "input": "When?", "target": "", "output": {}, "error": {"message": "boom", "traceback": ""}},
        ],
    })
}

#[test]
fn inspect_logs_are_read_from_json_and_from_the_archive_alike() {
    let project = Project::new();
    let log = inspect_log();
    project.write("log.json", &log.to_string());
    project.ragsql(&["import", "log.json", "--run-id", "one"]).ends_with(0).complains("3 rows");
    for (name, method) in [("zstd", zip::CompressionMethod::Zstd), ("deflate", zip::CompressionMethod::Deflated)] {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        let mut add = |file: &str, value: &Value| {
            archive.start_file(file, options).unwrap();
            archive.write_all(value.to_string().as_bytes()).unwrap();
        };
        add("header.json", &json!({"eval": log["eval"], "status": "success"}));
        for (index, sample) in log["samples"].as_array().unwrap().iter().enumerate() {
            add(&format!("samples/{index}_epoch_{}.json", sample["epoch"]), sample);
        }
        add("summaries.json", &json!([]));
        std::fs::write(project.path(&format!("{name}.eval")), archive.finish().unwrap().into_inner()).unwrap();
        project.ragsql(&["import", &format!("{name}.eval"), "--run-id", name]).ends_with(0);
    }
    let rows = imported(&project, "one");
    let ids: Vec<&str> = rows.iter().map(|row| row["question"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["7", "007", "7 (epoch 2)"]);
    assert_eq!(
        (&rows[0]["approach"]["model"], &rows[0]["approach"]["provider"]),
        (&json!("mockllm/heron"), &json!("import:inspect"))
    );
    assert_eq!(rows[0]["metrics"]["operational"]["latency_ms"], 1500);
    assert_eq!(rows[0]["metrics"]["ragas"]["scores"], json!({"match": 1.0, "parts/a": 0.25}));
    assert_eq!(rows[0]["metrics"]["ragas"]["metric_errors"], json!({"parts/b": "score_not_numeric"}));
    assert_eq!((&rows[1]["question"]["query"], &rows[1]["evidence"]["answer"]), (&json!("Where?"), &json!("Pier 4.")));
    assert_eq!(rows[1]["metrics"]["operational"]["latency_ms"], Value::Null, "no time is invented");
    assert_eq!((&rows[2]["status"], &rows[2]["error"]["message"]), (&json!("error"), &json!("boom")));
    for other in ["zstd", "deflate"] {
        let others = imported(&project, other);
        for (row, other) in rows.iter().zip(&others) {
            for part in ["question", "evidence", "metrics", "status", "error", "approach"] {
                assert_eq!(row[part], other[part]);
            }
        }
    }
}

#[test]
fn promptfoo_results_keep_scores_usage_and_failures() {
    let project = Project::new();
    let results = json!({"version": 3, "results": {"results": [
        {"promptIdx": 0, "testIdx": 0, "provider": {"id": "openai:heron"}, "vars": {"question": "When?", "context": "Noon."},
         "response": {"output": "At noon.", "tokenUsage": {"prompt": 4, "completion": 2, "total": 6}},
         "score": 0.5, "namedScores": {"tone": 1}, "latencyMs": 12},
        {"promptIdx": 1, "testIdx": 0, "provider": {"id": "openai:heron"}, "vars": {"question": "When?"},
         "response": {"error": "429 slow down"}, "score": 0, "latencyMs": 3},
    ]}});
    project.write("results.json", &results.to_string());
    project.ragsql(&["import", "results.json", "--dataset", "harbour"]).ends_with(0);
    let rows = imported(&project, "import-results");
    assert_eq!(rows[0]["approach"]["model"], "openai:heron (prompt 1)");
    assert_eq!(rows[0]["metrics"]["ragas"]["scores"], json!({"promptfoo": 0.5, "tone": 1.0}));
    assert_eq!(rows[0]["evidence"]["contexts"], json!(["Noon."]));
    assert_eq!(
        rows[0]["evidence"]["token_usage"],
        json!({"completion_tokens": 2, "prompt_tokens": 4, "total_tokens": 6})
    );
    assert_eq!((&rows[1]["status"], &rows[1]["metrics"]["ragas"]["scores"]), (&json!("error"), &json!({})));
}

const COUNTED: &str = "select metric, count(score) as scored, count(*) as total from scores group by 1 order by 1";

#[test]
fn ragas_results_are_read_from_csv_and_json_lines_and_a_bare_nan_is_refused_with_its_line() {
    let project = Project::new();
    project.write(
        "ragas.csv",
        "user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy\n\
         When?,\"['At noon, daily.', \"\"it's so\"\"]\",Noon.,At noon.,0.5,\nWhere?,[],Pier.,,1.0,0.25\n",
    );
    project.ragsql(&["import", "ragas.csv", "--approach", "mine"]).ends_with(0);
    let rows = imported(&project, "import-ragas");
    assert_eq!(rows[0]["evidence"]["contexts"], json!(["At noon, daily.", "it's so"]));
    assert_eq!(rows[0]["metrics"]["ragas"]["scores"], json!({"faithfulness": 0.5}));
    assert_eq!(rows[0]["metrics"]["ragas"]["metric_errors"], json!({"answer_relevancy": "score_missing_or_null"}));
    let told = project.ragsql(&["sql", "--format", "csv", COUNTED]).ends_with(0);
    let lines: Vec<&str> = told.out.lines().collect();
    assert_eq!(lines, ["metric,scored,total", "answer_relevancy,1,2", "faithfulness,2,2"]);
    let good = json!({"user_input": "When?", "response": "Noon.", "faithfulness": 0.5}).to_string();
    project.write("lines.jsonl", &format!("{good}\n"));
    project.ragsql(&["import", "lines.jsonl"]).ends_with(0);
    project.write("nan.jsonl", &format!("{good}\n{}\n", good.replace("0.5", "NaN")));
    project.ragsql(&["import", "nan.jsonl"]).ends_with(2).complains("line 2");
    assert!(!project.path("compare/results/imported/import-nan.jsonl").exists());
}

#[test]
fn matrices_of_every_date_are_read_and_imports_never_enter_the_evidence() {
    let service = Service::start(|_| answer_with("At noon.", json!({"sources": ["Noon."]})));
    let project = super::support::project_asking(
        &["my-rag"],
        &format!("version: 1\napproaches:\n  - {{alias: my-rag, base_url: \"{}\"}}\n", service.base()),
    );
    project.ragsql(&["run"]).ends_with(0);
    let evidence = project.read("compare/results/harbour.jsonl");
    // The oldest shape: no dataset, no bases.
    let oldest = json!({"base": "http://x", "models": ["a"], "queries": [{"id": "q1", "query": "When?"}],
        "cells": [
            {"query_id": "q1", "model": "a", "ok": true, "latency_s": 1.2, "raw": "r", "answer": "Noon.",
             "sources": [{"title": "f.md", "score": null}], "metrics": {"seconds": 1.1, "chunks": 1}},
            {"query_id": "q1", "model": "b", "ok": false, "latency_s": 9.0, "error": "ReadTimeout: late"}]});
    project.write("old.json", &oldest.to_string());
    project.ragsql(&["import", "old.json", "--dataset", "harbour"]).ends_with(0);
    project.ragsql(&["import", "compare/results/harbour-matrix.json", "--run-id", "again"]).ends_with(0);
    assert_eq!(project.read("compare/results/harbour.jsonl"), evidence, "byte for byte");
    let rows = imported(&project, "import-old");
    assert_eq!(
        (&rows[0]["metrics"]["operational"]["latency_ms"], &rows[1]["status"]),
        (&json!(1200), &json!("timeout"))
    );
    assert_eq!(imported(&project, "again").len(), 3);
    std::fs::remove_file(project.path("compare/results/warehouse.duckdb")).unwrap();
    project.ragsql(&["report", "--run", "harbour"]).ends_with(0);
    let told =
        project.ragsql(&["sql", "select provider, count(*) as n from cells group by 1 order by 1"]).ends_with(0).out;
    for text in ["import:matrix", "openai-compatible"] {
        assert!(told.contains(text), "{told}");
    }
    project.write("old.json", &oldest.to_string().replace("Noon.", "Later."));
    project.ragsql(&["import", "old.json", "--dataset", "harbour"]).ends_with(2).complains("--run-id");
}

#[test]
fn every_published_matrix_of_the_shared_artifacts_is_read() {
    let folder = crate::golden::root().join("../shared/data/rag-showcase/results");
    let folder = if folder.is_dir() { folder } else { crate::golden::root().join("tests/fixtures/own/matrices") };
    let project = Project::new();
    let mut read = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with("-matrix.json") {
            project.ragsql(&["import", path.to_str().unwrap()]).ends_with(0);
            read += 1;
        }
    }
    assert!(read > 0, "no matrix in {}", folder.display());
}

#[test]
fn a_json_file_that_is_no_json_is_refused_with_its_line_and_no_hint_that_would_empty_it() {
    let project = Project::new();
    let log = serde_json::to_string_pretty(&inspect_log()).unwrap();
    project.write("nan.json", &log.replace("0.25", "NaN"));
    let told = project.ragsql(&["import", "nan.json"]).ends_with(2).complains("strict JSON, line ");
    assert!(!told.err.contains("quarantine"), "{}", told.err);
    project.write("other.json", "{\"a\": 1}");
    let told = project.ragsql(&["import", "other.json"]).ends_with(2).complains("no compatibility matrix");
    assert!(!told.err.contains("quarantine"), "{}", told.err);
    project.write("mine.jsonl", "{\"a\": 1}\n");
    let told = project.ragsql(&["import", "mine.jsonl"]).ends_with(2).complains("line 1");
    assert!(!told.err.contains("quarantine"), "a file of somebody's own: {}", told.err);
    project.write("marked.json", &format!("\u{feff}{log}"));
    project.ragsql(&["import", "marked.json"]).ends_with(0).complains("3 rows");
    project.ragsql(&["import", "nope.json"]).ends_with(2).complains("nope.json");
}

#[test]
fn an_import_never_takes_the_name_of_a_run_and_leaves_nothing_when_it_fails() {
    let project = Project::new();
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    project.write("one.csv", "user_input,response,faithfulness\nWhen?,Noon.,0.5\n");
    project.write("two.csv", "user_input,response,faithfulness\nWhere?,Pier 4.,0.5\n");
    project.ragsql(&["import", "one.csv", "--run-id", "harbour"]).ends_with(2).complains("holds the run `harbour`");
    let told = project.ragsql(&["import", "one.csv", "two.csv", "--run-id", "both"]).ends_with(2);
    told.complains("--run-id names the run of one file");
    project.write("broken.jsonl", "{}\n");
    project.ragsql(&["import", "one.csv", "broken.jsonl"]).ends_with(2);
    let left = std::fs::read_dir(project.path("compare/results/imported")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a failed import leaves no rows");
    project.ragsql(&["import", "one.csv", "two.csv"]).ends_with(0);
}

#[test]
fn contexts_that_a_tool_does_not_tell_are_missing_and_no_failed_retrieval() {
    let project = Project::new();
    project.write("bare.csv", "user_input,response,faithfulness\nWhen?,Noon.,0.5\n");
    project.write("told.csv", "user_input,retrieved_contexts,response,faithfulness\nWhen?,[],Noon.,0.5\nWho?,,No.,1\n");
    project.ragsql(&["import", "bare.csv", "told.csv"]).ends_with(0);
    let missing = |row: &Value| row.pointer("/evidence/approach_metadata/contexts_missing") == Some(&json!(true));
    assert!(missing(&imported(&project, "import-bare")[0]));
    let told: Vec<bool> = imported(&project, "import-told").iter().map(missing).collect();
    assert_eq!(told, [false, true]);
}

#[test]
fn the_complexity_of_a_row_is_that_of_its_own_dataset() {
    let project = Project::new();
    let catalogue = project.read("compare/datasets.yaml");
    project.write("compare/datasets.yaml", &catalogue.replace("complexity_level: 1", "complexity_level: 3"));
    project.write("log.json", &inspect_log().to_string());
    project.ragsql(&["import", "log.json"]).ends_with(0);
    assert_eq!(imported(&project, "import-log")[0]["dataset"]["complexity_level"], 3);
}
