//! Statistics in SQL against numbers that libraries computed (`contract/statistics.md`).
//!
//! Every case goes the whole way: rows are ingested, views are installed, the shipped statement answers.

mod bounds;
mod intervals;
mod margins;
mod pairs;
mod panel;
mod panel_size;
mod progression;
mod resampling;
mod retrieval;
pub mod support;
mod verdict_sidecar;
