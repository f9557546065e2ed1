//! Names of the ladder's runs and files (`contract/evaluation.md` section 8.1).
//!
//! Reads and writes nothing.

/// Which approaches a run asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The approaches of the manifest, or those that were chosen for this ladder.
    Base,
    /// Every flavor of the flavors file.
    Flavors,
}

impl Tier {
    /// Both, in the order they are run.
    pub const ALL: [Tier; 2] = [Tier::Base, Tier::Flavors];

    /// `base` or `flavors`, as tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Base => "base",
            Tier::Flavors => "flavors",
        }
    }

    /// The name of the tier's run, which its files begin with: `live-<stamp>-<dataset>`, with `-flavors` behind it.
    pub fn run_id(self, stamp: &str, dataset_id: &str) -> String {
        let stem = stem(stamp, dataset_id);
        match self {
            Tier::Base => stem,
            Tier::Flavors => format!("{stem}-flavors"),
        }
    }
}

/// What the published folder of a dataset is called.
pub fn stem(stamp: &str, dataset_id: &str) -> String {
    format!("live-{stamp}-{dataset_id}")
}

/// What one published file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Artifact {
    /// The compatibility matrix.
    Matrix,
    /// The judgments.
    Judgments,
    /// The canonical rows.
    Evidence,
    /// The summary.
    Evaluation,
}

impl Artifact {
    /// All four, in the order the catalogue names them.
    pub const ALL: [Artifact; 4] = [Artifact::Matrix, Artifact::Judgments, Artifact::Evidence, Artifact::Evaluation];

    /// The published file's name.
    pub fn file_name(self, run_id: &str) -> String {
        let suffix = match self {
            Artifact::Matrix => "matrix.json",
            Artifact::Judgments => "judgments.json",
            Artifact::Evidence => "evidence.jsonl",
            Artifact::Evaluation => "evaluation.json",
        };
        format!("{run_id}-{suffix}")
    }

    /// The key under which the catalogue names it.
    pub fn key(self, tier: Tier) -> String {
        let kind = match self {
            Artifact::Matrix => "matrix",
            Artifact::Judgments => "judgment",
            Artifact::Evidence => "evidence",
            Artifact::Evaluation => "evaluation",
        };
        let prefix = match tier {
            Tier::Base => "",
            Tier::Flavors => "flavor_",
        };
        format!("{prefix}{kind}_snapshot")
    }
}
