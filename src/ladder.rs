//! The dataset ladder: what its runs are called, which gates their results must pass, and how they are published.
//!
//! Reads the artifacts of finished runs and their plan; writes published folders and the catalogue. Makes no call and
//! runs no cell: whoever climbs the ladder does that with the rooms below.

pub mod gates;
pub mod names;
pub mod publication;
pub mod recovery;

mod error;
mod facts;

pub use error::Error;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;
