//! The plan: the ordered cells of one run. Pure.

use super::dataset::Dataset;
use super::flavor::Profile;
use super::manifest::{EvidenceCapability, Manifest};
use super::question::Question;
use std::collections::HashSet;
use std::sync::Arc;

/// One question asked of one approach.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Where question and documents come from.
    pub dataset: Arc<Dataset>,
    /// What is asked.
    pub question: Arc<Question>,
    /// Whom it is asked.
    pub profile: Arc<Profile>,
    /// Capability of the base approach.
    pub capability: EvidenceCapability,
}

/// Lays out questions x profiles, question-major, in the given orders.
///
/// The same alias given twice gives two cells with one row id; the runner calls it once.
pub fn plan(
    dataset: &Arc<Dataset>,
    questions: &[Arc<Question>],
    profiles: &[(Arc<Profile>, EvidenceCapability)],
) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(questions.len() * profiles.len());
    for question in questions {
        for (profile, capability) in profiles {
            cells.push(Cell {
                dataset: Arc::clone(dataset),
                question: Arc::clone(question),
                profile: Arc::clone(profile),
                capability: *capability,
            });
        }
    }
    cells
}

/// What a plan can cost at most: its cells alone, without ingestion, and without what a gateway's rate limit adds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Distinct cells: an alias given twice is called once.
    pub cells: u64,
    /// Approach calls when every first attempt succeeds.
    pub approach_calls_min: u64,
    /// Approach calls when every attempt but the last fails.
    pub approach_calls_max: u64,
    /// Scoring calls when every attempt but the last fails; 0 without Ragas metrics.
    pub scoring_calls_max: u64,
    /// Seconds after which the cells must have ended.
    pub time_bound_s: f64,
}

/// Bounds a plan before anything is called.
///
/// `retry_wait_s` is the longest pause before a retry that the runner makes by itself. The time bound is that of
/// greedy scheduling: no lane takes more than `ceil(cells / concurrency)` cells of the longest possible length.
pub fn bounds(cells: &[Cell], manifest: &Manifest, retry_wait_s: f64) -> Bounds {
    let distinct: HashSet<(&str, &str, &str)> = cells
        .iter()
        .map(|cell| (cell.dataset.id.as_str(), cell.question.id.as_str(), cell.profile.alias.as_str()))
        .collect();
    let count = distinct.len() as u64;
    let run = &manifest.run;
    let attempts = u64::from(run.retries) + 1;
    let scored = if manifest.ragas.is_empty() { 0 } else { count };

    let attempt_s = |deadline_s: f64| attempts as f64 * deadline_s + f64::from(run.retries) * retry_wait_s;
    let scoring_s = if scored == 0 { 0.0 } else { attempt_s(run.evaluator_timeout_s) };
    let cell_s = attempt_s(run.timeout_s) + scoring_s;
    let cells_in_lane = count.div_ceil(run.concurrency.max(1) as u64);
    Bounds {
        cells: count,
        approach_calls_min: count,
        approach_calls_max: count * attempts,
        scoring_calls_max: scored * attempts,
        time_bound_s: cells_in_lane as f64 * cell_s,
    }
}
