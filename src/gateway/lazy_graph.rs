//! The lazy graph: concepts that occur together, linked without calling any model.
//!
//! Reads the chunks of one collection and a cache folder; writes one cache file per namespace. Extraction, index and
//! expansion are pure functions and follow `contract/gateway.md` section 2.7 to the last digit. Never calls a model,
//! never opens a database, never trusts a cache file whose fingerprint differs.

mod cache;
mod concept;
mod expand;
mod identity;
mod index;

pub use cache::{LazyGraph, LazyGraphError, Loaded};
pub use concept::extract_concepts;
pub use expand::{Expansion, Limits};
pub use identity::{chunk_id, corpus_fingerprint, namespace, namespace_file};
pub use index::{Index, IndexReadError};

/// One retrievable piece of text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chunk {
    /// What the source is called, normally a path inside the corpus.
    pub title: String,
    /// The whole text of the chunk.
    pub text: String,
}

/// A chunk with a score: a seed from another search, or a result of the expansion.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The chunk itself.
    pub chunk: Chunk,
    /// The graph score of a result (0 or more, no upper bound); of a seed, whatever its search gave, or null.
    pub score: Option<f64>,
}
