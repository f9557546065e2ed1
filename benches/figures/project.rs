//! A project folder for the runs, and the cells that its files plan.

use crate::gateway::MODELS;
use ragsql::evidence::resume::ExpectedCell;
use ragsql::evidence::row::Reproducibility;
use ragsql::experiment::load::{Experiment, Files};
use ragsql::experiment::plan::{Cell, plan};
use ragsql::experiment::selection::Selection;
use ragsql::warehouse::catalogue::Catalogue;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Names the run and its files.
pub const RUN_ID: &str = "bench";

/// Files below a temporary folder on cargo's disk; removed when dropped.
pub struct Project {
    folder: TempDir,
    /// Every cell of the plan.
    pub cells: Vec<Cell>,
    /// The program's own statements.
    pub catalogue: Catalogue,
}

impl Project {
    /// Writes experiment files that plan `cells_n` cells, rounded up to whole questions.
    pub fn create(cells_n: usize) -> Self {
        let folder = folder("figures-");
        let write = |name: &str, text: &str| write(folder.path(), name, text);
        write("compare/datasets.yaml", DATASETS);
        write("compare/evaluation.yaml", &manifest());
        write("corpus/note.md", "# A note\n\nNobody reads it: the gateway is a stub.\n");
        write("demo/queries.yaml", &questions(cells_n.div_ceil(MODELS.len())));
        let experiment = Experiment::load(folder.path(), &Files::default());
        let experiment = experiment.unwrap_or_else(|problems| panic!("the files are valid: {problems}"));
        let dataset = experiment.resolve_dataset(None, None).expect("the dataset");
        let file = experiment.load_questions(&dataset).unwrap_or_else(|problems| panic!("questions: {problems}"));
        let questions = file.choose(&[], None).expect("all questions");
        let profiles = experiment.select(Selection::Manifest).expect("all approaches");
        let cells = plan(&dataset, &questions, &profiles);
        Self { folder, cells, catalogue: Catalogue::embedded(None).expect("the embedded catalogue") }
    }

    /// The project folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where the run keeps its files.
    pub fn results(&self, name: &str) -> PathBuf {
        self.path().join("compare/results").join(name)
    }

    /// The evidence of the big run.
    pub fn evidence(&self) -> PathBuf {
        self.results("bench.jsonl")
    }

    /// What resume must find, when every row was made from `reproducibility`.
    pub fn expected(&self, reproducibility: Reproducibility) -> Vec<ExpectedCell> {
        let reproducibility = Arc::new(reproducibility);
        self.cells.iter().map(|cell| ExpectedCell::new(RUN_ID, cell, Arc::clone(&reproducibility))).collect()
    }
}

/// An empty folder on cargo's disk; removed when dropped.
pub fn folder(prefix: &str) -> TempDir {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(env!("CARGO_TARGET_TMPDIR"));
    folder.expect("cargo's folder can be written")
}

/// Writes a file and the folders above it.
pub fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("inside the project")).expect("a folder");
    fs::write(path, text).expect("a file");
}

const DATASETS: &str = "\
datasets:
  - id: bench
    label: Made-up questions
    complexity_level: 1
    status: measured
    corpus_path: corpus
    questions_file: demo/queries.yaml
    graph_nature: None.
    ingestion_profile: bench
";

fn manifest() -> String {
    let mut approaches = String::new();
    for model in MODELS {
        let _ = write!(approaches, "  - model: {model}\n    evidence: answer_with_contexts\n");
    }
    format!(
        "version: 1\nroot: ..\ndatasets_file: datasets.yaml\napproaches:\n{approaches}\
         metrics:\n  ragas: [faithfulness, answer_relevancy, context_precision, context_recall]\n\
         \x20 judge_panel:\n    enabled: false\n\
         run:\n  retries: 1\n  timeout_s: 60\n  evaluator_timeout_s: 60\n  concurrency: 16\n  seed: bench\n"
    )
}

fn questions(questions_n: usize) -> String {
    let mut text = String::new();
    for number in 0..questions_n {
        let _ = write!(
            text,
            "- id: q{number:06}\n  kind: factoid\n  query: \"What does note {number} say about the harbour?\"\n  \
             rationale: \"One sentence of one note holds it.\"\n  ground_truth: \"Note {number} names the harbour.\"\n  \
             relevant_sources: [\"note.md\"]\n"
        );
    }
    text
}
