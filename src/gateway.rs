//! The embedded gateway: an OpenAI-compatible server over a DuckDB corpus index.
//!
//! Reads a corpus folder and HTTP requests; writes its own corpus database and HTTP responses. It never touches evidence
//! or the warehouse, and the runner knows it by URL only.

mod approaches;
pub mod builtin;
pub mod chunking;
pub mod config;
pub mod contextual;
pub mod corpus;
pub mod discover;
mod engine;
mod error;
pub mod evaluate;
pub mod graph;
pub mod identity;
pub mod ingestion;
pub mod lazy_graph;
pub mod local;
pub mod remote;
pub mod roles;
pub mod routing;
mod server;
pub mod terms;
pub mod tokens;

pub use config::{AliasProfile, Config, Param, ProfileSource};
pub use error::{ApproachError, GatewayError};

pub mod judges;
pub use ingestion::IngestionIdentity;
pub use server::{Running, identity_of, start};
