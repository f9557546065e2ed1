//! Scoring of stored answers over `POST /api/rag/evaluate`.
//!
//! Reads one answer with its evidence, calls the evaluator, returns the `metrics.ragas` part of a row. A score that
//! could not be measured is absent with a reason, never a zero. Failures are data: nothing here fails a cell.
//! Source: `contract/evaluation.md` section 4.

mod client;
mod eligibility;
mod outcome;
mod reply;

pub use client::{ScoringClient, ScoringConfig, Subject};
pub use eligibility::{Eligibility, eligibility};
pub use outcome::{disabled, not_run};
pub use reply::{EvaluatorReply, MalformedReply, parse_reply, verdict};
