//! Searching a collection: dense, BM25 and both together.
//!
//! Reads only. Every order is complete: equal scores are settled by title and chunk index.

use super::{CorpusError, Session, write};
use duckdb::named_params;

/// A chunk that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Path of the document inside the corpus mount.
    pub title: String,
    /// Position of the chunk in its document, from 0.
    pub chunk_index: i64,
    /// The whole chunk.
    pub text: String,
    /// Cosine similarity, BM25, or the fused score in 0..=1, as the search says.
    pub score: f64,
}

/// What answers for a collection, as one transaction sees it: search in the transaction that found it.
#[derive(Debug, Clone, PartialEq)]
pub struct Collection {
    /// The ingestion whose rows are searched.
    pub ingestion_key: i64,
    /// Documents with text.
    pub documents_n: i64,
    /// Chunks.
    pub chunks_n: i64,
    /// Terms of a chunk, on average; 1 or more.
    pub mean_terms_n: f64,
    /// Revision of the profile it was ingested under.
    pub revision: String,
    /// Digest of its corpus.
    pub content_digest: String,
}

/// A search by meaning and by words.
#[derive(Debug, Clone)]
pub struct HybridQuery<'a> {
    /// Where to look.
    pub collection: &'a Collection,
    /// The question's vector.
    pub vector: &'a [f32],
    /// The question's terms.
    pub terms: &'a [String],
    /// Weight of the dense set, 0 to 1.
    pub alpha: f64,
    /// How many chunks at most.
    pub limit: usize,
}

/// Each of the two sets brings at least this many chunks to the fusion, so that a small limit does not change scores.
const FUSION_CANDIDATES: usize = 100;

impl Session<'_> {
    /// Finds what answers for a collection; an error when nothing does.
    pub fn collection(&self, collection: &str) -> Result<Collection, CorpusError> {
        let found = self.rows("collection", named_params! {"collection": collection}, |row| {
            Ok(Collection {
                ingestion_key: row.get(0)?,
                documents_n: row.get(1)?,
                chunks_n: row.get(2)?,
                mean_terms_n: row.get(3)?,
                revision: row.get(4)?,
                content_digest: row.get(5)?,
            })
        })?;
        found.into_iter().next().ok_or_else(|| CorpusError::NotIngested { collection: collection.to_owned() })
    }

    /// Ranks chunks by cosine similarity to a vector, by an exact scan.
    pub fn dense(&self, collection: &Collection, vector: &[f32], limit: usize) -> Result<Vec<Hit>, CorpusError> {
        self.put_question(vector)?;
        self.hits("dense", named_params! {"ingestion_key": collection.ingestion_key, "limit": limit as i64})
    }

    /// Ranks chunks that hold at least one of the terms by BM25; no term gives no hit.
    pub fn bm25(&self, collection: &Collection, terms: &[String], limit: usize) -> Result<Vec<Hit>, CorpusError> {
        self.hits(
            "bm25",
            named_params! {
                "ingestion_key": collection.ingestion_key, "chunks_n": collection.chunks_n,
                "mean_terms_n": collection.mean_terms_n, "terms": terms.join(" "), "limit": limit as i64,
            },
        )
    }

    /// Joins both by relative-score fusion (`contract/gateway.md` annex B).
    pub fn hybrid(&self, query: &HybridQuery<'_>) -> Result<Vec<Hit>, CorpusError> {
        self.put_question(query.vector)?;
        let candidates = query.limit.max(FUSION_CANDIDATES);
        self.hits(
            "hybrid",
            named_params! {
                "ingestion_key": query.collection.ingestion_key, "chunks_n": query.collection.chunks_n,
                "mean_terms_n": query.collection.mean_terms_n, "terms": query.terms.join(" "), "alpha": query.alpha,
                "candidates": candidates as i64, "limit": query.limit as i64,
            },
        )
    }

    /// Reads every chunk as (title, text), in that order.
    pub fn all_chunks(&self, collection: &Collection) -> Result<Vec<(String, String)>, CorpusError> {
        self.rows("all_chunks", named_params! {"ingestion_key": collection.ingestion_key}, |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    pub(super) fn put_question(&self, vector: &[f32]) -> Result<(), CorpusError> {
        let dimension = self.corpus.dimension;
        self.execute("clear_question", [])?;
        self.append("question_vector", write::question_batch(dimension, vector)?)
    }

    pub(super) fn hits<P: duckdb::Params>(&self, statement: &str, parameters: P) -> Result<Vec<Hit>, CorpusError> {
        self.rows(statement, parameters, |row| {
            Ok(Hit { title: row.get(1)?, chunk_index: row.get(2)?, text: row.get(3)?, score: row.get(4)? })
        })
    }
}
