//! Arguments of the verbs that hold one run against another.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The earlier run.
    #[arg(value_name = "BASELINE")]
    pub baseline: String,
    /// The run that is held against it.
    #[arg(value_name = "CANDIDATE")]
    pub candidate: String,
    /// Compare only this metric. Default: every metric that either run has.
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Compare only this approach. Default: every approach.
    #[arg(long, value_name = "ALIAS")]
    pub approach: Option<String>,
    /// Compare only this dataset. Default: every dataset.
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Print the comparison as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `gate`.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// Judge this run.
    #[arg(long, value_name = "RUN")]
    pub candidate: String,
    /// Hold it against this run. Default: `gate.baseline` of the manifest, else none, which leaves checks against it undecided.
    #[arg(long, value_name = "RUN")]
    pub baseline: Option<String>,
    /// Read the checks from the section `gate` of FILE. Relative paths start at the project.
    #[arg(long, value_name = "FILE", env = "MATRIX_MANIFEST_FILE", default_value = "compare/evaluation.yaml")]
    pub manifest: PathBuf,
    /// End with exit code 0 (`pass`) or 1 (`fail`) instead of 4 when the gate cannot decide. The report still says so.
    #[arg(long, value_name = "OUTCOME", value_parser = ["pass", "fail"])]
    pub inconclusive: Option<String>,
    /// Write the verdict to FILE as JUnit XML, a test case for each check.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the verdict to FILE as one HTML page.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print the verdict as JSON.
    #[arg(long)]
    pub json: bool,
}
