//! The blinded judge panel: several models rate the answers of several systems without knowing whose they are.
//!
//! Reads stored answers (a matrix or canonical rows) and a resolved configuration; writes verdicts to an append-only
//! sidecar and the judgments artifact. Never calls an approach, never changes a row: operational and Ragas numbers do
//! not depend on anything here. Source: `contract/evaluation.md` section 5 with the deviations of section 0.

pub mod settings;

pub mod input;
pub mod order;

pub mod canary;
pub mod prompt;

pub mod ask;
pub mod plan;

pub mod call;
pub mod converse;
pub mod reply;

pub mod store;
pub mod verdict;

pub mod run;

pub mod aggregate;
pub mod artifact;
pub mod tally;

pub mod error;
