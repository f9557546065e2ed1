//! Reports: results of the catalogue's statements as text.
//!
//! Reads an open warehouse; returns JSON, CSV and terminal tables. Computes nothing: every number, order, rank and tie
//! comes from SQL, and this room only gives it a shape.

pub mod audit;
pub mod chart;
pub mod comparison;
pub mod csv;
pub mod dictionary;
pub mod gate;
pub mod ladder;
pub mod leaderboard;
pub mod matrix;
pub mod page;
pub mod site;
pub mod standings;
pub mod summary;
pub mod templates;
pub mod terminal;

mod error;
pub mod escape;
mod verdicts;

pub use error::Error;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A JSON value as messages show it: text as it is, everything else as its JSON text, both cut at 80 characters.
fn shown(value: &serde_json::Value) -> String {
    let text = value.as_str().map_or_else(|| crate::json::compact(value).unwrap_or_default(), str::to_owned);
    text.chars().take(80).collect()
}
