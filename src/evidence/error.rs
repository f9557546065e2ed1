//! What can go wrong with an evidence file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Says which file, which line and what.
///
/// Cloneable because one failed write answers every row that waited for it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The last line has no line end and is not a whole row: a write was cut off.
    #[error(
        "{path}: line {line} is torn at byte {offset} (no end of line)\n  {whole_rows} {}",
        if *whole_rows == 1 { "row before it is whole" } else { "rows before it are whole" }
    )]
    Torn {
        /// The evidence file.
        path: PathBuf,
        /// One-based physical line.
        line: u64,
        /// Where the torn line begins.
        offset: u64,
        /// Rows before it.
        whole_rows: u64,
    },
    /// A line that ends properly is not a row.
    #[error("{path}: line {line} at byte {offset} is damaged: {reason}")]
    Damaged {
        /// The evidence file.
        path: PathBuf,
        /// One-based physical line.
        line: u64,
        /// Where the line begins.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Two lines hold the same row.
    #[error("{path}: lines {first_line} and {line} both hold row `{row_id}`")]
    Duplicate {
        /// The evidence file.
        path: PathBuf,
        /// The id that appears twice.
        row_id: String,
        /// The line that came first.
        first_line: u64,
        /// The line that repeats it.
        line: u64,
    },
    /// Somebody asked to append a row that is stored already. The store stays usable.
    #[error("{path}: row `{row_id}` is already stored at line {line}")]
    AlreadyStored {
        /// The evidence file.
        path: PathBuf,
        /// The id.
        row_id: String,
        /// Where it is.
        line: u64,
    },
    /// A row cannot be stored as it is. The store stays usable.
    #[error("row `{row_id}` cannot be stored: {reason}")]
    Unacceptable {
        /// The id; may be empty, which is then the reason.
        row_id: String,
        /// Why not.
        reason: String,
    },
    /// The operating system refused.
    #[error("cannot {action} `{path}`: {source}")]
    Io {
        /// What was tried, as an order: `append to`.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        source: Arc<io::Error>,
    },
    /// The evidence file was there and is gone.
    #[error("{path}: the evidence file was removed or moved away while it was in use")]
    Removed {
        /// The evidence file.
        path: PathBuf,
    },
    /// An earlier append failed, so nothing is appended any more.
    #[error("{path}: nothing is appended any more after an earlier failure: {reason}")]
    Stopped {
        /// The evidence file.
        path: PathBuf,
        /// The earlier failure.
        reason: String,
    },
    /// The store was opened for reading.
    #[error("{path}: the store was opened for reading only")]
    ReadOnly {
        /// The evidence file.
        path: PathBuf,
    },
}

impl Error {
    /// Names the action and the file of an operating-system error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source: Arc::new(source) }
    }
}
