//! Ingestion jobs as the index remembers them.
//!
//! Reads and writes the job tables; knows nothing about what a phase does.

use super::{CorpusError, Session};
use duckdb::named_params;

/// A job that was not known before.
#[derive(Debug, Clone, Copy)]
pub struct NewJob<'a> {
    /// Stable id.
    pub ingestion_id: &'a str,
    /// The profile.
    pub profile: &'a str,
    /// Where its chunks go.
    pub collection: &'a str,
    /// Folder below the corpus root; none for the profile's own.
    pub corpus_path: Option<&'a str>,
    /// Hash of the profile.
    pub revision: &'a str,
    /// Hash of the corpus.
    pub content_digest: &'a str,
}

/// A job with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRow {
    /// Number of the job in this file.
    pub key: i64,
    /// Stable id.
    pub ingestion_id: String,
    /// The profile.
    pub profile: String,
    /// Where its chunks go.
    pub collection: String,
    /// Folder below the corpus root; none for the profile's own.
    pub corpus_path: Option<String>,
    /// Hash of the profile.
    pub revision: String,
    /// `pending`, `running`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// JSON array of what went wrong.
    pub errors: String,
    /// JSON object of totals.
    pub counts: String,
    /// Hash of the corpus.
    pub content_digest: String,
    /// Whether its collection answers from it.
    pub is_current: bool,
}

/// A phase with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseRow {
    /// The phase.
    pub name: String,
    /// As [`JobRow::status`], or `skipped`.
    pub status: String,
    /// UTC; none before it ran.
    pub started_at: Option<String>,
    /// UTC; none before it ended.
    pub ended_at: Option<String>,
    /// Wall time; none before it ended.
    pub duration_ms: Option<i64>,
    /// JSON object.
    pub counts: String,
    /// Why it was skipped.
    pub note: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// How a phase ended.
#[derive(Debug, Clone, Copy)]
pub struct PhaseEnd<'a> {
    /// The phase.
    pub name: &'a str,
    /// `completed`, `skipped`, `failed` or `cancelled`.
    pub status: &'a str,
    /// Milliseconds since 1970.
    pub now_ms: i64,
    /// JSON object.
    pub counts: &'a str,
    /// Why it was skipped.
    pub note: Option<&'a str>,
    /// Why it failed.
    pub error: Option<&'a str>,
}

impl Session<'_> {
    /// Lists all jobs, or the one with this id.
    pub fn jobs(&self, ingestion_id: Option<&str>) -> Result<Vec<JobRow>, CorpusError> {
        self.rows("ingestions", named_params! {"ingestion_id": ingestion_id}, |row| {
            Ok(JobRow {
                key: row.get(0)?,
                ingestion_id: row.get(1)?,
                profile: row.get(2)?,
                collection: row.get(3)?,
                corpus_path: row.get(4)?,
                revision: row.get(5)?,
                status: row.get(6)?,
                errors: row.get(7)?,
                counts: row.get(8)?,
                content_digest: row.get(9)?,
                is_current: row.get(10)?,
            })
        })
    }

    /// Lists the phases of a job in order.
    pub fn phases(&self, job: i64) -> Result<Vec<PhaseRow>, CorpusError> {
        self.rows("phases", named_params! {"ingestion_key": job}, |row| {
            Ok(PhaseRow {
                name: row.get(0)?,
                status: row.get(1)?,
                started_at: row.get(2)?,
                ended_at: row.get(3)?,
                duration_ms: row.get(4)?,
                counts: row.get(5)?,
                note: row.get(6)?,
                error: row.get(7)?,
            })
        })
    }

    /// Writes down a new job with its phases, all pending; call it in a transaction.
    pub fn add_job(&self, job: &NewJob<'_>, phases: &[&str]) -> Result<i64, CorpusError> {
        let key = self.rows("next_ingestion", [], |row| row.get::<_, i64>(0))?.first().copied().unwrap_or(1);
        self.execute(
            "add_ingestion",
            named_params! {
                "ingestion_key": key, "ingestion_id": job.ingestion_id, "profile": job.profile,
                "collection": job.collection, "corpus_path": job.corpus_path, "revision": job.revision,
                "content_digest": job.content_digest,
            },
        )?;
        for (position, name) in phases.iter().enumerate() {
            let position = position as i64;
            self.execute("add_phase", named_params! {"ingestion_key": key, "position": position, "name": *name})?;
        }
        Ok(key)
    }

    /// Keeps the state of a job; `errors` and `counts` are JSON text.
    pub fn set_job(&self, job: i64, status: &str, errors: &str, counts: &str) -> Result<(), CorpusError> {
        let names = named_params! {"ingestion_key": job, "status": status, "errors": errors, "counts": counts};
        self.execute("set_ingestion", names).map(|_| ())
    }

    /// Makes every phase of a job pending again.
    pub fn reset_phases(&self, job: i64) -> Result<(), CorpusError> {
        self.execute("reset_phases", named_params! {"ingestion_key": job}).map(|_| ())
    }

    /// Keeps that a phase began.
    pub fn start_phase(&self, job: i64, name: &str, now_ms: i64) -> Result<(), CorpusError> {
        self.execute("start_phase", named_params! {"ingestion_key": job, "name": name, "now_ms": now_ms}).map(|_| ())
    }

    /// Keeps how a phase ended.
    pub fn end_phase(&self, job: i64, end: &PhaseEnd<'_>) -> Result<(), CorpusError> {
        self.execute(
            "end_phase",
            named_params! {
                "ingestion_key": job, "name": end.name, "status": end.status, "now_ms": end.now_ms,
                "counts": end.counts, "note": end.note, "error": end.error,
            },
        )
        .map(|_| ())
    }

    /// Reads the parsed documents of a job as (source, is Markdown, text), in order of source.
    pub fn documents(&self, job: i64) -> Result<Vec<(String, bool, String)>, CorpusError> {
        self.rows("documents", named_params! {"ingestion_key": job}, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    /// Reads chunks of a job as (key, text) from a key on.
    pub fn chunk_texts(&self, job: i64, from_key: i64, limit: usize) -> Result<Vec<(i64, String)>, CorpusError> {
        let names = named_params! {"ingestion_key": job, "from_key": from_key, "limit": limit as i64};
        self.rows("chunk_texts", names, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Lists the documents that have chunks, in order.
    pub fn chunk_titles(&self, job: i64) -> Result<Vec<String>, CorpusError> {
        self.rows("chunk_titles", named_params! {"ingestion_key": job}, |row| row.get(0))
    }

    /// Counts the vectors of a job.
    pub fn vectors_written(&self, job: i64) -> Result<i64, CorpusError> {
        let found = self.rows("vectors_written", named_params! {"ingestion_key": job}, |row| row.get::<_, i64>(0))?;
        Ok(found.first().copied().unwrap_or(0))
    }
}
