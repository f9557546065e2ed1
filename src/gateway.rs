//! The embedded gateway: an OpenAI-compatible server over a DuckDB corpus index.
//!
//! Reads a corpus folder and HTTP requests; writes its own corpus database and HTTP responses. It never touches evidence
//! or the warehouse, and the runner knows it by URL only.

pub mod chunking;
pub mod corpus;
pub mod discover;
pub mod identity;
pub mod roles;
pub mod terms;
pub mod tokens;
