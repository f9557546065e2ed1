//! HTTP as every room speaks it: the shapes that runner and gateway share, and one way to call a service.
//!
//! Source: `contract/gateway.md` section 1 and `contract/evaluation.md` sections 1.6, 2.4 and 4. The shapes are types
//! only. [`call`] makes one attempt, [`failure`] names what can go wrong, [`retry`] says when to call again.

pub mod call;
pub mod chat;
pub mod credentials;
pub mod empty;
pub mod evaluate;
pub mod failure;
pub mod ingest;
pub mod judging;
pub mod rendered;
pub mod retry;
pub mod sse;
pub mod text;
pub mod wrapped;
