//! May stored rows be reused? Compares them with the plan before anything is called.
//!
//! Source: `contract/evaluation.md` section 3.4. Reads rows through the store; writes nothing. Rows of other runs and
//! datasets in the same file are not looked at.

mod canonical;
mod compare;

pub use compare::Difference;

use super::error::Error;
use super::place::Place;
use super::row::{Reproducibility, Status, row_id};
use super::store::{Store, read_line_into};
use crate::experiment::plan::Cell;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAX_THREADS: usize = 8;

/// What a planned cell will be asked, as far as resume compares it.
#[derive(Debug, Clone)]
pub struct ExpectedCell {
    /// Identity of the cell.
    pub row_id: String,
    /// Named in messages only.
    pub dataset_id: String,
    /// Named in messages only.
    pub question_id: String,
    /// Named in messages only.
    pub model: String,
    /// `question.query`.
    pub query: String,
    /// `approach.base_model`.
    pub base_model: String,
    /// `approach.flavor`.
    pub flavor: String,
    /// Seed, config hashes, ingestion and runtime.
    pub reproducibility: Arc<Reproducibility>,
}

impl ExpectedCell {
    /// Takes what resume compares from a planned cell of the named run.
    pub fn new(run_id: &str, cell: &Cell, reproducibility: Arc<Reproducibility>) -> Self {
        let Cell { dataset, question, profile, .. } = cell;
        Self {
            row_id: row_id(run_id, &dataset.id, &question.id, &profile.alias),
            dataset_id: dataset.id.clone(),
            question_id: question.id.clone(),
            model: profile.alias.clone(),
            query: question.query.clone(),
            base_model: profile.base.clone(),
            flavor: profile.flavor.clone(),
            reproducibility,
        }
    }
}

/// What is stored for a planned cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredState {
    /// How the cell ended.
    pub status: Status,
    /// Where its row lies.
    pub place: Place,
}

/// Says why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The rows cannot be read.
    #[error(transparent)]
    Store(#[from] Error),
    /// A stored row was made from other inputs.
    #[error(transparent)]
    Refused(Box<Refusal>),
}

/// A stored row that was made from other inputs.
#[derive(Debug, thiserror::Error)]
pub struct Refusal {
    /// The evidence file.
    pub path: PathBuf,
    /// Id of the first such row, in plan order.
    pub row_id: String,
    /// `dataset / question / model` of that row.
    pub cell: String,
    /// Every field that differs.
    pub differences: Vec<Difference>,
    /// Further planned rows that differ somewhere.
    pub more_rows: usize,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let id = compare::shortened(&self.row_id);
        write!(formatter, "resume refused: row {id} ({}) was made under another configuration", self.cell)?;
        let width = self.differences.iter().map(|difference| difference.field.chars().count()).max().unwrap_or(0);
        for Difference { field, was, now } in &self.differences {
            write!(formatter, "\n  {field:width$}   was {was}   now {now}")?;
        }
        match self.more_rows {
            0 => Ok(()),
            1 => formatter.write_str("\n  and 1 more planned row differs"),
            rows => write!(formatter, "\n  and {rows} more planned rows differ"),
        }
    }
}

/// Compares every stored row among the planned cells; the result is in plan order, null where nothing is stored.
///
/// Compared are the query, base model, flavor, seed, config hashes, ingestion and runtime, where 1 equals 1.0 and a
/// missing map is an empty one. Texts of rationale, reference answer and labels are not. Blocks; reads on several
/// threads.
pub fn check(store: &Store, planned: &[ExpectedCell]) -> Result<Vec<Option<StoredState>>, ResumeError> {
    let ids: Vec<&str> = planned.iter().map(|cell| cell.row_id.as_str()).collect();
    let (file, places) = store.snapshot(&ids);
    let Some(file) = file else {
        return Ok(vec![None; planned.len()]);
    };
    let mut found = Vec::with_capacity(planned.len());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    let share = planned.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = planned
            .chunks(share)
            .zip(places.chunks(share))
            .map(|(cells, places)| scope.spawn(|| examine(&file, store.path(), cells, places)))
            .collect();
        for worker in workers {
            found.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok::<_, Error>(())
    })?;
    settle(store.path(), planned, found)
}

/// What one planned cell has stored, and how it differs.
type Found = Option<(StoredState, Vec<Difference>)>;

fn examine(file: &File, path: &Path, cells: &[ExpectedCell], places: &[Option<Place>]) -> Result<Vec<Found>, Error> {
    let mut memory = compare::Memory::default();
    let mut found = Vec::with_capacity(cells.len());
    let mut bytes = Vec::new();
    for (cell, place) in cells.iter().zip(places) {
        found.push(match place {
            Some(place) => {
                let damaged =
                    |reason| Error::Damaged { path: path.to_owned(), line: place.line, offset: place.offset, reason };
                let line = read_line_into(&mut bytes, file, *place, path)?;
                let (status, differences) = compare::compare(line, cell, &mut memory).map_err(damaged)?;
                Some((StoredState { status, place: *place }, differences))
            }
            None => None,
        });
    }
    Ok(found)
}

fn settle(path: &Path, planned: &[ExpectedCell], found: Vec<Found>) -> Result<Vec<Option<StoredState>>, ResumeError> {
    let mut refusal: Option<Refusal> = None;
    let mut states = Vec::with_capacity(found.len());
    for (cell, found) in planned.iter().zip(found) {
        states.push(found.as_ref().map(|(state, _)| *state));
        let Some((_, differences)) = found.filter(|(_, differences)| !differences.is_empty()) else {
            continue;
        };
        match &mut refusal {
            Some(refusal) => refusal.more_rows += 1,
            None => {
                refusal = Some(Refusal {
                    path: path.to_owned(),
                    row_id: cell.row_id.clone(),
                    cell: format!("{} / {} / {}", cell.dataset_id, cell.question_id, cell.model),
                    differences,
                    more_rows: 0,
                });
            }
        }
    }
    match refusal {
        Some(refusal) => Err(ResumeError::Refused(Box::new(refusal))),
        None => Ok(states),
    }
}
