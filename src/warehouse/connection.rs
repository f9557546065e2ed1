//! A DuckDB connection that runs statements of the catalogue.
//!
//! Reads and writes whatever the statements say. Opens as late and closes as early as its owner lets it.

use super::catalogue::{Catalogue, Query};
use super::memory::Memory;
use super::table::{self, Table};
use super::told::words;
use super::{Error, Result};
use arrow::array::RecordBatch;
use duckdb::{AccessMode, Config, Connection};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A value bound to a `$name` of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Parameter {
    /// No value.
    Null,
    /// Text.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A double.
    Float(f64),
}

impl From<&str> for Parameter {
    fn from(text: &str) -> Self {
        Parameter::Text(text.to_owned())
    }
}

impl From<i64> for Parameter {
    fn from(number: i64) -> Self {
        Parameter::Integer(number)
    }
}

impl<T: Into<Parameter>> From<Option<T>> for Parameter {
    fn from(value: Option<T>) -> Self {
        value.map_or(Parameter::Null, Into::into)
    }
}

impl duckdb::ToSql for Parameter {
    fn to_sql(&self) -> duckdb::Result<duckdb::types::ToSqlOutput<'_>> {
        match self {
            Parameter::Null => {
                duckdb::types::Null.to_sql().map(|_| duckdb::types::ToSqlOutput::from(duckdb::types::Null))
            }
            Parameter::Text(text) => text.to_sql(),
            Parameter::Integer(number) => number.to_sql(),
            Parameter::Float(number) => number.to_sql(),
        }
    }
}

/// An open database with the catalogue it answers from.
pub struct Warehouse<'catalogue> {
    connection: Connection,
    catalogue: &'catalogue Catalogue,
    path: Option<PathBuf>,
    prepared: RefCell<BTreeSet<String>>,
}

impl<'catalogue> Warehouse<'catalogue> {
    /// Opens a database for writing, creates it when it is missing, and brings its schema up to date.
    ///
    /// [`Error::Busy`] when another process has it open, [`Error::Foreign`] when it is not a warehouse.
    pub fn open(path: &Path, catalogue: &'catalogue Catalogue) -> Result<Self> {
        Self::open_within(path, catalogue, Memory::Loading)
    }

