//! The attempts file: every evaluation of a gate, so that nobody can repeat one unseen until it passes.
//!
//! Reads and appends one JSON Lines file under its data lock. A line counts once its newline is on disk; what a killed
//! process left behind the last newline is moved to `<file>.torn`. A damaged whole line is an error, never skipped.

use super::data_lock::{DataLock, Held};
use super::disk::sync_folder;
use super::{Error, Result};
use crate::json;
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Version of the line's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// An open attempts file; nobody else evaluates a gate until it is dropped.
#[derive(Debug)]
pub struct Attempts {
    path: PathBuf,
    file: File,
    earlier: Vec<Attempt>,
    _held: Held,
}

/// What is needed of an earlier evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Attempt {
    baseline: Option<String>,
    evidence: String,
}

impl Attempts {
    /// Opens or creates the file and its folder, waits for its lock, and reads what was evaluated before.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io("make the folder", folder))?;
        }
        let held = DataLock::beside(path).exclusive()?;
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(Error::io("open", path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io("read", path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            set_aside(&file, path, &bytes[whole..], whole as u64).map_err(Error::io("repair the end of", path))?;
        }
        sync_folder(path)?;
        let earlier = read_lines(path, &bytes[..whole])?;
        Ok(Self { path: path.to_owned(), file, earlier, _held: held })
    }

    /// Digests of the scores that were evaluated against a baseline before, oldest first; null is a gate without one.
    pub fn against(&self, baseline: Option<&str>) -> Vec<&str> {
        let matching = self.earlier.iter().filter(|attempt| attempt.baseline.as_deref() == baseline);
        matching.map(|attempt| attempt.evidence.as_str()).collect()
    }

    /// Appends an evaluation; returns when it is on disk.
    ///
    /// `record` is an object with `schema_version`, `baseline` (text or null) and `evidence` (text), and whatever else is
    /// worth keeping.
    pub fn append(mut self, record: &Value) -> Result<()> {
        let failed = Error::io("append to", &self.path);
        let written = json::compact(record)
            .map_err(io::Error::other)
            .and_then(|line| self.file.write_all((line + "\n").as_bytes()))
            .and_then(|()| self.file.sync_data());
        written.map_err(failed)
    }
}

fn read_lines(path: &Path, bytes: &[u8]) -> Result<Vec<Attempt>> {
    let mut attempts = Vec::new();
    let mut offset = 0;
    for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let damaged = |reason: String| Error::Damaged { path: path.to_owned(), line: number, offset, reason };
        attempts.push(decode(line).map_err(damaged)?);
        offset += line.len() as u64;
    }
    Ok(attempts)
}

fn decode(line: &[u8]) -> Result<Attempt, String> {
    let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let value = json::parse_strict(text).map_err(|error| error.to_string())?;
    if value["schema_version"] != SCHEMA_VERSION {
        return Err(format!("schema version {} is not {SCHEMA_VERSION}", value["schema_version"]));
    }
    let baseline = match &value["baseline"] {
        Value::Null => None,
        Value::String(run) => Some(run.clone()),
        _ => return Err("`baseline` is neither text nor null".to_owned()),
    };
    let evidence = value["evidence"].as_str().ok_or("`evidence` is not text")?.to_owned();
    Ok(Attempt { baseline, evidence })
}

/// Copies the bytes behind the last newline to `<file>.torn`, then cuts them off.
fn set_aside(file: &File, path: &Path, torn: &[u8], whole_bytes: u64) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    let mut aside = OpenOptions::new().append(true).create(true).open(name)?;
    aside.write_all(torn)?;
    aside.write_all(b"\n")?;
    aside.sync_all()?;
    file.set_len(whole_bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(baseline: Option<&str>, evidence: &str) -> Value {
        json!({"schema_version": SCHEMA_VERSION, "baseline": baseline, "evidence": evidence})
    }

    #[test]
    fn evaluations_are_kept_by_baseline_and_a_torn_line_is_moved_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gate/attempts.jsonl");
        Attempts::open(&path).unwrap().append(&record(Some("main"), "a")).unwrap();
        Attempts::open(&path).unwrap().append(&record(None, "b")).unwrap();
        let whole = std::fs::read(&path).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"schema_ver").unwrap();
        let attempts = Attempts::open(&path).unwrap();
        assert_eq!((attempts.against(Some("main")), attempts.against(None)), (vec!["a"], vec!["b"]));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert_eq!(std::fs::read(path.with_extension("jsonl.torn")).unwrap(), b"{\"schema_ver\n");
    }

    #[test]
    fn a_damaged_line_is_named_and_nothing_is_evaluated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("attempts.jsonl");
        std::fs::write(&path, "{\"schema_version\":1,\"baseline\":null,\"evidence\":\"a\"}\n{\"schema_version\":2}\n")
            .unwrap();
        let message = Attempts::open(&path).unwrap_err().to_string();
        assert!(message.ends_with("line 2 at byte 52 is damaged: schema version 2 is not 1"), "{message}");
    }
}
