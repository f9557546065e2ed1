//! SQL that a person types, read-only unless it was asked for otherwise.
//!
//! Reads the warehouse file when it is current, or a throw-away copy made from the evidence when it is not and cannot be
//! written; or the gateway's index. Brings a stale warehouse level before it is asked. The statements themselves write
//! nothing: the database is opened for reading, files and network are off, the settings are locked, and whatever does
//! anything but read is refused before it runs. Unrestricted access lifts all of that.

mod answer;
mod refusal;
mod split;
mod watch;

pub use answer::Answer;
pub use split::{Pieces, split};

use super::catalogue::Catalogue;
use super::connection::{Parameter, Warehouse};
use super::memory::Memory;
use super::sync::sync;
use super::table::{self, Room, Table};
use super::told::Told;
use super::{Error, Result};
use refusal::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use watch::Watch;

/// A run holds the lock of its warehouse for milliseconds; this is how long a question waits for it.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(10);

/// What one statement may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows that are returned, and the answer says when there were more; null returns all.
    pub rows_max: Option<usize>,
    /// Seconds of the engine's work until the statement is interrupted; null lets it run. How long its rows wait for
    /// whoever takes them does not count.
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

/// Which kind of database is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    /// The warehouse, derived from the evidence.
    Warehouse,
    /// The gateway's index, made from documents.
    Index,
}

/// A database opened for questions.
pub struct AdHoc<'catalogue> {
    warehouse: Warehouse<'catalogue>,
    database: Database,
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
        Self::open_within(database, evidence, catalogue, Memory::Reading)
    }

    /// The same within another bound on memory.
    pub fn open_within(
        database: &Path,
        evidence: &[PathBuf],
        catalogue: &'catalogue Catalogue,
        memory: Memory,
    ) -> Result<Self> {
        let open = || Warehouse::open_read_only_within(database, catalogue, memory);
        match patiently(open) {
            Ok(open) if open.is_current(evidence).unwrap_or(false) => Self::locked_down(open, Database::Warehouse),
            _ => Self::level_or_copy(database, evidence, catalogue, memory),
        }
    }

    /// Opens the warehouse for reading and writing, with files, network and settings at hand.
    ///
    /// [`Error::Busy`] while another process has it open: there is no copy to write to.
    pub fn open_unrestricted(database: &Path, evidence: &[PathBuf], catalogue: &'catalogue Catalogue) -> Result<Self> {
        if let Some(problem) = level(database, evidence, catalogue)? {
            return Err(problem);
        }
        Self::unrestricted(Warehouse::open_within(database, catalogue, Memory::Everything)?, Database::Warehouse)
    }

    /// Opens the gateway's index under the same rules.
    pub fn open_index(file: &Path, catalogue: &'catalogue Catalogue, access: Access) -> Result<Self> {
        match access {
            Access::ReadOnly => Self::locked_down(Warehouse::open_other(file, catalogue)?, Database::Index),
            Access::Unrestricted => {
                Self::unrestricted(Warehouse::open_other_unrestricted(file, catalogue)?, Database::Index)
            }
        }
    }

    fn locked_down(warehouse: Warehouse<'catalogue>, database: Database) -> Result<Self> {
        warehouse.run_script("engine/answering")?;
        warehouse.run_script("engine/lock_down")?;
        Ok(Self { warehouse, database, access: Access::ReadOnly, notice: None, _copy: None })
    }

    fn unrestricted(warehouse: Warehouse<'catalogue>, database: Database) -> Result<Self> {
        warehouse.run_script("engine/answering")?;
        Ok(Self { warehouse, database, access: Access::Unrestricted, notice: None, _copy: None })
    }

    fn level_or_copy(
        database: &Path,
        evidence: &[PathBuf],
        catalogue: &'catalogue Catalogue,
        memory: Memory,
    ) -> Result<Self> {
        let opened = match level(database, evidence, catalogue)? {
            None => patiently(|| Warehouse::open_read_only_within(database, catalogue, memory)),
            Some(problem) => Err(problem),
        };
        let problem = match opened {
            Ok(warehouse) => return Self::locked_down(warehouse, Database::Warehouse),
            Err(problem) => problem,
        };
        let failed = |source| Error::File { action: "create", path: std::env::temp_dir(), source };
        let folder = tempfile::tempdir().map_err(failed)?;
        let copy = folder.path().join("warehouse.duckdb");
        if let Some(other) = level(&copy, evidence, catalogue)? {
            return Err(other);
        }
        let notice = format!("{problem}; these answers come from the {} evidence files themselves", evidence.len());
        let open = Warehouse::open_read_only_within(&copy, catalogue, memory)?;
        Ok(Self { notice: Some(notice), _copy: Some(folder), ..Self::locked_down(open, Database::Warehouse)? })
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
            return Err(Error::unanswerable("the statement is empty".to_owned()));
        }
        let scene = Scene { database: self.database, limits, statement: text };
        if self.access == Access::ReadOnly {
            self.refuse_what_acts(&scene)?;
        }
        let watch = Watch::start(self.interrupt_handle(), limits.timeout_s.map(Duration::from_secs));
        let prepared = watch.count(|| self.warehouse.connection().prepare(text));
        let statement = prepared.map_err(|error| refusal::explain(&Told::of(&error), &scene))?;
        Answer::start(statement, &scene, values, watch)
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
            remedy: None,
        })?;
        table.truncated |= answer.is_truncated();
        failure.map_or(Ok(table), Err)
    }

    /// A connection that is opened for reading still runs statements that act: `checkpoint`, temporary tables, and
    /// functions such as `enable_logging`, which sends every later statement to a file.
    fn refuse_what_acts(&self, scene: &Scene) -> Result<()> {
        let read = self.warehouse.query("asking/statement", &[("statement", scene.statement.into())])?;
        let Some(row) = read.rows.first() else { return Ok(()) };
        if let Some(function) = row.text_or_null("acting_function")? {
            return Err(refusal::acting(function, scene));
        }
        if row.text_or_null("is_reading")? == Some("false") {
            // What it would do is not tried.
            return Err(refusal::not_reading(scene));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for_and_another_error_is_not() {
        let tries = std::cell::Cell::new(0);
        let held = |tries_n: u32| {
            tries.set(tries.get() + 1);
            if tries.get() < tries_n { Err(Error::Busy { path: "warehouse.duckdb".into() }) } else { Ok(tries.get()) }
        };
        assert_eq!(patiently(|| held(3)).unwrap(), 3);
        assert!(matches!(patiently(|| held(u32::MAX)), Err(Error::Busy { .. })), "not for ever");
        assert!(tries.get() > 4);
        tries.set(0);
        let broken = || {
            tries.set(tries.get() + 1);
            Err::<(), _>(Error::unanswerable("broken".to_owned()))
        };
        assert!(patiently(broken).is_err() && tries.get() == 1);
    }
}
