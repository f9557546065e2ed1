//! Where a run's rows go: the evidence store behind the runner's small interface.

use crate::error::Failure;
use crate::evidence::claim::{Claim, ClaimOutcome};
use crate::evidence::encoded::EncodedRow;
use crate::evidence::resume::{self, ExpectedCell};
use crate::evidence::store::Store;
use crate::runner::sink::{Claimed, RowSink, SinkError};
use std::collections::HashMap;

/// The evidence store, with what each row must have been made from.
#[derive(Debug)]
pub struct EvidenceSink<'a> {
    store: &'a Store,
    expected: HashMap<&'a str, &'a ExpectedCell>,
}

impl<'a> EvidenceSink<'a> {
    /// Stores rows in `store`; a row that another process stored meanwhile is compared with `expected`.
    pub fn new(store: &'a Store, expected: &'a [ExpectedCell]) -> Self {
        Self { store, expected: expected.iter().map(|cell| (cell.row_id.as_str(), cell)).collect() }
    }
}

impl RowSink for EvidenceSink<'_> {
    type Claim = Claim;

    async fn claim(&self, row_id: &str) -> Result<Claimed<Claim>, SinkError> {
        match self.store.claim(row_id).await.map_err(told)? {
            ClaimOutcome::Claimed(claim) => Ok(Claimed::Ours(claim)),
            ClaimOutcome::AlreadyDone => {
                if let Some(expected) = self.expected.get(row_id) {
                    resume::check(self.store, std::slice::from_ref(*expected)).map_err(told)?;
                }
                Ok(Claimed::AlreadyStored)
            }
        }
    }

    async fn append(&self, row: EncodedRow) -> Result<(), SinkError> {
        self.store.append(row).await.map(|_| ()).map_err(told)
    }
}

fn told(error: impl Into<Failure>) -> SinkError {
    let failure: Failure = error.into();
    SinkError { message: failure.to_string(), hint: failure.hints.into_iter().next() }
}
