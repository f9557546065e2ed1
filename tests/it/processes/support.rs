//! A project for the real binary, a gateway that counts, and what an evidence file must hold at the end.

use crate::stub::{Reply, Seen, Stub};
use ragsql::json;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const MODELS: [&str; 4] = ["vanilla-rag", "hybrid-rag", "graph-rag", "lazy-graph-rag"];

/// A question and an approach.
pub type CellKey = (String, String);

/// A project folder with a matrix of `questions` x 4 cells.
pub struct Project {
    folder: TempDir,
    cells: Vec<CellKey>,
}

impl Project {
    pub fn create(questions: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let mut approaches = String::new();
        for model in MODELS {
            let _ = write!(approaches, "  - model: {model}\n    evidence: answer_with_contexts\n");
        }
        let (mut asked, mut cells) = (String::new(), Vec::new());
        for number in 0..questions {
            let query = format!("What lies at berth {number}?");
            let _ = write!(
                asked,
                "- id: q{number}\n  kind: factoid\n  query: \"{query}\"\n  rationale: \"One list names it.\"\n  \
                 ground_truth: \"Ship {number}.\"\n  relevant_sources: [\"berths.md\"]\n"
            );
            cells.extend(MODELS.map(|model| (query.clone(), model.to_owned())));
        }
        write("demo/queries.yaml", &asked);
        write("corpus/berths.md", "# Berths\n\nShips lie at berths.\n");
        write(
            "compare/datasets.yaml",
            "datasets:\n  - id: berths\n    label: Berths\n    complexity_level: 1\n    status: measured\n    \
             corpus_path: corpus\n    questions_file: demo/queries.yaml\n    graph_nature: None.\n    \
             ingestion_profile: berths\n",
        );
        write(
            "compare/evaluation.yaml",
            &format!(
                "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches:\n{approaches}metrics:\n  ragas: []\n  \
                 judge_panel:\n    enabled: false\nrun:\n  retries: 0\n  timeout_s: 30\n  evaluator_timeout_s: 30\n  \
                 concurrency: 8\n  seed: berths\n"
            ),
        );
        Self { folder, cells }
    }

    /// The evidence file of a run.
    pub fn evidence(&self, run_id: &str) -> PathBuf {
        self.folder.path().join(format!("compare/results/{run_id}.jsonl"))
    }

    /// `ragsql run` against a gateway, not started yet. Only our own settings reach it.
    pub fn run(&self, run_id: &str, gateway: &Stub) -> Command {
        let mut command = self.ragsql();
        command.args(["run", "--run-id", run_id, "--gateway", &gateway.url]);
        command
    }

    /// `ragsql doctor --quarantine` on the evidence of a run.
    pub fn quarantine(&self, run_id: &str) -> Output {
        self.ragsql().args(["doctor", "--quarantine"]).arg(self.evidence(run_id)).output().unwrap()
    }

    fn ragsql(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ragsql"));
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("RAGSQL_PROJECT", self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Checks that the evidence holds every cell of the matrix once, each with its own answer, and nothing else.
    #[track_caller]
    pub fn assert_complete(&self, run_id: &str, told: &str) {
        let text = fs::read_to_string(self.evidence(run_id)).unwrap();
        assert!(text.ends_with('\n'), "{told}");
        let mut found: Vec<CellKey> = text.lines().map(|line| key_of(line, told)).collect();
        let mut planned = self.cells.clone();
        found.sort();
        planned.sort();
        assert_eq!(found.len(), planned.len(), "{told}");
        assert!(found == planned, "other cells than planned: {told}");
    }
}

/// Which cell a stored line belongs to; its answer must be that cell's.
#[track_caller]
pub fn key_of(line: &str, told: &str) -> CellKey {
    let row = json::parse_strict(line).unwrap_or_else(|error| panic!("{error}: {told}"));
    let text = |pointer: &str| row.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let key = (text("/question/query"), text("/approach/model"));
    assert_eq!(row["status"], "ok", "{told}");
    assert!(text("/evidence/answer") == answer(&key), "a row with the answer of another cell: {told}");
    key
}

/// What the gateway says to a cell; a few answers are long, so that a kill can meet a row half-written.
fn answer((query, model): &CellKey) -> String {
    let length: usize = if query.ends_with("berth 0?") || query.ends_with("berth 5?") { 300_000 } else { 20 };
    format!("{model} on: {query} {}", "x".repeat(length))
}

/// A gateway that answers every cell in its own words, a moment after it is asked.
pub async fn gateway(wait_ms: u64) -> Stub {
    Stub::start(move |seen| match asked(seen) {
        Some(key) => Reply::answer(&answer(&key)).after_ms(wait_ms),
        None => Reply::json(json!({"data": MODELS.map(|id| json!({"id": id}))})),
    })
    .await
}

/// Which cell a request asks about; null for the list of models.
pub fn asked(seen: &Seen) -> Option<CellKey> {
    let query = seen.body.pointer("/messages/0/content")?.as_str()?;
    Some((query.to_owned(), seen.model().to_owned()))
}

/// How often each cell was asked.
pub fn calls(seen: &[Seen]) -> HashMap<CellKey, usize> {
    let mut calls = HashMap::new();
    for key in seen.iter().filter_map(asked) {
        *calls.entry(key).or_default() += 1;
    }
    calls
}

/// The whole lines of an evidence file; what is behind the last line end is left out.
pub fn whole_lines(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}

/// What a process said before it ended.
pub fn told(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = text.lines().rev().take(8).collect();
    format!("{}\n{}", output.status, last.into_iter().rev().collect::<Vec<_>>().join("\n"))
}

/// A runtime for the stub beside blocking waits.
pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}
