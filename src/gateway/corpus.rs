//! The corpus index: one DuckDB file with chunks, vectors and posting tables, and the ingestion jobs that fill it.
//!
//! Reads and writes its own file only, through the statements of `sql/retrieval`. A file that is damaged, foreign, or made
//! by another model is refused by name and left as it is. Many readers work at once, each on its own connection.

mod contextual;
mod error;
mod graph;
mod jobs;
mod search;
mod write;

pub use contextual::{WaitingChunk, contextual_key};
pub use error::CorpusError;
pub use graph::{EntityRow, FoundEntity, FoundRelation, GraphText, GraphVectors, MentionRow, RelationRow, Subject};
pub use jobs::{JobRow, NewJob, PhaseEnd, PhaseRow};
pub use search::{Collection, Hit, HybridQuery};
pub use write::{ChunkRow, Contextual, DocumentRow, PostingRow, TermRow, VectorRow};

use crate::warehouse::catalogue::Catalogue;
use duckdb::vtab::arrow::{ArrowVTab, arrow_recordbatch_to_query_params};
use duckdb::{CachedStatement, Connection, named_params};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const FORMAT: &str = "ragsql corpus index";
/// Version 2 added the contextual collection and the knowledge graph; a file of version 1 is brought up to date.
const VERSION: i64 = 2;

/// An open corpus index; cheap to share.
pub struct Corpus {
    file: PathBuf,
    dimension: usize,
    catalogue: Arc<Catalogue>,
    root: Mutex<Connection>,
    idle: Mutex<Vec<Connection>>,
}

/// One connection at work, with the statements it may run.
pub struct Session<'corpus> {
    connection: Connection,
    corpus: &'corpus Corpus,
}

impl Corpus {
    /// Opens the index, or makes it, with its folder, when the file does not exist or holds no table.
    ///
    /// Fails when the file is no DuckDB file, belongs to something else, was made by another embedding model, or is in
    /// use by another process. Jobs that a vanished process left running become pending.
    pub fn open(file: &Path, embedding_model: &str, dimension: usize) -> Result<Self, CorpusError> {
        let catalogue =
            Catalogue::embedded(None).map_err(|error| CorpusError::Statement { reason: error.to_string() })?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| CorpusError::Damaged { file: file.to_owned(), reason: error.to_string() })?;
        }
        let connection = Connection::open(file).map_err(|error| CorpusError::opening(file, &error))?;
        let corpus = Self {
            file: file.to_owned(),
            dimension,
            catalogue: Arc::new(catalogue),
            root: Mutex::new(connection),
            idle: Mutex::new(Vec::new()),
        };
        let connection = lock(&corpus.root).try_clone().map_err(|error| CorpusError::opening(file, &error))?;
        let mut session = Session { connection, corpus: &corpus };
        session.prepare_file(embedding_model).map_err(|error| error.while_opening(file))?;
        drop(session);
        Ok(corpus)
    }

    /// Components of a stored vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Gives a connection of its own to the caller; it returns to the pool when dropped.
    pub fn session(&self) -> Result<Session<'_>, CorpusError> {
        if let Some(connection) = lock(&self.idle).pop() {
            return Ok(Session { connection, corpus: self });
        }
        let connection = lock(&self.root).try_clone().map_err(|error| self.failed("open a connection", error))?;
        let session = Session { connection, corpus: self };
        session.run_text("prepare_question")?;
        Ok(session)
    }

    fn failed(&self, action: &str, source: duckdb::Error) -> CorpusError {
        CorpusError::Database { file: self.file.clone(), action: action.to_owned(), source }
    }
}

