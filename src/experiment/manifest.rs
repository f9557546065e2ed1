//! `compare/evaluation.yaml` as checked values (`contract/evaluation.md` section 1.1).

use std::path::PathBuf;

/// What an approach hands out beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceCapability {
    /// Contexts do not count as evidence even when sources are shown.
    AnswerOnly,
    /// The retrieved contexts are evidence and can be scored.
    AnswerWithContexts,
}

impl EvidenceCapability {
    /// The word used in files and rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AnswerOnly => "answer_only",
            Self::AnswerWithContexts => "answer_with_contexts",
        }
    }
}

/// One base approach of the experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approach {
    /// The alias asked for at the gateway.
    pub model: String,
    /// Whether its contexts can be scored.
    pub evidence: EvidenceCapability,
}

/// The blinded judges.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgePanel {
    /// Off means no judge is ever called.
    pub enabled: bool,
    /// `atlas-litellm`, a chat completions URL, or null when disabled.
    pub endpoint: Option<String>,
    /// 0..=2.
    pub temperature: f64,
    /// The `think` switch; null leaves it out.
    pub thinking: Option<bool>,
    /// Judge model names, no repeats.
    pub models: Vec<String>,
}

/// How cells are run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// Further attempts after the first, 0..=10.
    pub retries: u32,
    /// Total deadline of one attempt in seconds, 0 < t <= 3600.
    pub timeout_s: f64,
    /// Total deadline of one scoring attempt in seconds, 0 < t <= 3600.
    pub evaluator_timeout_s: f64,
    /// Cells in flight, 1..=32.
    pub concurrency: usize,
    /// Recorded in every row; part of what resume compares.
    pub seed: String,
}

/// The whole manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// Absolute path of the file itself.
    pub file: PathBuf,
    /// Absolute base of dataset paths.
    pub root: PathBuf,
    /// Absolute path of `datasets.yaml`.
    pub datasets_file: PathBuf,
    /// In file order, unique.
    pub approaches: Vec<Approach>,
    /// Ragas metric names as listed, repeats included.
    pub ragas: Vec<String>,
    /// The judges.
    pub judge_panel: JudgePanel,
    /// How cells are run.
    pub run: RunSettings,
}
