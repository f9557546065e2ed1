//! The plan: the ordered cells of one run. Pure.

use super::dataset::Dataset;
use super::flavor::Profile;
use super::manifest::EvidenceCapability;
use super::question::Question;
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
