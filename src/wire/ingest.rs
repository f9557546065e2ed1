//! `/api/rag/ingestions`: submitting a corpus and following the job.

pub mod client;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Asks for a corpus to be ingested.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct IngestionRequest {
    /// Name of the profile, 1 to 128 characters, normally the dataset id.
    pub profile: String,
    /// Folder relative to the corpus root; null takes the profile's own.
    #[serde(default)]
    pub corpus_path: Option<String>,
}

/// The answer to a submission, status 202.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct IngestionAccepted {
    /// The job to poll.
    pub ingestion_id: String,
    /// Same as the id for this gateway.
    pub job_id: Option<String>,
    /// `pending`, `running` or `completed` (an equal earlier job is returned instead of a new one).
    pub status: String,
    /// One line for people.
    pub message: String,
}

/// The record of one job, as `GET /api/rag/ingestions/{id}` returns it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct IngestionRecord {
    /// Stable for (profile, revision, content digest).
    pub id: String,
    /// The profile that was asked for.
    pub profile: String,
    /// First 16 hex digits of the profile's hash.
    pub revision: String,
    /// `pending`, `running`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// The eight phases in order, each `{name, status, counts, duration_ms, note, error}`.
    pub phases: Vec<Map<String, Value>>,
    /// `files_discovered`, `documents_parsed`, `chunks`, `vectors_written`, `documents_uploaded`.
    pub counts: Map<String, Value>,
    /// `{phase, service, file, message}` per file that could not be read, and per failure.
    pub errors: Vec<Map<String, Value>>,
    /// First 16 hex digits of the corpus hash (`contract/gateway.md` annex A).
    pub content_digest: String,
}
