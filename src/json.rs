//! JSON text as evidence needs it: strict to read, canonical to write.
//!
//! Reads and writes strings only. Every row, hash and artifact goes through here, so a value has exactly one text.
//! Never repairs: a duplicate key, a lone surrogate, `NaN` or a number beyond the range of a double is an error.

mod float;
mod object;
mod parse;
mod value;
mod write;

pub use float::{float_text, round_to};
pub use object::{ObjectWriter, canonical_object};
pub use parse::{ParseError, STORABLE_LEVELS, is_storable_depth, parse_strict};
pub use value::says_something;
pub use write::{WriteError, ascii_compact_sorted, canonical, compact, pretty, pretty_sorted};
