//! Adapters that turn public data sets into a corpus of documents.
//!
//! Reads files that somebody else published, writes Markdown documents into one folder, benchmarks with their question
//! file, and never touches the network, evidence or the gateway. Each adapter owns its typed view of the foreign data.

pub mod attack;
pub mod benchmark;
