//! The warehouse: DuckDB tables derived from evidence, and the catalogue of every statement under `sql/`.
//!
//! Reads evidence and judgment files, and the embedded `sql/` folder. Writes one DuckDB file that can be deleted and
//! rebuilt at any time. Never changes evidence, never holds the database open longer than a batch, and holds no SQL.

pub mod catalogue;
mod error;

pub use error::Error;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;
