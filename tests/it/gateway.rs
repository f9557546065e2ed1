//! Cases of the `gateway` room: a served gateway over a corpus in a temporary folder.

mod chat;
mod corpus_file;
mod ingestion;
mod retrieval;
pub mod support;
mod surface;
