//! The record of a job as the API shows it.

use super::IngestionError;
use crate::gateway::corpus::{JobRow, PhaseRow, Session};
use crate::json;
use crate::wire::ingest::IngestionRecord;
use serde_json::{Map, Value};

/// Puts a job and its phases together.
pub(super) fn record(session: &Session<'_>, job: JobRow) -> Result<IngestionRecord, IngestionError> {
    let phases = session.phases(job.key)?.into_iter().map(phase).collect::<Result<_, _>>()?;
    Ok(IngestionRecord {
        id: job.ingestion_id,
        profile: job.profile,
        revision: job.revision,
        status: job.status,
        phases,
        counts: object(&job.counts)?,
        errors: objects(&job.errors)?,
        content_digest: job.content_digest,
    })
}

/// Parses the stored list of errors.
pub(super) fn objects(text: &str) -> Result<Vec<Map<String, Value>>, IngestionError> {
    let wrong = || IngestionError::Record(format!("`{text}` is not a JSON list of objects"));
    let Value::Array(items) = json::parse_strict(text).map_err(|_| wrong())? else { return Err(wrong()) };
    items.into_iter().map(|item| if let Value::Object(map) = item { Ok(map) } else { Err(wrong()) }).collect()
}

/// Parses stored counts.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, IngestionError> {
    match json::parse_strict(text) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(IngestionError::Record(format!("`{text}` is not a JSON object"))),
    }
}

fn phase(row: PhaseRow) -> Result<Map<String, Value>, IngestionError> {
    let mut map = Map::new();
    map.insert("name".to_owned(), row.name.into());
    map.insert("status".to_owned(), row.status.into());
    map.insert("started_at".to_owned(), row.started_at.into());
    map.insert("ended_at".to_owned(), row.ended_at.into());
    map.insert("duration_ms".to_owned(), row.duration_ms.into());
    map.insert("counts".to_owned(), Value::Object(object(&row.counts)?));
    map.insert("note".to_owned(), row.note.into());
    map.insert("error".to_owned(), row.error.into());
    Ok(map)
}
