//! Finding every row of a file, fast.
//!
//! Reads a byte range in big blocks on several threads and tells the index where each row lies. Never holds more than
//! one block per thread (a block grows when one row is larger), never keeps a row. A fault is reported for the first
//! line that has one, whichever thread met it.

use super::error::{Error, Result};
use super::index::{Index, Key};
use super::line;
use super::place::Place;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

/// Small enough to stay in a core's cache while it is searched, decoded and parsed.
const BLOCK_BYTES: u64 = 1 << 20;
const MAX_THREADS: usize = 8;

/// What was found beside the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scanned {
    /// Physical lines in the range.
    pub lines: u64,
    /// Whether the range ends with a line end (true for an empty range).
    pub terminated: bool,
}

/// Adds every row of `range` to the index; `lines_before` is the number of physical lines before the range.
///
/// The range begins at the beginning of a line. Fails on the first torn, damaged or repeated row.
pub(crate) fn scan(
    file: &File,
    path: &Path,
    range: Range<u64>,
    lines_before: u64,
    index: &mut Index,
) -> Result<Scanned> {
    let mut merge = Merge { path, index, lines: lines_before, terminated: true };
    let size = range.end.saturating_sub(range.start);
    let source = Mutex::new(Source { file, next: range.start, end: range.end, number: 0 });
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    if size <= BLOCK_BYTES || threads == 1 {
        let mut buffer = Vec::new();
        while let Some(block) = next_block(&source, &mut buffer).map_err(|(_, error)| Error::io("read", path)(error))? {
            merge.add(examine(&block, &buffer))?;
        }
    } else {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(|| work(&source, &stop, sender));
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut wanted = 0;
            for (number, found) in receiver {
                waiting.insert(number, found);
                while let Some(found) = waiting.remove(&wanted) {
                    wanted += 1;
                    let added = found.map_err(Error::io("read", path)).and_then(|found| merge.add(found));
                    if added.is_err() {
                        stop.store(true, Ordering::Relaxed);
                        return added;
                    }
                }
            }
            Ok(())
        })?;
    }
    Ok(Scanned { lines: merge.lines - lines_before, terminated: merge.terminated })
}

/// Where the next block begins.
struct Source<'a> {
    file: &'a File,
    next: u64,
    end: u64,
    number: u64,
}

/// A stretch of whole lines; only the last one of a range may lack its line end.
struct Block {
    number: u64,
    offset: u64,
}

/// The rows of one block, lines counted from its beginning (0 is its first).
struct Found {
    rows: Vec<(Key, Place)>,
    lines: u64,
    terminated: bool,
    fault: Option<BlockFault>,
}

struct BlockFault {
    line: u64,
    offset: u64,
    torn: bool,
    reason: String,
}

fn work(source: &Mutex<Source>, stop: &AtomicBool, sender: Sender<(u64, io::Result<Found>)>) {
    let mut buffer = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let (number, found) = match next_block(source, &mut buffer) {
            Ok(Some(block)) => (block.number, Ok(examine(&block, &buffer))),
            Ok(None) => return,
            Err((number, error)) => (number, Err(error)),
        };
        let failed = found.is_err();
        if sender.send((number, found)).is_err() || failed {
            return;
        }
    }
}

/// Reads the next stretch of whole lines into `buffer`.
fn next_block(source: &Mutex<Source>, buffer: &mut Vec<u8>) -> Result<Option<Block>, (u64, io::Error)> {
    let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
    let (offset, number) = (source.next, source.number);
    let left = source.end.saturating_sub(offset);
    if left == 0 {
        return Ok(None);
    }
    let mut size = left.min(BLOCK_BYTES) as usize;
    buffer.clear();
    loop {
        let held = buffer.len();
        buffer.resize(size, 0);
        if let Err(error) = source.file.read_exact_at(&mut buffer[held..], offset + held as u64) {
            source.next = source.end;
            source.number += 1;
            return Err((number, error));
        }
        if size as u64 == left {
            break;
        }
        if let Some(position) = buffer[held..].iter().rposition(|byte| *byte == b'\n') {
            buffer.truncate(held + position + 1);
            break;
        }
        // One row is larger than the block: read on until its end.
        size = (left as usize).min(size * 2);
    }
    source.next = offset + buffer.len() as u64;
    source.number += 1;
    Ok(Some(Block { number, offset }))
}

fn examine(block: &Block, bytes: &[u8]) -> Found {
    let mut found = Found { rows: Vec::new(), lines: 0, terminated: true, fault: None };
    let mut rest = bytes;
    while !rest.is_empty() {
        let offset = block.offset + (bytes.len() - rest.len()) as u64;
        let (line, after) = split_line(rest);
        rest = after;
        found.terminated = line.ends_with(b"\n");
        let content = match line.strip_suffix(b"\n") {
            Some(content) => line::without_carriage_return(content),
            None => line,
        };
        if !line::is_blank(content) {
            match line::row_id(content) {
                Ok(row_id) => {
                    let place = Place { offset, length: content.len() as u64, line: found.lines };
                    found.rows.push((Key::new(&row_id), place));
                }
                Err(fault) => {
                    let torn = !found.terminated && fault.can_be_a_cut();
                    found.fault = Some(BlockFault { line: found.lines, offset, torn, reason: fault.to_string() });
                    return found;
                }
            }
        }
        found.lines += 1;
    }
    found
}

/// Cuts after the first LF.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut rest = bytes;
    // Reading from memory cannot fail; `skip_until` brings the platform's fast byte search.
    let length = rest.skip_until(b'\n').unwrap_or(bytes.len());
    bytes.split_at(length)
}

/// Takes the blocks in file order.
struct Merge<'a> {
    path: &'a Path,
    index: &'a mut Index,
    lines: u64,
    terminated: bool,
}

impl Merge<'_> {
    fn add(&mut self, found: Found) -> Result<()> {
        for (key, place) in found.rows {
            let place = Place { line: self.lines + place.line + 1, ..place };
            if let Err(first) = self.index.insert(key.clone(), place) {
                return Err(Error::Duplicate {
                    path: self.path.to_owned(),
                    row_id: key.text(),
                    first_line: first.line,
                    line: place.line,
                });
            }
        }
        if let Some(fault) = found.fault {
            let (path, line, offset) = (self.path.to_owned(), self.lines + fault.line + 1, fault.offset);
            return Err(if fault.torn {
                Error::Torn { path, line, offset, whole_rows: self.index.len() as u64 }
            } else {
                Error::Damaged { path, line, offset, reason: fault.reason }
            });
        }
        self.lines += found.lines;
        self.terminated = found.terminated;
        Ok(())
    }
}
