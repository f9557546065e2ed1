//! A project with two rungs and a candidate, and what its ladder must leave.

use crate::cli::project::{Project, Told};
use crate::stub::{Reply, Stub};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The stamp of every ladder here.
pub const STAMP: &str = "2026-07-17";

const DATASETS: &str = "# Rungs, plainest first.
datasets:
  - id: harbour   # short notices
    label: Harbour notices
    status: measured
    complexity_level: 1
    corpus_path: corpus/harbour
    questions_file: demo/harbour.yaml

  # one step up
  - {id: lake, label: Lake, status: measured, complexity_level: 3, corpus_path: corpus/lake, questions_file: demo/lake.yaml}
  - id: marsh
    label: Marsh
    status: candidate
    complexity_level: 5
    corpus_path: corpus/lake
    questions_file: demo/lake.yaml
";

/// Two approaches and one flavor, asked of two measured datasets and a candidate; `judges` is the judge panel.
fn project(judges: &str, ragas: &str) -> Project {
    let project = Project::new();
    let manifest = format!(
        "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches:\n\
         \x20 - {{model: vanilla-rag, evidence: answer_with_contexts}}\n\
         \x20 - {{model: hybrid-rag, evidence: answer_with_contexts}}\n\
         metrics:\n  ragas: {ragas}\n  judge_panel: {judges}\n\
         run: {{retries: 0, timeout_s: 30, evaluator_timeout_s: 30, concurrency: 2, seed: s1}}\n"
    );
    project.write("compare/evaluation.yaml", &manifest);
    project.write("compare/datasets.yaml", DATASETS);
    project.write(
        "compare/flavors.yaml",
        "flavors:\n  - {alias: hybrid-rag-keen, base: hybrid-rag, params: {top_n: 2}}\n",
    );
    project.write(
        "demo/harbour.yaml",
        "- {id: ferry, query: When does the noon ferry leave?, ground_truth: It leaves at noon from pier 4.}\n\
         - {id: crane, query: What lifts the containers?, ground_truth: The crane lifts them.}\n",
    );
    project
        .write("demo/lake.yaml", "- {id: ice, query: When is the ferry stopped by ice?, ground_truth: In January.}\n");
    project.write("corpus/lake/ice.md", "# Ice\n\nIn January ice on the lake stops the ferry.\n");
    project
}

/// Built-in judges and two metrics.
pub fn judged() -> Project {
    project("{enabled: true, endpoint: embedded, temperature: 0}", "[faithfulness, answer_relevancy]")
}

/// No judges and no metrics, for gateways that only answer.
pub fn unjudged() -> Project {
    project("{enabled: false}", "[]")
}

/// Runs a ladder of the usual stamp.
pub fn ladder(project: &Project, arguments: &[&str]) -> Told {
    project.ragsql(&[&["ladder", "--date-stamp", STAMP], arguments].concat())
}

/// A published file of a dataset.
pub fn published(project: &Project, dataset: &str, file: &str) -> PathBuf {
    project.path(&format!("docs/results/live-{STAMP}-{dataset}/live-{STAMP}-{dataset}-{file}"))
}

/// The folders of published files, sorted.
pub fn folders(project: &Project) -> Vec<String> {
    let Ok(entries) = fs::read_dir(project.path("docs/results")) else { return Vec::new() };
    let entries = entries.map(Result::unwrap).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A gateway that answers everything.
pub async fn willing() -> Stub {
    Stub::start(|seen| match seen.path.as_str() {
        "/v1/chat/completions" => Reply::answer("At noon."),
        _ => Reply::status(404),
    })
    .await
}

/// A gateway that does something else when a question holds this word.
pub async fn unwilling(word: &'static str, reply: Reply) -> Stub {
    Stub::start(move |seen| match seen.path.as_str() {
        "/v1/chat/completions" if seen.body.to_string().contains(word) => reply.clone(),
        "/v1/chat/completions" => Reply::answer("At noon."),
        _ => Reply::status(404),
    })
    .await
}

/// How many cells a gateway was asked.
pub fn asked(stub: &Stub) -> usize {
    stub.seen().iter().filter(|seen| seen.path == "/v1/chat/completions").count()
}

pub async fn wait_for(what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < deadline, "it did not happen within 60 s");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
