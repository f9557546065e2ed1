//! The runner: planned cells in, durable rows out.
//!
//! Reads cells of `experiment`, calls a gateway it knows by URL only, normalises what comes back, has it scored, and
//! hands canonical lines to a [`RowSink`]. Tells what happens through [`Event`]s. Never prints, never opens a file,
//! never holds finished rows in memory, and never treats a failed approach as a failure of the run.
//! Source: `contract/evaluation.md` sections 1.6, 2.4, 2.5 and 3.4.

pub mod asking;
mod budget;
pub mod cell;
pub mod completion;
pub mod event;
mod foreign;
pub mod limit;
mod pool;
pub mod progress;
mod record;
pub mod rendered;
pub mod sink;
pub mod spending;
mod turn;

pub use asking::Asking;
pub use cell::RunConfig;
pub use event::{AttemptOutcome, CellName, Event};
pub use pool::{CellState, Counts, RunError, RunOutcome, run};
pub use progress::ProgressState;
pub use sink::{Claimed, RowSink, SinkError};
