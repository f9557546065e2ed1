//! Cases of contextual retrieval and of the knowledge graph, ours and a LightRAG server's.

mod contextual_ingestion;
mod contextual_windows;
mod graph_ingestion;
mod graph_merging;
mod graph_questions;
mod index_versions;
mod lightrag_bodies;
mod lightrag_server;
mod support;
