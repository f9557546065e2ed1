//! Cells against what is stored.

use crate::evidence::resume::{ExpectedCell, StoredState};
use crate::evidence::row::{Reproducibility, row_id};
use crate::experiment::plan::Cell;
use std::sync::Arc;

/// What each planned cell's row must have been made from, in plan order.
pub fn expected(run_id: &str, cells: &[Cell], reproducibility: &Arc<Reproducibility>) -> Vec<ExpectedCell> {
    let of = |cell: &Cell| ExpectedCell {
        row_id: row_id(run_id, &cell.dataset.id, &cell.question.id, &cell.profile.alias),
        dataset_id: cell.dataset.id.clone(),
        question_id: cell.question.id.clone(),
        model: cell.profile.alias.clone(),
        query: cell.question.query.clone(),
        base_model: cell.profile.base.clone(),
        flavor: cell.profile.flavor.clone(),
        reproducibility: Arc::clone(reproducibility),
    };
    cells.iter().map(of).collect()
}

/// The cells without a stored row, in plan order.
pub fn missing(cells: &[Cell], stored: &[Option<StoredState>]) -> Vec<Cell> {
    cells.iter().zip(stored).filter(|(_, state)| state.is_none()).map(|(cell, _)| cell.clone()).collect()
}
