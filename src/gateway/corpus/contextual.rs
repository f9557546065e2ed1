//! Blurbs of chunks, and the contextual collection that is made of both.
//!
//! The contextual collection of an ingestion has its chunks, vectors and postings under the negative of the ingestion's
//! key, so that every search works on it unchanged.

use super::write::{batch, job_column, number_column, text_column};
use super::{ChunkRow, CorpusError, Session};
use duckdb::named_params;

/// A chunk of one document, on its way to a blurb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingChunk {
    /// Position in the collection, from 0.
    pub chunk_key: i64,
    /// The whole chunk.
    pub text: String,
    /// Whether its blurb is stored already.
    pub has_blurb: bool,
}

/// The key under which the contextual collection of an ingestion is stored.
pub fn contextual_key(job: i64) -> i64 {
    -job
}

impl Session<'_> {
    /// Lists the documents that have a chunk without a blurb.
    pub fn titles_without_blurbs(&self, job: i64) -> Result<Vec<String>, CorpusError> {
        self.rows("titles_without_blurbs", named_params! {"ingestion_key": job}, |row| row.get(0))
    }

    /// Reads the chunks of one document.
    pub fn document_chunks(&self, job: i64, title: &str) -> Result<Vec<WaitingChunk>, CorpusError> {
        self.rows("document_chunks", named_params! {"ingestion_key": job, "title": title}, |row| {
            Ok(WaitingChunk { chunk_key: row.get(0)?, text: row.get(1)?, has_blurb: row.get(2)? })
        })
    }

    /// Adds blurbs as (chunk key, blurb).
    pub fn add_blurbs(&self, job: i64, rows: &[(i64, String)]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("chunk_key", rows.iter().map(|(chunk_key, _)| *chunk_key)),
            text_column("blurb", rows.iter().map(|(_, blurb)| blurb.as_str())),
        ];
        self.append("blurbs", batch(columns)?)
    }

    /// Reads all chunks that have a blurb, each with its blurb; the chunk id is left empty.
    pub fn blurbed_chunks(&self, job: i64) -> Result<Vec<(ChunkRow, String)>, CorpusError> {
        self.rows("blurbed_chunks", named_params! {"ingestion_key": job}, |row| {
            let chunk = ChunkRow {
                chunk_key: row.get(0)?,
                chunk_id: String::new(),
                title: row.get(1)?,
                chunk_index: row.get(2)?,
                text: row.get(3)?,
            };
            Ok((chunk, row.get(4)?))
        })
    }
}
