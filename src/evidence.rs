//! Evidence: the canonical row and the append-only file that holds it.

pub mod row;
