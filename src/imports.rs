//! Results of other tools, and of earlier versions of this one, as rows that say where they come from.
//!
//! Reads one foreign file; gives canonical lines whose `approach.provider` begins with `import:` and whose provenance
//! names the file. What the file does not say is null. They are kept apart from evidence that a run made. Never
//! repairs: a file that is not strict JSON or CSV, a bare `NaN` included, is refused with its line.

mod inspect;
mod matrix;
mod promptfoo;
mod ragas;
mod record;
mod sniff;

pub use record::Labels;
pub use sniff::{Foreign, Origin, recognise};

use crate::evidence::row::hex;
use record::Record;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// It is not what its origin writes.
    #[error("`{}`: {reason}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its place.
        reason: String,
    },
}

/// The results of a foreign file; gives one canonical line a cell, in the order of the file. `path` is for messages and
/// for the file's name in the rows.
pub fn lines(path: &Path, foreign: &Foreign, labels: &Labels) -> Result<Vec<String>, ImportError> {
    let Foreign { origin, bytes } = foreign;
    let wrong = |reason: String| ImportError::Shape { path: path.to_owned(), reason };
    let text = || sniff::text_of(path, bytes);
    let records: Result<Vec<Record>, String> = match *origin {
        Origin::Matrix => matrix::records(text()?),
        Origin::InspectJson => inspect::records_of_json(text()?),
        Origin::InspectArchive => inspect::records_of_archive(bytes),
        Origin::Promptfoo => promptfoo::records(text()?),
        Origin::RagasCsv => ragas::records_of_csv(text()?),
        Origin::RagasLines => ragas::records_of_lines(text()?),
    };
    let records = records.map_err(wrong)?;
    if records.is_empty() {
        return Err(wrong("it holds no result".to_owned()));
    }
    let sha256 = hex(&Sha256::digest(bytes));
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let source = record::Source { origin: origin.as_str(), file: &file, sha256: &sha256 };
    record::lines(&records, &source, labels).map_err(wrong)
}
