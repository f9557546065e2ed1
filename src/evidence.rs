//! Evidence: the canonical row and the append-only file that holds it.
//!
//! Reads and writes one JSONL file per run and its neighbours: `.<name>.lock` (data lock), `.<name>.claims` (which
//! cell is being worked on), `<stem>.events.jsonl` (attempts), `<stem>.superseded.jsonl` (failed rows that were run
//! again) and `<name>.quarantine` (damaged bytes moved aside); and one file of what gates decided. Never repairs silently, never changes a stored row,
//! never talks to the network.

pub mod row;

mod error;
mod index;
mod line;
mod place;

pub mod encoded;
pub mod reader;

mod scan;

mod data_lock;
mod disk;
mod rewrite;

pub mod claim;
mod committer;
pub mod store;

pub mod resume;

pub mod quarantine;

pub mod attempts;
pub mod events;
pub mod provenance;

pub use error::{Error, Result};
