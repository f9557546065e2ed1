//! The five gates between a finished run and its publication (`contract/evaluation.md` section 8.1).
//!
//! Reads the run's files and what was planned into tables in memory, and asks the checks under `sql/checks` what is
//! wrong. Decides nothing itself: a gate is open when its checks find no row.

use super::facts::{self, Rows};
use super::{Error, Result};
use crate::warehouse::catalogue::Catalogue;
use crate::warehouse::{Keep, Tail, Warehouse};
use std::fmt;
use std::path::PathBuf;

/// One gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Every planned cell of the matrix ended well.
    Matrix,
    /// The evidence is whole, scored as asked, and of one known origin.
    Evidence,
    /// The first summary counts what the evidence holds.
    Summary,
    /// Every judge scored every answer.
    Judgments,
    /// The summary that was made again holds the judges.
    JudgedSummary,
}

impl Gate {
    /// All of them, in their order.
    pub const ALL: [Gate; 5] = [Gate::Matrix, Gate::Evidence, Gate::Summary, Gate::Judgments, Gate::JudgedSummary];
    /// Those that need no judgments.
    pub const BEFORE_JUDGES: [Gate; 3] = [Gate::Matrix, Gate::Evidence, Gate::Summary];
    /// Those that do.
    pub const BEHIND_JUDGES: [Gate; 2] = [Gate::Judgments, Gate::JudgedSummary];

    /// From 1.
    pub fn number(self) -> usize {
        Gate::ALL.iter().position(|gate| *gate == self).unwrap_or_default() + 1
    }

    /// The statements that must find nothing, without their versions.
    pub fn checks(self) -> Vec<&'static str> {
        match self {
            Gate::Matrix => vec!["checks/fail_ladder_matrix"],
            Gate::Evidence => vec!["checks/fail_ladder_evidence"],
            Gate::Summary => vec!["checks/fail_ladder_summary"],
            Gate::Judgments => vec!["checks/fail_ladder_judgments"],
            Gate::JudgedSummary => vec!["checks/fail_ladder_summary", "checks/fail_ladder_judged_summary"],
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Gate::Matrix => "matrix",
            Gate::Evidence => "evidence",
            Gate::Summary => "summary",
            Gate::Judgments => "judgments",
            Gate::JudgedSummary => "summary with judges",
        })
    }
}

/// What a run was to leave.
#[derive(Debug, Clone, Default)]
pub struct Expectation {
    /// The run.
    pub run_id: String,
    /// Its dataset.
    pub dataset_id: String,
    /// Question and alias of each planned cell, in the plan's order.
    pub cells: Vec<(String, String)>,
    /// The metrics that are asked for.
    pub metrics: Vec<String>,
    /// The judges in their order; none when the panel is switched off.
    pub judges: Vec<String>,
    /// What every row must record, for instance `config_hashes.flavors` with its hash.
    pub facts: Vec<(String, String)>,
}

/// The files of a run, or copies of them.
#[derive(Debug, Clone)]
pub struct Files {
    /// The compatibility matrix.
    pub matrix: PathBuf,
    /// The canonical rows.
    pub evidence: PathBuf,
    /// The summary.
    pub evaluation: PathBuf,
    /// The judgments.
    pub judgments: PathBuf,
}

/// Asks the gates one after the other; the first that finds something is the error, with all it found.
///
/// A file that is missing or damaged is something that was found. Judgments are read for gates that need them.
pub fn pass(catalogue: &Catalogue, expectation: &Expectation, files: &Files, gates: &[Gate]) -> Result<()> {
    let warehouse = Warehouse::in_memory(catalogue)?;
    let mut rows = Rows::default();
    facts::expected(&mut rows, expectation);
    facts::matrix(&mut rows, &files.matrix);
    facts::provenance(&mut rows, &files.evidence);
    facts::summary(&mut rows, &files.evaluation);
    if gates.contains(&Gate::Judgments) {
        facts::judgments(&mut rows, &files.judgments);
    }
    if let Err(error) = warehouse.ingest_evidence(&files.evidence, Tail::Take, Keep::Numbers) {
        rows.problem(Gate::Evidence, 0, error.to_string());
    }
    warehouse.replace_ladder(&rows.into_tables())?;
    for gate in gates {
        let mut messages = Vec::new();
        for check in gate.checks() {
            for row in &warehouse.query(check, &[])?.rows {
                messages.push(row.text("message")?.to_owned());
            }
        }
        if !messages.is_empty() {
            return Err(Error::Refused { gate: *gate, run_id: expectation.run_id.clone(), messages });
        }
    }
    Ok(())
}
