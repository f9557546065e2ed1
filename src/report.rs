//! Reports: results of the catalogue's statements as text.
//!
//! Reads an open warehouse; returns JSON, CSV and terminal tables. Computes nothing: every number, order, rank and tie
//! comes from SQL, and this room only gives it a shape.

pub mod csv;
pub mod summary;

mod error;

pub use error::Error;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;
