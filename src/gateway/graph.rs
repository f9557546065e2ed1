//! The knowledge graph: how what was read from chunks becomes entities and relations, and how a question is asked of it.
//!
//! After LightRAG (Guo et al. 2024, "LightRAG: Simple and Fast Retrieval-Augmented Generation"), over DuckDB: traversal and
//! ranking are statements of `sql/retrieval`. A configured LightRAG endpoint answers instead of our own graph
//! (`contract/gateway.md` sections 0.8, 2.4, 5.4). Reads the corpus index and asks models; writes nothing.

mod contexts;
mod lightrag;
pub mod merge;
pub mod name;
pub mod profile;
mod query;
mod search;
mod summary;

pub use lightrag::{LightRag, answer_of};
pub use profile::{GraphConfig, Mode, QueryDefaults, QueryProfile, Settings, lightrag_body};
pub use query::{Ask, GraphAnswer, SHORTEST_QUESTION_CHARS, TOO_SHORT, ask};
pub use summary::{LONGEST_SUMMARY_CHARS, summarise};
