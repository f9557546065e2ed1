//! What can go wrong in the warehouse.

use super::told::{Told, words};
use std::path::PathBuf;

/// Everything the warehouse refuses or fails at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No statement has this name.
    #[error("no query is called `{name}`{}", nearest(.suggestion))]
    UnknownQuery {
        /// As asked for.
        name: String,
        /// The closest known name, when one is close.
        suggestion: Option<String>,
    },
    /// A statement's header does not follow `docs/sql-headers.md`.
    #[error("`{file}`, line {line}: {reason}")]
    Header {
        /// Path below `sql/`.
        file: String,
        /// One-based line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A statement needs a value that nobody gave.
    #[error("`{query}` needs a value for `${parameter}`")]
    Parameter {
        /// Name and version.
        query: String,
        /// Without the dollar sign.
        parameter: String,
    },
    /// A statement's result lacks what the program reads from it.
    #[error("column `{column}` of the result is {found}, expected {expected}")]
    Column {
        /// The column.
        column: String,
        /// What is there.
        found: String,
        /// What should be.
        expected: &'static str,
    },
    /// DuckDB refused or failed at a statement.
    #[error("`{query}` failed: {reason}")]
    Statement {
        /// Name and version of the statement.
        query: String,
        /// DuckDB's words.
        reason: String,
    },
    /// A statement needs more memory than its connection may use.
    #[error("{} needs more memory than the connection may use ({reason})", named(.query))]
    Memory {
        /// Name and version of the statement; null for one that a person typed.
        query: Option<String>,
        /// DuckDB's words.
        reason: String,
    },
    /// A statement that a person typed cannot be answered.
    #[error("{reason}")]
    AdHoc {
        /// What is wrong, with the place.
        reason: String,
        /// What to do about it, when that is known; it names no way of asking, because there are several.
        hint: Option<String>,
        /// What the way of asking may have to offer.
        remedy: Option<Remedy>,
    },
    /// Another process has the database open.
    #[error("`{}` is in use by another process", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The file is a database, but not a warehouse, or no database at all.
    #[error("`{}` is not a ragsql warehouse: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// How that was noticed.
        reason: String,
    },
    /// The database cannot be opened for another reason.
    #[error("cannot open `{}`: {reason}", path.display())]
    Open {
        /// The database.
        path: PathBuf,
        /// DuckDB's words.
        reason: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// `read`, `write`, ...
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A row of an evidence file is not acceptable.
    #[error("`{}`, line {line}: {reason}", path.display())]
    Row {
        /// The evidence file.
        path: PathBuf,
        /// One-based physical line.
        line: u64,
        /// Which field, and what is wrong with it.
        reason: String,
    },
    /// A row's identity is taken already.
    #[error("`{}`, line {line}: row `{row_id}` stands already {}line {other_line}", path.display(), in_file(.other))]
    Repeated {
        /// The evidence file.
        path: PathBuf,
        /// One-based physical line.
        line: u64,
        /// The identity.
        row_id: String,
        /// The file of the other row; null when it is the same file.
        other: Option<PathBuf>,
        /// One-based physical line of the other row.
        other_line: u64,
    },
    /// A judgments file that was to be imported cannot be used.
    #[error("`{}`: {reason}", path.display())]
    Judgments {
        /// The judgments file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A check under `sql/checks` found rows.
    #[error("check `{check}` found {rows_n} rows, the first: {first}")]
    Check {
        /// Name and version of the check.
        check: String,
        /// How many rows it returned.
        rows_n: usize,
        /// The first one, as text.
        first: String,
    },
}

/// What would help a statement that was not answered, if the way of asking has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// A value for the parameter of this name.
    Value(String),
    /// The right to do more than read.
    Rights,
    /// A way to write rows into files.
    Files,
}

impl Error {
    /// What DuckDB says about a statement of the catalogue.
    pub(super) fn of_statement(query: String, error: &duckdb::Error) -> Self {
        let told = Told::of(error);
        match told.is_out_of_memory() {
            true => Self::Memory { query: Some(query), reason: told.first_line().to_owned() },
            false => Self::Statement { query, reason: words(error) },
        }
    }

    /// A statement that a person typed and that nothing but another statement helps.
    pub(super) fn unanswerable(reason: String) -> Self {
        Self::AdHoc { reason, hint: None, remedy: None }
    }

    /// Whether DuckDB had not enough memory for a statement.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Memory { .. })
    }
}

fn in_file(other: &Option<PathBuf>) -> String {
    other.as_ref().map_or_else(|| "in ".to_owned(), |other| format!("in `{}`, ", other.display()))
}

fn named(query: &Option<String>) -> String {
    query.as_ref().map_or_else(|| "the statement".to_owned(), |name| format!("`{name}`"))
}

fn nearest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
