//! Where rows go: the little that the runner needs to know about a store.

use crate::evidence::encoded::EncodedRow;
use std::future::Future;

/// What became of asking for a cell.
#[derive(Debug)]
pub enum Claimed<C> {
    /// Nobody else makes this row until the claim is dropped.
    Ours(C),
    /// The row was stored meanwhile, and it fits this run.
    AlreadyStored,
}

/// A store could not claim or append. Ends the run: no cell is started after it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SinkError {
    /// One line: what failed, on which file.
    pub message: String,
    /// The next step, when it is known.
    pub hint: Option<String>,
}

/// A durable, append-only place for rows.
pub trait RowSink: Sync {
    /// Held from before a cell's call until after its append.
    type Claim: Send;

    /// Waits until nobody else works on the cell. Must be safe to drop while waiting.
    fn claim(&self, row_id: &str) -> impl Future<Output = Result<Claimed<Self::Claim>, SinkError>> + Send;

    /// Makes one row durable before it returns.
    fn append(&self, row: EncodedRow) -> impl Future<Output = Result<(), SinkError>> + Send;
}
