//! Reports: results of the catalogue's statements as text.
//!
//! Reads an open warehouse; returns JSON, CSV and terminal tables. Computes nothing: every number, order, rank and tie
//! comes from SQL, and this room only gives it a shape.

pub mod csv;
pub mod dictionary;
pub mod matrix;
pub mod standings;
pub mod summary;
pub mod templates;
pub mod terminal;

mod error;

pub use error::Error;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;