    /// The same within another bound on memory.
    pub(super) fn open_within(path: &Path, catalogue: &'catalogue Catalogue, memory: Memory) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| Error::File {
                action: "create",
                path: folder.to_owned(),
                source,
            })?;
        }
        if !path.exists() {
            Self::create(path, catalogue)?;
        }
        let warehouse = Self::begin(connect(path, AccessMode::ReadWrite)?, catalogue, Some(path), memory)?;
        warehouse.migrate()?;
        Ok(warehouse)
    }

    /// Makes an empty warehouse file under another name and then gives it its own, so that nobody ever meets half of one.
    /// One that somebody else made meanwhile stays.
    fn create(path: &Path, catalogue: &'catalogue Catalogue) -> Result<()> {
        let failed = |source| Error::File { action: "create", path: path.to_owned(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let hidden = tempfile::Builder::new().prefix(".warehouse-").tempdir_in(folder).map_err(failed)?;
        let made = hidden.path().join("warehouse.duckdb");
        let warehouse = Self::begin(connect(&made, AccessMode::ReadWrite)?, catalogue, Some(&made), Memory::Loading)?;
        warehouse.migrate()?;
        drop(warehouse);
        match std::fs::hard_link(&made, path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked.map_err(failed),
        }
    }

    /// Opens an existing, current warehouse for reading.
    pub fn open_read_only(path: &Path, catalogue: &'catalogue Catalogue) -> Result<Self> {
        Self::open_read_only_within(path, catalogue, Memory::Reading)
    }

    /// The same within another bound on memory.
    pub fn open_read_only_within(path: &Path, catalogue: &'catalogue Catalogue, memory: Memory) -> Result<Self> {
        let warehouse = Self::begin(connect(path, AccessMode::ReadOnly)?, catalogue, Some(path), memory)?;
        warehouse.refuse_foreign()?;
        Ok(warehouse)
    }

    /// Opens an existing database of another kind for reading, and asks nothing of its tables.
    pub fn open_other(path: &Path, catalogue: &'catalogue Catalogue) -> Result<Self> {
        Self::begin(connect(path, AccessMode::ReadOnly)?, catalogue, Some(path), Memory::Reading)
    }

    /// The same for whatever the system allows.
    pub fn open_other_unrestricted(path: &Path, catalogue: &'catalogue Catalogue) -> Result<Self> {
        Self::begin(connect(path, AccessMode::ReadWrite)?, catalogue, Some(path), Memory::Everything)
    }

    /// Makes an empty warehouse in memory.
    pub fn in_memory(catalogue: &'catalogue Catalogue) -> Result<Self> {
        let connection = Connection::open_in_memory()
            .map_err(|error| Error::Open { path: PathBuf::from(":memory:"), reason: error.to_string() })?;
        let warehouse = Self::begin(connection, catalogue, None, Memory::Reading)?;
        warehouse.migrate()?;
        Ok(warehouse)
    }

    /// Settles how a new connection behaves and what it may take.
    fn begin(
        connection: Connection,
        catalogue: &'catalogue Catalogue,
        path: Option<&Path>,
        memory: Memory,
    ) -> Result<Self> {
        let warehouse = Self { connection, catalogue, path: path.map(Path::to_owned), prepared: RefCell::default() };
        warehouse.run_script("engine/settings")?;
        warehouse.run_script(memory.script())?;
        Ok(warehouse)
    }

    /// The statements this warehouse answers from.
    pub fn catalogue(&self) -> &'catalogue Catalogue {
        self.catalogue
    }

    /// Runs a statement of the catalogue and returns all its rows.
    ///
    /// Values are bound by name; a parameter nobody gave takes the default of the header.
    pub fn query(&self, name: &str, values: &[(&str, Parameter)]) -> Result<Table> {
        let query = self.catalogue.query(name)?;
        self.run(query, values)
    }

    /// Runs one given statement, see [`Self::query`].
    pub fn run(&self, query: &Query, values: &[(&str, Parameter)]) -> Result<Table> {
        let failed = |error: duckdb::Error| Error::of_statement(query.full_name(), &error);
        let mut statement = self.connection.prepare(&query.text).map_err(failed)?;
        for index in 1..=statement.parameter_count() {
            let name = statement.parameter_name(index).map_err(failed)?;
            let given = values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
            let value = match given {
                Some(value) => value,
                None => query.default_value(&name)?,
            };
            statement.raw_bind_parameter(index, value).map_err(failed)?;
        }
        statement.raw_execute().map_err(failed)?;
        let schema = statement.schema();
        let batches = std::iter::from_fn(|| statement.step().transpose());
        let batches: Vec<RecordBatch> =
            batches.map(|batch| batch.map(RecordBatch::from)).collect::<Result<_, _>>().map_err(failed)?;
        table::collect(&schema, batches.into_iter(), table::Room::ENDLESS)
            .map_err(|error| Error::Statement { query: query.full_name(), reason: error.to_string() })
    }

    /// Runs a script that leaves something for later statements of this connection, for instance a temporary table.
    ///
    /// A connection on which it ran before is left as it is; one on which it failed is tried again.
    pub fn prepare(&self, name: &str) -> Result<()> {
        if !self.prepared.borrow().contains(name) {
            self.run_script(name)?;
            self.prepared.borrow_mut().insert(name.to_owned());
        }
        Ok(())
    }

    /// Runs a file of several statements that take no values and return nothing.
    pub(super) fn run_script(&self, name: &str) -> Result<()> {
        let query = self.catalogue.query(name)?;
        self.connection.execute_batch(&query.text).map_err(|error| Error::of_statement(query.full_name(), &error))
    }

    /// Appends Arrow batches to a table of schema `store`, by position of the columns.
    pub(super) fn append(&self, table: &str, batch: RecordBatch) -> Result<()> {
        self.append_to("store", table, batch)
    }

    /// Appends Arrow batches to a table of any schema, by position of the columns.
    pub(super) fn append_to(&self, schema: &str, table: &str, batch: RecordBatch) -> Result<()> {
        let failed = |error: duckdb::Error| Error::of_statement(format!("append to {table}"), &error);
        let mut appender = self.connection.appender_to_db(table, schema).map_err(failed)?;
        appender.append_record_batch(batch).map_err(failed)?;
        appender.flush().map_err(failed)
    }

    /// The connection itself, for questions that no statement of the catalogue asks.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    fn refuse_foreign(&self) -> Result<bool> {
        let state = self.query("ingest/database_state", &[])?;
        let Some(row) = state.rows.first() else { return Ok(false) };
        let exists = row.integer("store_tables_n")? > 0;
        match &self.path {
            Some(path) if !exists && row.integer("other_tables_n")? > 0 => {
                Err(Error::Foreign { path: path.clone(), reason: "it holds other tables".to_owned() })
            }
            _ => Ok(exists),
        }
    }

    /// Applies the numbered schema files that are new to this database, then the macros and views when they changed.
    fn migrate(&self) -> Result<()> {
        let applied: BTreeSet<i64> = match self.refuse_foreign()? {
            true => {
                let known = self.query("ingest/applied_migrations", &[])?;
                known.rows.iter().map(|row| row.integer("number")).collect::<Result<_>>()?
            }
            false => BTreeSet::new(),
        };
        let files = self.catalogue.folder("schema");
        let newest = files.iter().filter_map(|query| migration_number(query)).max().unwrap_or(0);
        if let (Some(path), Some(found)) = (&self.path, applied.last().filter(|number| **number > newest)) {
            let reason = format!("a newer version made it (schema {found}, this program knows {newest})");
            return Err(Error::Foreign { path: path.clone(), reason });
        }
        let definition = self.definition();
        let is_current = !applied.is_empty()
            && applied.last() == Some(&newest)
            && self
                .query("ingest/known_definition", &[])?
                .rows
                .iter()
                .any(|row| row.text("sha256").is_ok_and(|known| known == definition));
        if is_current {
            return Ok(());
        }
        self.transaction(|| {
            self.run_script("engine/duckdb")?;
            self.run_script("engine/statistics")?;
            for (query, number) in files.iter().filter_map(|query| Some((query, migration_number(query)?))) {
                if !applied.contains(&number) {
                    self.run_script(&query.name)?;
                    self.query("ingest/record_migration", &[("number", number.into())])?;
                }
            }
            self.install_views()?;
            self.query("ingest/forget_definition", &[])?;
            self.query("ingest/record_definition", &[("sha256", definition.as_str().into())])?;
            Ok(())
        })
    }

    /// Runs `work` inside one transaction: all of it is kept, or nothing.
    pub(super) fn transaction<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.run_script("ingest/begin")?;
        match work() {
            Ok(value) => self.run_script("ingest/commit").map(|()| value),
            Err(error) => {
                // The first error is the one to tell; a failed rollback leaves a connection that is dropped anyway.
                let _ = self.run_script("ingest/rollback");
                Err(error)
            }
        }
    }

    /// Creates the views in such an order that each finds the views it reads.
    fn install_views(&self) -> Result<()> {
        let mut waiting = Vec::new();
        for query in self.catalogue.folder("staging") {
            waiting.push((query, query.header()?.reads));
        }
        let view_name = |query: &Query| query.name.replace("staging/", "");
        while !waiting.is_empty() {
            let names: Vec<String> = waiting.iter().map(|(query, _)| view_name(query)).collect();
            let is_ready = |reads: &[String]| !reads.iter().any(|read| names.contains(&read.replace("staging.", "")));
            let (ready, blocked): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, reads)| is_ready(reads));
            if ready.is_empty() {
                return Err(Error::Statement { query: names.join(", "), reason: "views read each other".to_owned() });
            }
            for (query, _) in ready {
                self.run_script(&query.full_name())?;
            }
            waiting = blocked;
        }
        Ok(())
    }

    /// The hash that says whether the installed macros and views are those of the catalogue.
    fn definition(&self) -> String {
        let mut hash = Sha256::new();
        for query in self.catalogue.folder("engine").into_iter().chain(self.catalogue.folder("staging")) {
            hash.update(query.full_name());
            hash.update(&query.sha256);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn migration_number(query: &Query) -> Option<i64> {
    query.name.strip_prefix("schema/")?.split('_').next()?.parse().ok()
}

fn connect(path: &Path, mode: AccessMode) -> Result<Connection> {
    let config = Config::default().access_mode(mode).and_then(|config| config.enable_autoload_extension(false));
    config.and_then(|config| Connection::open_with_flags(path, config)).map_err(|error| {
        let reason = words(&error);
        let path = path.to_owned();
        if reason.contains("Could not set lock") || reason.contains("Conflicting lock") {
            Error::Busy { path }
        } else if reason.contains("not a valid DuckDB") || reason.contains("Corrupt") {
            Error::Foreign { path, reason: "it is not a DuckDB database, or it is damaged".to_owned() }
        } else {
            Error::Open { path, reason }
        }
    })
}
