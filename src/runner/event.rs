//! What happens during a run, told as it happens: for the events log, the progress lines and tests. Types only.

use crate::evidence::row::Status;
use std::sync::Arc;
use std::time::SystemTime;

/// How people call a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellName {
    /// Identity of the row.
    pub row_id: String,
    /// The dataset's id.
    pub dataset: String,
    /// The alias that is asked.
    pub model: String,
    /// The question's id.
    pub question: String,
}

/// How one attempt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum AttemptOutcome {
    /// A completion arrived.
    Answered,
    /// Nothing usable arrived.
    Failed {
        /// The contract's vocabulary, for instance `ReadTimeout`.
        error_type: &'static str,
        /// One line without secrets.
        message: String,
        /// The HTTP status, when one came.
        status: Option<u16>,
        /// What the service asked for, in seconds.
        retry_after_s: Option<f64>,
    },
}

/// One thing that happened. Every event of a cell carries its name.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The cell is claimed and will be called.
    CellStarted {
        /// Which cell.
        cell: Arc<CellName>,
    },
    /// One call ended, well or not. Every attempt is told.
    AttemptFinished {
        /// Which cell.
        cell: Arc<CellName>,
        /// From 1.
        attempt: u32,
        /// When the call left.
        started_at: SystemTime,
        /// Wall time of the call alone.
        duration_ms: u64,
        /// How long this cell waited for its turn before the call: back-off, pauses and the limit.
        waited_ms: u64,
        /// How it ended.
        outcome: AttemptOutcome,
    },
    /// The cell will be called again.
    CellRetry {
        /// Which cell.
        cell: Arc<CellName>,
        /// The number of the attempt to come.
        attempt: u32,
        /// The wait before it.
        wait_ms: u64,
        /// Why: the failed attempt's type.
        reason: &'static str,
    },
    /// The cell's row is on disk.
    CellFinished {
        /// Which cell.
        cell: Arc<CellName>,
        /// As in the row.
        status: Status,
        /// As in the row.
        latency_ms: u64,
        /// As in the row.
        attempts: u32,
    },
    /// Another process had stored the row when this one got the claim.
    CellReused {
        /// Which cell.
        cell: Arc<CellName>,
    },
    /// The run was stopped before the cell's row could be made; the cell stays open.
    CellAbandoned {
        /// Which cell.
        cell: Arc<CellName>,
    },
    /// A service gets fewer or more calls at a time.
    LimitChanged {
        /// Its URL, without secrets.
        service: String,
        /// Calls in flight allowed before.
        from: usize,
        /// Calls in flight allowed now.
        to: usize,
        /// `429`, `503` or `recovering`.
        reason: String,
    },
}
