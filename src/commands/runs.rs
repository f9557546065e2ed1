//! The warehouse of runs for commands that read it, level with the evidence, and the runs it holds.

use super::context::Context;
use super::import::row_files;
use super::level::{level, level_at};
use crate::error::{Failure, Kind, Result};
use crate::ui;
use crate::warehouse::{Error, Memory, Warehouse};
use std::path::PathBuf;

/// The runs of a project.
pub struct Runs {
    /// Their ids, sorted.
    pub ids: Vec<String>,
    /// The database that holds them; may be missing when there is no run.
    pub database: PathBuf,
    /// Holds the copy that is read while somebody else writes the warehouse.
    _copy: Option<tempfile::TempDir>,
}

impl Runs {
    /// Brings the warehouse level.
    ///
    /// While another process writes it, the evidence is read into a throw-away copy instead, which is said.
    pub fn open(context: &Context) -> Result<Self> {
        let is_there = context.warehouse_file().exists() || !row_files(&context.results())?.is_empty();
        let (database, copy) = if is_there { current(context)? } else { (context.warehouse_file(), None) };
        let ids = if database.exists() { known(context, &database)? } else { Vec::new() };
        Ok(Self { ids, database, _copy: copy })
    }

    /// Refuses a run that does not exist, and names those that do.
    pub fn refuse_unknown(&self, run_id: &str) -> Result<()> {
        if self.ids.iter().any(|known| known == run_id) {
            return Ok(());
        }
        let failure = Failure::new(Kind::Input, format!("there is no run `{run_id}`"));
        Err(match self.ids.is_empty() {
            true => failure.hint("`ragsql run` makes one"),
            false => failure.hint(format!("runs there are: {}", self.ids.join(", "))),
        })
    }

    /// Opens the database for statements that put whole runs side by side.
    pub fn warehouse<'catalogue>(&self, context: &'catalogue Context) -> Result<Warehouse<'catalogue>> {
        Ok(Warehouse::open_read_only_within(&self.database, &context.catalogue, Memory::Pages)?)
    }
}

/// The project's warehouse, level with its evidence, or a copy when that is not to be had now.
fn current(context: &Context) -> Result<(PathBuf, Option<tempfile::TempDir>)> {
    let Some(problem) = level(context)? else { return Ok((context.warehouse_file(), None)) };
    ui::warning(&format!("{problem}; the evidence files themselves are read instead"));
    let folder = tempfile::tempdir()
        .map_err(|source| Failure::from(Error::File { action: "create", path: std::env::temp_dir(), source }))?;
    let database = folder.path().join("warehouse.duckdb");
    match level_at(context, &database)? {
        None => Ok((database, Some(folder))),
        Some(error) => Err(error.into()),
    }
}

fn known(context: &Context, database: &std::path::Path) -> Result<Vec<String>> {
    let warehouse = Warehouse::open_read_only(database, &context.catalogue)?;
    let runs = warehouse.query("reports/summary_runs", &[])?;
    Ok(runs.rows.iter().map(|row| Ok(row.text("run_id")?.to_owned())).collect::<Result<_, Error>>()?)
}
