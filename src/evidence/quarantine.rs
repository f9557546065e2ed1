//! Moving damaged lines aside: what `doctor --quarantine` does.
//!
//! Reads one evidence file line by line and checks every value of every row. Bad lines go to `<name>.quarantine`, byte
//! for byte, behind a JSON line that says where they came from; only then does a copy without them take the file's
//! name. Good lines keep their bytes and their order. A file without bad lines is not touched.

mod prefix;

pub use prefix::CellHint;

use super::data_lock::DataLock;
use super::error::{Error, Result};
use super::index::{Index, Key};
use super::line;
use super::place::Place;
use super::reader::{self, RawLine};
use super::rewrite;
use crate::json;
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What was found and done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The evidence file.
    pub path: PathBuf,
    /// Rows that stay.
    pub rows_kept: u64,
    /// What was moved, in file order; empty when nothing was wrong.
    pub moved: Vec<Moved>,
    /// Where it was moved to.
    pub quarantine_path: PathBuf,
}

/// One stretch of bytes that was moved aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// One-based physical line it was in.
    pub line: u64,
    /// Where it began, in bytes from the start of the old file.
    pub offset: u64,
    /// Bytes moved, line end included.
    pub length: u64,
    /// What was wrong.
    pub reason: String,
    /// What its bytes still say about the cell they belonged to.
    pub cell: CellHint,
    /// Whether the cell runs again: not when another line of the file still holds its row.
    pub runs_again: bool,
}

/// Says what [`quarantine`] would move, and changes nothing.
pub fn inspect(path: &Path) -> Result<Report> {
    let lock = DataLock::beside(path);
    let _held = lock.shared()?;
    examine(path).map(|(report, _)| report)
}

/// Moves every bad line aside; of two rows with one id the first stays.
///
/// Blocks; other processes cannot append meanwhile, and notice the new file afterwards. A crash leaves the old file or
/// the new one; the quarantine file may then hold the same bytes twice.
pub fn quarantine(path: &Path) -> Result<Report> {
    // Opened before the lock, so that a missing file leaves no lock file behind.
    File::open(path).map_err(Error::io("open", path))?;
    let lock = DataLock::beside(path);
    let _held = lock.exclusive()?;
    let (report, pieces) = examine(path)?;
    if pieces.is_empty() {
        return Ok(report);
    }
    rewrite::append_durably(&report.quarantine_path, &pieces.concat())?;
    let left_out: Vec<_> = report.moved.iter().map(|moved| moved.offset..moved.offset + moved.length).collect();
    let file = File::open(path).map_err(Error::io("open", path))?;
    let size = file.metadata().map_err(Error::io("read", path))?.len();
    rewrite::replace_without(path, &file, size, &left_out)?;
    Ok(report)
}

/// Finds the bad lines; the second part is what goes into the quarantine file, a piece for each.
fn examine(path: &Path) -> Result<(Report, Vec<Vec<u8>>)> {
    let mut search = Search { path, index: Index::default(), moved: Vec::new(), pieces: Vec::new() };
    for raw in reader::all_lines(path, 0)? {
        search.line(raw?)?;
    }
    for moved in &mut search.moved {
        moved.runs_again = moved.cell.row_id.as_deref().is_none_or(|row_id| search.index.get(row_id).is_none());
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".quarantine");
    let report = Report {
        path: path.to_owned(),
        rows_kept: search.index.len() as u64,
        moved: search.moved,
        quarantine_path: path.with_file_name(name),
    };
    Ok((report, search.pieces))
}

struct Search<'a> {
    path: &'a Path,
    index: Index,
    moved: Vec<Moved>,
    pieces: Vec<Vec<u8>>,
}

impl Search<'_> {
    fn line(&mut self, mut raw: RawLine) -> Result<()> {
        if raw.offset == 0 && raw.bytes.starts_with(BYTE_ORDER_MARK) {
            // The mark alone goes; the row behind it may be whole.
            self.aside(&raw, BYTE_ORDER_MARK, 0, "a byte order mark (EF BB BF)".to_owned(), CellHint::default())?;
            raw.bytes.drain(..BYTE_ORDER_MARK.len());
            raw.offset += BYTE_ORDER_MARK.len() as u64;
        }
        if raw.is_blank() {
            return Ok(());
        }
        let reason = match line::check_strictly(&raw.bytes) {
            Ok(row_id) => {
                let place = Place { offset: raw.offset, length: raw.bytes.len() as u64, line: raw.line_number };
                match self.index.insert(Key::new(&row_id), place) {
                    Ok(()) => return Ok(()),
                    Err(first) => format!("it repeats the row of line {}", first.line),
                }
            }
            Err(_) if raw.line_end_bytes == 0 => "it is torn: no end of line".to_owned(),
            Err(fault) => fault.to_string(),
        };
        let cell = CellHint::read(&raw.bytes);
        let bytes = raw.bytes.clone();
        self.aside(&raw, &bytes, raw.line_end_bytes, reason, cell)
    }

    fn aside(&mut self, raw: &RawLine, bytes: &[u8], end: u64, reason: String, cell: CellHint) -> Result<()> {
        let length = bytes.len() as u64 + end;
        let header = json!({
            "file": self.path.file_name().unwrap_or_default().to_string_lossy(),
            "line": raw.line_number,
            "offset": raw.offset,
            "length_bytes": bytes.len(),
            "reason": reason,
        });
        let header = json::compact(&header)
            .map_err(|error| Error::Unacceptable { row_id: String::new(), reason: error.to_string() })?;
        self.pieces.push([header.as_bytes(), b"\n", bytes, b"\n"].concat());
        let (line, offset) = (raw.line_number, raw.offset);
        self.moved.push(Moved { line, offset, length, reason, cell, runs_again: true });
        Ok(())
    }
}