/// Takes a lock; a panic elsewhere leaves these lists valid.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session<'_> {
    /// The handle that stops a running statement from another thread.
    pub fn interrupt_handle(&self) -> Arc<duckdb::InterruptHandle> {
        self.connection.interrupt_handle()
    }

    /// Gives the connection back for the next caller.
    pub fn give_back(self) {
        lock(&self.corpus.idle).push(self.connection);
    }

    /// Runs `work` in a transaction: kept when it succeeds, dropped when it fails or panics.
    pub fn transaction<T>(&mut self, work: impl FnOnce(&Self) -> Result<T, CorpusError>) -> Result<T, CorpusError> {
        let failed = |error| self.corpus.failed("write", error);
        let transaction = self.connection.unchecked_transaction().map_err(failed)?;
        let value = work(self)?;
        transaction.commit().map_err(failed)?;
        Ok(value)
    }

    /// The text of a statement of `sql/retrieval`.
    fn text(&self, name: &str) -> Result<&str, CorpusError> {
        match self.corpus.catalogue.query(&format!("retrieval/{name}")) {
            Ok(query) => Ok(&query.text),
            Err(error) => Err(CorpusError::Statement { reason: error.to_string() }),
        }
    }

    fn run_text(&self, name: &str) -> Result<(), CorpusError> {
        self.connection.execute_batch(self.text(name)?).map_err(|error| self.corpus.failed(name, error))
    }

    fn statement(&self, name: &str) -> Result<CachedStatement<'_>, CorpusError> {
        self.connection.prepare_cached(self.text(name)?).map_err(|error| self.corpus.failed(name, error))
    }

    fn execute<P: duckdb::Params>(&self, name: &str, parameters: P) -> Result<usize, CorpusError> {
        self.statement(name)?.execute(parameters).map_err(|error| self.corpus.failed(name, error))
    }

    fn rows<T, P: duckdb::Params>(
        &self,
        name: &str,
        parameters: P,
        read: impl FnMut(&duckdb::Row<'_>) -> duckdb::Result<T>,
    ) -> Result<Vec<T>, CorpusError> {
        let mut statement = self.statement(name)?;
        let rows = statement.query_map(parameters, read).and_then(Iterator::collect);
        rows.map_err(|error| self.corpus.failed(name, error))
    }

    fn prepare_file(&mut self, embedding_model: &str) -> Result<(), CorpusError> {
        self.run_text("settings")?;
        let counts = self.rows("tables", [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        let (tables, markers) = counts.first().copied().unwrap_or_default();
        if tables == 0 {
            self.create(embedding_model)?;
        } else if markers == 0 {
            return Err(CorpusError::Foreign { file: self.corpus.file.clone(), tables });
        }
        if self.check_marker(embedding_model)? < VERSION {
            self.transaction(|session| {
                session.add_second_version()?;
                session.execute("set_version", named_params! {"version": VERSION}).map(|_| ())
            })?;
        }
        self.execute("interrupt_ingestions", [])?;
        Ok(())
    }

    fn create(&mut self, embedding_model: &str) -> Result<(), CorpusError> {
        let failed = |error| self.corpus.failed("create", error);
        self.connection.register_table_function::<ArrowVTab>("arrow").map_err(failed)?;
        let dimension = self.corpus.dimension;
        self.transaction(|session| {
            session.run_text("schema")?;
            let [array, schema] = arrow_recordbatch_to_query_params(write::vector_batch(1, dimension, &[])?);
            session.execute("create_vectors", named_params! {"array": array, "schema": schema})?;
            session.add_second_version()?;
            session.execute(
                "mark",
                named_params! {
                    "format": FORMAT, "version": VERSION, "embedding_model": embedding_model,
                    "dimension": dimension as i64,
                },
            )?;
            Ok(())
        })
    }

    /// Adds what version 2 has and version 1 has not.
    fn add_second_version(&self) -> Result<(), CorpusError> {
        self.run_text("add_contextual")?;
        self.run_text("add_graph")
    }

    /// Refuses a file of another format, version or model; gives the version of a file that can be used.
    fn check_marker(&self, embedding_model: &str) -> Result<i64, CorpusError> {
        let found = self.rows("marker", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?, row.get::<_, i64>(3)?))
        })?;
        let file = self.corpus.file.clone();
        let Some((format, version, model, dimension)) = found.into_iter().next() else {
            return Err(CorpusError::Damaged { file, reason: "the marker row is missing".to_owned() });
        };
        if format != FORMAT || !(1..=VERSION).contains(&version) {
            return Err(CorpusError::Version {
                file,
                found: format!("{format} {version}"),
                wanted: format!("{FORMAT} {VERSION}"),
            });
        }
        if model != embedding_model || usize::try_from(dimension) != Ok(self.corpus.dimension) {
            return Err(CorpusError::OtherModel {
                file,
                found: format!("{model} ({dimension} components)"),
                wanted: format!("{embedding_model} ({} components)", self.corpus.dimension),
            });
        }
        Ok(version)
    }
}
