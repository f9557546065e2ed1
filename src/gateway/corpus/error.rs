//! What can go wrong with the corpus index.

use std::path::{Path, PathBuf};

/// Everything the corpus index refuses or fails at.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The file holds tables of something else.
    #[error("`{}` is a DuckDB file with {tables} tables, but not a corpus index", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// How many tables it has.
        tables: i64,
    },
    /// The file cannot be read as a database.
    #[error("`{}` is not a readable corpus index: {reason}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What DuckDB said.
        reason: String,
    },
    /// Another process has the file open.
    #[error("the corpus index `{}` is in use by another process", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// The file was written by another version of the program.
    #[error("the corpus index `{}` has format `{found}`, this program reads `{wanted}`", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// As stored.
        found: String,
        /// As understood.
        wanted: String,
    },
    /// The vectors come from another model.
    #[error("the corpus index `{}` was made with `{found}`, the embed role is `{wanted}`", file.display())]
    OtherModel {
        /// The file.
        file: PathBuf,
        /// As stored.
        found: String,
        /// As configured.
        wanted: String,
    },
    /// Nothing answers for this collection yet.
    #[error("the collection `{collection}` has not been ingested yet")]
    NotIngested {
        /// The collection.
        collection: String,
    },
    /// The collection was ingested without a graph.
    #[error("the collection `{collection}` has no knowledge graph; it was ingested when no approach needed one")]
    NoGraph {
        /// The collection.
        collection: String,
    },
    /// A vector has the wrong width.
    #[error("the embed role gave a vector of {found} components, the corpus index holds {wanted}")]
    Dimension {
        /// What came.
        found: usize,
        /// What fits.
        wanted: usize,
    },
    /// The statement catalogue or an Arrow batch is not as expected: a fault of the program or of an override folder.
    #[error("cannot prepare a statement of the corpus index: {reason}")]
    Statement {
        /// What is wrong.
        reason: String,
    },
    /// The caller went away while the statement ran.
    #[error("the search was interrupted")]
    Interrupted,
    /// DuckDB failed.
    #[error("the corpus index `{}` failed at `{action}`: {source}", file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// The statement or step.
        action: String,
        /// What DuckDB said.
        source: duckdb::Error,
    },
}

impl CorpusError {
    /// Tells a locked file from a damaged one by DuckDB's words; there is no code for it.
    pub(super) fn opening(file: &Path, error: &duckdb::Error) -> Self {
        let reason = error.to_string();
        if reason.contains("Could not set lock") || reason.contains("already open") {
            return Self::Busy { file: file.to_owned() };
        }
        let reason = reason.lines().next().unwrap_or_default().to_owned();
        Self::Damaged { file: file.to_owned(), reason }
    }

    /// A database failure while the file is looked at for the first time means that it is damaged.
    pub(super) fn while_opening(self, file: &Path) -> Self {
        match self {
            Self::Database { source, .. } => Self::opening(file, &source),
            other => other,
        }
    }
}

impl From<arrow::error::ArrowError> for CorpusError {
    fn from(error: arrow::error::ArrowError) -> Self {
        Self::Statement { reason: error.to_string() }
    }
}
