//! The HTTP shapes that runner and gateway share, and nothing else.
//!
//! Source: `contract/gateway.md` section 1 and `contract/evaluation.md` section 4. Types only: no I/O, no policy.

pub mod chat;
pub mod evaluate;
pub mod ingest;
pub mod judging;
pub mod rendered;
