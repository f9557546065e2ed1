//! SQL that a person types, read-only.
//!
//! Reads the warehouse file when it is current, or a throw-away copy made from the evidence when it is not and cannot be
//! written. Writes nothing: the database is opened for reading, files and network are off, and the settings are locked.

use super::catalogue::Catalogue;
use super::connection::{Warehouse, words};
use super::sync::sync;
use super::table::{self, Table};
use super::{Error, Result};
use arrow::array::RecordBatch;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

/// What one statement may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows that are returned; more are cut off and the table says so.
    pub rows_max: usize,
    /// Seconds until the statement is interrupted.
    pub timeout_s: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows_max: 1000, timeout_s: 60 }
    }
}

/// A warehouse opened for questions.
pub struct AdHoc<'catalogue> {
    warehouse: Warehouse<'catalogue>,
    /// What the asker should know about where the answers come from.
    pub notice: Option<String>,
    /// Holds the throw-away copy as long as it is asked.
    _copy: Option<tempfile::TempDir>,
}

impl<'catalogue> AdHoc<'catalogue> {
    /// Opens the database at `database` over the rows of `evidence`.
    ///
    /// A stale database is brought up to date first; when that is impossible, because somebody else has it open or it
    /// cannot be written, the evidence is read into a throw-away copy and `notice` says so.
    pub fn open(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        Self::open_with(database, evidence, catalogue, &["engine/lock_down"])
    }

    /// The same for a console in a browser, whose questions may take 1 GB.
    pub fn open_console(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        Self::open_with(database, evidence, catalogue, &["engine/console", "engine/lock_down"])
    }

    fn open_with(
        database: &Path,
        evidence: &[PathBuf],
        catalogue: &'catalogue Catalogue,
        settings: &[&str],
    ) -> Result<Self> {
        let is_current = database.exists()
            && Warehouse::open_read_only(database, catalogue)
                .is_ok_and(|open| open.is_current(evidence).unwrap_or(false));
        let problem = if is_current { None } else { level(database, evidence, catalogue)? };
        let (warehouse, notice, copy) = match problem {
            None => match Warehouse::open_read_only(database, catalogue) {
                Ok(warehouse) => (warehouse, None, None),
                Err(error) => Self::copy(evidence, catalogue, &error)?,
            },
            Some(error) => Self::copy(evidence, catalogue, &error)?,
        };
        settings.iter().try_for_each(|script| warehouse.run_script(script))?;
        Ok(Self { warehouse, notice, _copy: copy })
    }

    fn copy(
        evidence: &[PathBuf],
        catalogue: &'catalogue Catalogue,
        problem: &Error,
    ) -> Result<(Warehouse<'catalogue>, Option<String>, Option<tempfile::TempDir>)> {
        let failed = |source| Error::File { action: "create", path: std::env::temp_dir(), source };
        let folder = tempfile::tempdir().map_err(failed)?;
        let database = folder.path().join("warehouse.duckdb");
        if let Some(other) = level(&database, evidence, catalogue)? {
            return Err(other);
        }
        let notice = format!("{problem}; these answers come from the {} evidence files themselves", evidence.len());
        Ok((Warehouse::open_read_only(&database, catalogue)?, Some(notice), Some(folder)))
    }

    /// Answers one statement.
    ///
    /// Whatever would write, read other files or change settings is refused with its reason; a misspelt name comes with
    /// the nearest one as a hint.
    pub fn answer(&self, statement: &str, limits: Limits) -> Result<Table> {
        if statement.trim().is_empty() {
            return Err(Error::AdHoc { reason: "the statement is empty".to_owned(), hint: None });
        }
        let connection = self.warehouse.connection();
        let interrupt = connection.interrupt_handle();
        let (done, waiting) = channel::<()>();
        let watch = std::thread::spawn(move || {
            // An answer drops the sender, which ends the wait at once.
            if waiting.recv_timeout(Duration::from_secs(limits.timeout_s)).is_err_and(|error| !is_closed(error)) {
                interrupt.interrupt();
            }
        });
        let answer = self.run(statement, limits);
        drop(done);
        // The watcher cannot fail; an interrupted statement has already become the answer.
        let _ = watch.join();
        answer
    }

