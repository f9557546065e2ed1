//! SQL that a person types, read-only unless it was asked for otherwise.
//!
//! Reads the warehouse file when it is current, or a throw-away copy made from the evidence when it is not and cannot be
//! written; or the gateway's index. Writes nothing: the database is opened for reading, files and network are off, the
//! settings are locked, and statements that do anything but read are refused before they run.

mod answer;
mod refusal;
mod split;

pub use answer::Answer;
pub use split::{Pieces, split};

use super::catalogue::Catalogue;
use super::connection::{Parameter, Warehouse};
use super::sync::sync;
use super::table::{self, Room, Table};
use super::{Error, Result};
use answer::Watch;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run holds the lock of its warehouse for milliseconds; this is how long a question waits for it.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(10);

/// What one statement may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows that are returned, and the answer says when there were more; null returns all.
    pub rows_max: Option<usize>,
    /// Seconds until the statement is interrupted; null lets it run.
    pub timeout_s: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows_max: Some(1000), timeout_s: Some(60) }
    }
}

/// What statements may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read the opened database.
    ReadOnly,
    /// Whatever the database and the system allow.
    Unrestricted,
}

/// A warehouse with what should be known about it, and the folder of the throw-away copy when it is one.
type Opened<'catalogue> = (Warehouse<'catalogue>, Option<String>, Option<tempfile::TempDir>);

/// A database opened for questions.
pub struct AdHoc<'catalogue> {
    warehouse: Warehouse<'catalogue>,
    access: Access,
    /// What the asker should know about where the answers come from.
    pub notice: Option<String>,
    /// Holds the throw-away copy as long as it is asked.
    _copy: Option<tempfile::TempDir>,
}

impl<'catalogue> AdHoc<'catalogue> {
    /// Opens the warehouse at `database` over the rows of `evidence`, for reading.
    ///
    /// A stale database is brought up to date first; when that is impossible, because somebody else has it open or it
    /// cannot be written, the evidence is read into a throw-away copy and `notice` says so.
    pub fn open(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        let (warehouse, notice, copy) = Self::current(database, evidence, catalogue)?;
        Self::locked_down(warehouse, notice, copy)
    }

    /// Opens the warehouse like [`Self::open`], for somebody who asks for few rows at a time and has other use for memory.
    pub fn open_frugal(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        let (warehouse, notice, copy) = Self::current(database, evidence, catalogue)?;
        warehouse.run_script("asking/frugal")?;
        Self::locked_down(warehouse, notice, copy)
    }

    /// Like [`Self::open_frugal`], with 768 MB, for rows that are too long for that.
    pub fn open_wide(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        let (warehouse, notice, copy) = Self::current(database, evidence, catalogue)?;
        warehouse.run_script("engine/pages")?;
        Self::locked_down(warehouse, notice, copy)
    }

    /// Whether a message says that a statement ran out of memory.
    pub fn is_out_of_memory(message: &str) -> bool {
        message.contains(refusal::NEEDS_MEMORY)
    }

    /// The same for a console in a browser, for whose questions the engine may take 1 GB.
    pub fn open_console(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        let (warehouse, notice, copy) = Self::current(database, evidence, catalogue)?;
        warehouse.run_script("engine/console")?;
        Self::locked_down(warehouse, notice, copy)
    }

    fn current(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Opened<'catalogue>> {
        let current = match patiently(|| Warehouse::open_read_only(database, catalogue)) {
            Ok(open) if open.is_current(evidence).unwrap_or(false) => Some(open),
            _ => None,
        };
        match current {
            Some(open) => Ok((open, None, None)),
            None => Self::level_or_copy(database, evidence, catalogue),
        }
    }

    /// Opens the warehouse for reading and writing, with files, network and settings at hand.
    ///
    /// [`Error::Busy`] while another process has it open: there is no copy to write to.
    pub fn open_unrestricted(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        if let Some(problem) = level(database, evidence, catalogue)? {
            return Err(problem);
        }
        Self::unrestricted(Warehouse::open(database, catalogue)?)
    }

    /// Opens a database of another kind, such as the gateway's index, under the same rules.
    pub fn open_other(file: &Path, catalogue: &'catalogue Catalogue, access: Access) -> Result<Self> {
        let warehouse = Warehouse::open_other(file, catalogue, access == Access::Unrestricted)?;
        match access {
            Access::ReadOnly => Self::locked_down(warehouse, None, None),
            Access::Unrestricted => Self::unrestricted(warehouse),
        }
    }

    fn locked_down(
        warehouse: Warehouse<'catalogue>,
        notice: Option<String>,
        copy: Option<tempfile::TempDir>,
    ) -> Result<Self> {
        warehouse.run_script("asking/answering")?;
        warehouse.run_script("engine/lock_down")?;
        Ok(Self { warehouse, access: Access::ReadOnly, notice, _copy: copy })
    }

