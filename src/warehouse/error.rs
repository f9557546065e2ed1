//! What can go wrong in the warehouse.

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
}

fn nearest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