    fn run(&self, text: &str, limits: Limits) -> Result<Table> {
        let refused = |error: duckdb::Error| explain(&words(&error), limits);
        let mut statement = self.warehouse.connection().prepare(text).map_err(refused)?;
        if statement.parameter_count() > 0 {
            let name = statement.parameter_name(1).unwrap_or_default();
            let reason = format!("the statement has a parameter `${name}`; write the value in its place");
            return Err(Error::AdHoc { reason, hint: None });
        }
        // Streaming: rows beyond the limit are never made.
        drop(statement.stream_arrow([]).map_err(refused)?);
        let schema = statement.schema();
        let mut failure = None;
        let batches = std::iter::from_fn(|| match statement.step() {
            Ok(batch) => batch.map(|batch| RecordBatch::from(&batch)),
            Err(error) => {
                failure = Some(error);
                None
            }
        });
        let table = table::collect(&schema, batches, limits.rows_max)
            .map_err(|error| Error::AdHoc { reason: error.to_string(), hint: None })?;
        failure.map_or(Ok(table), |error| Err(refused(error)))
    }
}

fn is_closed(error: std::sync::mpsc::RecvTimeoutError) -> bool {
    error == std::sync::mpsc::RecvTimeoutError::Disconnected
}

/// Brings a database up to date; returns what stands in the way when it is not the evidence's fault.
fn level(database: &Path, evidence: &[PathBuf], catalogue: &Catalogue) -> Result<Option<Error>> {
    match sync(database, evidence, catalogue) {
        Ok(synced) => {
            synced.files.into_iter().try_for_each(|(_, outcome)| outcome.map(|_| ()))?;
            Ok(None)
        }
        Err(error @ (Error::Busy { .. } | Error::Open { .. } | Error::Foreign { .. } | Error::File { .. })) => {
            Ok(Some(error))
        }
        Err(error) => Err(error),
    }
}

/// Turns DuckDB's words into ours: what is wrong, where, and the nearest name.
fn explain(words: &str, limits: Limits) -> Error {
    let refusals = [
        ("read-only mode", "the warehouse can only be read: it is derived from the evidence, and rebuilt from it"),
        ("file system operations are disabled", "a statement can read the warehouse only, no other files"),
        ("disabled through configuration", "a statement can read the warehouse only, and load no extensions"),
        ("disabled by configuration", "a statement can read the warehouse only, no other files and no network"),
        ("configuration has been locked", "the settings of this connection are locked"),
        ("Out of Memory", "the statement needs more memory than the connection may use"),
        ("INTERRUPT", ""),
    ];
    let first = words.lines().next().unwrap_or(words);
    let said = first.split_once(": ").map_or(first, |(_, rest)| rest).trim();
    match refusals.iter().find(|(sign, _)| words.contains(sign)) {
        Some(("INTERRUPT", _)) => {
            let reason = format!("the statement took longer than {} s and was stopped", limits.timeout_s);
            Error::AdHoc { reason, hint: None }
        }
        Some((_, meaning)) => Error::AdHoc { reason: format!("{meaning} ({said})"), hint: None },
        None => {
            let place = place(words).map(|(line, column)| format!(" (line {line}, column {column})"));
            let hint = nearest_name(words).map(|name| format!("did you mean `{name}`?"));
            Error::AdHoc { reason: format!("{said}{}", place.unwrap_or_default()), hint }
        }
    }
}

/// Reads line and column off the caret that DuckDB draws; nothing when the line was cut.
fn place(words: &str) -> Option<(usize, usize)> {
    let mut lines = words.lines().skip_while(|line| !line.starts_with("LINE "));
    let (start, text) = lines.next()?.split_once(": ")?;
    let line = start.strip_prefix("LINE ")?.parse().ok()?;
    let caret = lines.next()?.find('^')?;
    let column = (caret + 1).checked_sub(start.len() + 2)?;
    (!text.starts_with("...")).then_some((line, column))
}

/// The first name that DuckDB offers instead of an unknown one.
fn nearest_name(words: &str) -> Option<String> {
    let after = ["Candidate bindings: \"", "Did you mean \"", "Candidate functions: \""]
        .iter()
        .find_map(|sign| words.split_once(sign).map(|(_, after)| after))?;
    after.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_column_is_told_with_its_place_and_the_nearest_name() {
        let words = "Binder Error: Referenced column \"statu\" not found in FROM clause!\n\
            Candidate bindings: \"status\", \"source_line\"\n\nLINE 2: from cells where statu = 'ok'\n                         ^";
        let Error::AdHoc { reason, hint } = explain(words, Limits::default()) else { panic!("another error") };
        assert_eq!(reason, "Referenced column \"statu\" not found in FROM clause! (line 2, column 18)");
        assert_eq!(hint.as_deref(), Some("did you mean `status`?"));
    }
}