    fn unrestricted(warehouse: Warehouse<'catalogue>) -> Result<Self> {
        warehouse.run_script("asking/answering")?;
        warehouse.run_script("asking/unrestricted")?;
        Ok(Self { warehouse, access: Access::Unrestricted, notice: None, _copy: None })
    }

    fn level_or_copy(
        database: &Path,
        evidence: &[PathBuf],
        catalogue: &'catalogue Catalogue,
    ) -> Result<Opened<'catalogue>> {
        let opened = match level(database, evidence, catalogue)? {
            None => patiently(|| Warehouse::open_read_only(database, catalogue)),
            Some(problem) => Err(problem),
        };
        let problem = match opened {
            Ok(warehouse) => return Ok((warehouse, None, None)),
            Err(problem) => problem,
        };
        let failed = |source| Error::File { action: "create", path: std::env::temp_dir(), source };
        let folder = tempfile::tempdir().map_err(failed)?;
        let copy = folder.path().join("warehouse.duckdb");
        if let Some(other) = level(&copy, evidence, catalogue)? {
            return Err(other);
        }
        let notice = format!("{problem}; these answers come from the {} evidence files themselves", evidence.len());
        Ok((Warehouse::open_read_only(&copy, catalogue)?, Some(notice), Some(folder)))
    }

    /// The opened database, for statements of the catalogue.
    pub fn warehouse(&self) -> &Warehouse<'catalogue> {
        &self.warehouse
    }

    /// The handle that stops a running statement from another thread.
    pub fn interrupt_handle(&self) -> Arc<duckdb::InterruptHandle> {
        self.warehouse.connection().interrupt_handle()
    }

    /// Begins to answer one statement; rows come as they are asked for.
    ///
    /// `values` are bound by name. Whatever would write, read other files or change settings is refused with its reason;
    /// a misspelt name comes with its place and the nearest one as a hint.
    pub fn ask(&self, text: &str, values: &[(String, Parameter)], limits: Limits) -> Result<Answer<'_>> {
        if split(text).statements.is_empty() {
            return Err(Error::AdHoc { reason: "the statement is empty".to_owned(), hint: None });
        }
        if self.access == Access::ReadOnly {
            self.refuse_what_acts(text)?;
        }
        let watch = Watch::start(self.interrupt_handle(), limits.timeout_s);
        let statement = self
            .warehouse
            .connection()
            .prepare(text)
            .map_err(|error| refusal::explain(&super::connection::words(&error), text, limits))?;
        Answer::start(statement, text, values, limits, watch)
    }

    /// Answers one statement with its rows up to the limit, as far as there is room for them.
    ///
    /// The memory limit of the connection is about what the engine works with; only `room` is about what is kept here.
    pub fn answer(&self, text: &str, limits: Limits, room: Room) -> Result<Table> {
        let mut answer = self.ask(text, &[], limits)?;
        let schema = answer.schema().clone();
        let mut failure = None;
        let batches = std::iter::from_fn(|| match answer.next() {
            Ok(batch) => batch,
            Err(error) => {
                failure = Some(error);
                None
            }
        });
        let mut table = table::collect(&schema, batches, room).map_err(|error| Error::AdHoc {
            reason: format!("a value has no text: {error}"),
            hint: Some("ask for it as text: cast(... as varchar)".to_owned()),
        })?;
        table.truncated |= answer.is_truncated();
        failure.map_or(Ok(table), Err)
    }

    /// A connection that is opened for reading still runs statements that act: `checkpoint`, temporary tables, and
    /// functions such as `enable_logging`, which sends every later statement to a file.
    fn refuse_what_acts(&self, text: &str) -> Result<()> {
        let read = self.warehouse.query("asking/statement", &[("statement", text.into())])?;
        let Some(row) = read.rows.first() else { return Ok(()) };
        if let Some(function) = row.text_or_null("acting_function")? {
            let reason = format!("`{function}` acts instead of reading, and a statement can read the warehouse only");
            return Err(Error::AdHoc { reason, hint: None });
        }
        if row.text_or_null("is_reading")? == Some("false") {
            // What the engine itself refuses has the better reason; what it would do is not tried.
            return Err(refusal::not_reading(text));
        }
        Ok(())
    }
}

/// Waits a moment for a lock that a run holds for milliseconds.
fn patiently<T>(open: impl Fn() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    loop {
        match open() {
            Err(Error::Busy { .. }) if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
}

/// Brings a database up to date; returns what stands in the way when it is not the evidence's fault.
fn level(database: &Path, evidence: &[PathBuf], catalogue: &Catalogue) -> Result<Option<Error>> {
    match patiently(|| sync(database, evidence, catalogue)) {
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
