//! The events log: every attempt of every cell, beside the evidence and never inside a row.
//!
//! Appends one JSON line per attempt to `<stem>.events.jsonl`, each with one write, so that what happened before a kill
//! is there. Not synced, not locked, not read by the program itself: losing it loses no result. A failure to write is
//! reported once and then ignored.

mod time;

pub use time::rfc3339;

use super::error::Error;
use crate::json;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// One attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// The cell.
    pub row_id: String,
    /// Counts from 1.
    pub attempt: u32,
    /// When it began, RFC 3339 in UTC; see [`rfc3339`].
    pub started_at: String,
    /// Wall time of the attempt, in milliseconds.
    pub duration_ms: u64,
    /// `ok`, `error` or `timeout`.
    pub outcome: super::row::Status,
    /// The row's error vocabulary; null when the attempt succeeded.
    pub error_type: Option<String>,
    /// Free text without secrets; null when the attempt succeeded.
    pub error_message: Option<String>,
    /// What the server asked for, in seconds; null when it did not ask.
    pub retry_after_s: Option<f64>,
    /// How long the cell waited for its turn before the attempt, in milliseconds: back-off, pauses, the in-flight limit.
    pub waited_ms: u64,
}

/// Appends events.
#[derive(Debug)]
pub struct EventLog {
    path: PathBuf,
    file: File,
    reported: AtomicBool,
}

impl EventLog {
    /// Opens the log that belongs to an evidence file; creates it when there is none.
    pub fn beside(evidence: &Path) -> Result<Self, Error> {
        let path = evidence.with_extension("events.jsonl");
        let file = OpenOptions::new().append(true).create(true).open(&path).map_err(Error::io("open", &path))?;
        Ok(Self { path, file, reported: AtomicBool::new(false) })
    }

    /// The log file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one event; returns the first failure of this log and none after it.
    pub fn record(&self, event: &Event) -> Option<Error> {
        let written = line(event).and_then(|line| (&self.file).write_all(line.as_bytes()));
        let error = written.err()?;
        (!self.reported.swap(true, Ordering::Relaxed)).then(|| Error::io("append to", &self.path)(error))
    }
}

fn line(event: &Event) -> std::io::Result<String> {
    let value = serde_json::to_value(event).map_err(std::io::Error::other)?;
    let mut line = json::compact(&value).map_err(std::io::Error::other)?;
    line.push('\n');
    Ok(line)
}
