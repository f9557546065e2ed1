//! Raw lines of an evidence file, one after another, for everybody who reads and does not append.
//!
//! Reads one file in big blocks; holds one line at a time; checks nothing about its content.

use super::error::{Error, Result};
use super::line;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

const BLOCK_BYTES: usize = 1 << 20;

/// One line as it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawLine {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// One-based, counted from where reading began.
    pub line_number: u64,
    /// Its bytes without the line end.
    pub bytes: Vec<u8>,
    /// Bytes of its line end: 0 for an unterminated last line, 1 for LF, 2 for CR LF.
    pub line_end_bytes: u64,
}

impl RawLine {
    /// Says whether it holds nothing but white space.
    pub fn is_blank(&self) -> bool {
        line::is_blank(&self.bytes)
    }

    /// Where the next line begins.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64 + self.line_end_bytes
    }
}

/// Reads lines from a byte offset on, which must be the beginning of a line.
///
/// Blank lines are skipped but counted. An unterminated last line is returned as it is; the caller decides what it
/// means (another process may still be writing it). Fails when the file cannot be opened.
pub fn rows(path: &Path, from_offset: u64) -> Result<Lines> {
    let mut lines = all_lines(path, from_offset)?;
    lines.skip_blank = true;
    Ok(lines)
}

/// Reads lines from a byte offset on, blank ones included.
pub(crate) fn all_lines(path: &Path, from_offset: u64) -> Result<Lines> {
    let mut file = File::open(path).map_err(Error::io("open", path))?;
    file.seek(SeekFrom::Start(from_offset)).map_err(Error::io("read", path))?;
    Ok(Lines {
        path: path.to_owned(),
        input: BufReader::with_capacity(BLOCK_BYTES, file),
        offset: from_offset,
        line_number: 0,
        skip_blank: false,
    })
}

/// Iterator over the lines of one file; made by [`rows`].
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    input: BufReader<File>,
    offset: u64,
    line_number: u64,
    skip_blank: bool,
}

impl Lines {
    fn next_line(&mut self) -> std::io::Result<Option<RawLine>> {
        loop {
            let mut bytes = Vec::new();
            let read = self.input.read_until(b'\n', &mut bytes)?;
            if read == 0 {
                return Ok(None);
            }
            self.line_number += 1;
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
                bytes.truncate(line::without_carriage_return(&bytes).len());
            }
            let offset = self.offset;
            self.offset += read as u64;
            if self.skip_blank && line::is_blank(&bytes) {
                continue;
            }
            let line_end_bytes = (read - bytes.len()) as u64;
            return Ok(Some(RawLine { offset, line_number: self.line_number, bytes, line_end_bytes }));
        }
    }
}

impl Iterator for Lines {
    type Item = Result<RawLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line().map_err(Error::io("read", &self.path)).transpose()
    }
}
