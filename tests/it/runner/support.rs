//! Cells, settings and a store in memory for the runner's cases.

use crate::stub::Stub;
use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::row::Reproducibility;
use ragsql::experiment::dataset::Dataset;
use ragsql::experiment::flavor::Profile;
use ragsql::experiment::manifest::EvidenceCapability;
use ragsql::experiment::plan::{Cell, plan};
use ragsql::experiment::question::Question;
use ragsql::runner::{Asking, Claimed, Event, RowSink, RunConfig, RunOutcome, SinkError, run};
use ragsql::wire::call::Endpoint;
use ragsql::wire::retry::{Pace, RetryPolicy};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;

/// Cells of `questions` x `models`, all able to show contexts.
pub fn cells(questions: usize, models: &[&str]) -> Vec<Cell> {
    let dataset = Arc::new(Dataset {
        notes: std::collections::BTreeMap::new(),
        id: "ds".to_owned(),
        label: "A dataset".to_owned(),
        status: "candidate".to_owned(),
        complexity_level: 2,
        corpus_path: "/corpus".into(),
        questions_file: "/questions.yaml".into(),
        graph_nature: String::new(),
        ingestion_profile: "ds".to_owned(),
    });
    let questions: Vec<Arc<Question>> = (0..questions)
        .map(|number| {
            Arc::new(Question {
                id: format!("q{number}"),
                query: format!("What is {number}?"),
                kind: None,
                ground_truth: Some("It is a number.".to_owned()),
                rationale: None,
                expect_winner: None,
                relevant_sources: None,
            })
        })
        .collect();
    let profiles: Vec<_> = models
        .iter()
        .map(|model| {
            let profile = Profile {
                alias: (*model).to_owned(),
                base: (*model).to_owned(),
                flavor: "default".to_owned(),
                label: "Default".to_owned(),
                description: String::new(),
                requires_reingest: false,
                params: BTreeMap::new(),
            };
            (Arc::new(profile), EvidenceCapability::AnswerWithContexts)
        })
        .collect();
    plan(&dataset, &questions, &profiles)
}

/// Settings for a stub: a second of waiting takes ten milliseconds.
pub fn config(stub: &Stub, retries: u32, concurrency: usize) -> RunConfig {
    RunConfig {
        run_id: "run".to_owned(),
        gateway: Asking {
            endpoint: Endpoint::new(&stub.chat_url()).unwrap(),
            provider: "openai-compatible".to_owned(),
            refuse_cache: true,
            connection: None,
        },
        approaches: HashMap::new(),
        timeout_s: 5.0,
        concurrency,
        policy: RetryPolicy::new(retries),
        pace: Pace { scale_ratio: 0.01 },
        jitter_seed: 11,
        reproducibility: Reproducibility { seed: "s".to_owned(), ..Reproducibility::default() },
        ragas: Vec::new(),
        scoring: None,
        spending: None,
        judge_panel_enabled: false,
    }
}

/// A store in memory. Says which ids it refuses, and remembers what it was asked.
#[derive(Default)]
pub struct MemorySink {
    pub lines: Mutex<Vec<String>>,
    pub stored_by_others: HashSet<String>,
    /// Appends beyond this many fail.
    pub room_for: Option<usize>,
    pub appends: Mutex<usize>,
}

impl MemorySink {
    pub fn rows(&self) -> Vec<Value> {
        self.lines.lock().unwrap().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl RowSink for MemorySink {
    type Claim = ();

    async fn claim(&self, row_id: &str) -> Result<Claimed<()>, SinkError> {
        Ok(if self.stored_by_others.contains(row_id) { Claimed::AlreadyStored } else { Claimed::Ours(()) })
    }

    async fn append(&self, row: EncodedRow) -> Result<(), SinkError> {
        // Lets other cells go on, as a real disk does.
        tokio::task::yield_now().await;
        *self.appends.lock().unwrap() += 1;
        let mut lines = self.lines.lock().unwrap();
        if self.room_for.is_some_and(|room| lines.len() >= room) {
            return Err(SinkError { message: "no space left on device".to_owned(), hint: None });
        }
        lines.push(row.line().to_owned());
        Ok(())
    }
}

/// What a finished run left behind.
pub struct Ran {
    pub outcome: RunOutcome,
    pub rows: Vec<Value>,
    pub events: Vec<Event>,
}

/// Runs cells to the end against a fresh store.
pub async fn ran(config: &RunConfig, cells: &[Cell]) -> Ran {
    let sink = MemorySink::default();
    let events = Mutex::new(Vec::new());
    let outcome =
        run(config, cells, &sink, &|event| events.lock().unwrap().push(event), &CancellationToken::new()).await;
    Ran { outcome, rows: sink.rows(), events: events.into_inner().unwrap() }
}

/// Runs one cell and returns its row.
pub async fn row_of(config: &RunConfig) -> Value {
    ran(config, &cells(1, &["heron"])).await.rows.remove(0)
}
