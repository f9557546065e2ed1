//! Whole lines of a growing file, in stretches of bounded size.
//!
//! Reads a file from a byte offset up to where its last whole line ends; writes nothing. Lines end with LF only, so
//! the other separators of Unicode stay inside the answers they belong to.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// What to do with bytes behind the last LF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Leave them: a writer may be in the middle of a line.
    Wait,
    /// Take them as the last line: nobody writes to the file any more.
    Take,
}

/// Some whole lines of a file.
#[derive(Debug)]
pub struct Stretch {
    /// The bytes, the final LF included when there is one.
    pub bytes: Vec<u8>,
    /// Physical lines of the file before this stretch.
    pub lines_before: u64,
}

/// Reads a file stretch by stretch.
pub struct Stretches {
    file: File,
    offset: u64,
    lines: u64,
    tail: Tail,
    carry: Vec<u8>,
    size: usize,
    is_done: bool,
}

impl Stretches {
    /// Starts at a byte offset that is the beginning of a line; `lines` were before it.
    pub fn open(path: &Path, offset: u64, lines: u64, tail: Tail, size: usize) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Self { file, offset, lines, tail, carry: Vec::new(), size, is_done: false })
    }

    /// The next stretch, at least one line long; nothing at the end.
    pub fn next(&mut self) -> io::Result<Option<Stretch>> {
        let mut bytes = std::mem::take(&mut self.carry);
        let mut searched = 0;
        while !self.is_done {
            let before = bytes.len();
            let read = (&mut self.file).take(self.size as u64).read_to_end(&mut bytes)?;
            self.is_done = read == 0;
            searched = searched.min(before);
            let last = bytes[searched..].iter().rposition(|byte| *byte == b'\n').map(|index| searched + index);
            if let Some(last) = last {
                self.carry = bytes.split_off(last + 1);
                return Ok(Some(self.stretch(bytes)));
            }
            searched = bytes.len();
        }
        if bytes.is_empty() || self.tail == Tail::Wait {
            return Ok(None);
        }
        Ok(Some(self.stretch(bytes)))
    }

    fn stretch(&mut self, bytes: Vec<u8>) -> Stretch {
        let stretch = Stretch { lines_before: self.lines, bytes };
        self.offset += stretch.bytes.len() as u64;
        self.lines += stretch.bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        stretch
    }

    /// Where the last stretch ended: bytes and physical lines of the file.
    pub fn position(&self) -> (u64, u64) {
        (self.offset, self.lines)
    }
}

/// The lines of a stretch with their one-based numbers, blank ones left out, a CR before the LF dropped.
pub fn numbered(stretch: &Stretch) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = stretch.bytes.split(|byte| *byte == b'\n').enumerate();
    lines.filter_map(|(index, line)| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_blank = std::str::from_utf8(line).is_ok_and(|text| text.trim().is_empty());
        (!is_blank).then_some((stretch.lines_before + index as u64 + 1, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str, tail: Tail, size: usize) -> (Vec<(u64, String)>, (u64, u64)) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut stretches = Stretches::open(file.path(), 0, 0, tail, size).unwrap();
        let mut found = Vec::new();
        while let Some(stretch) = stretches.next().unwrap() {
            found.extend(numbered(&stretch).map(|(line, text)| (line, String::from_utf8_lossy(text).into_owned())));
        }
        (found, stretches.position())
    }

    #[test]
    fn lines_are_the_same_whatever_the_stretch_size() {
        let text = "one\r\n\n  \ntwo\u{2028}\u{85}x\r\nthree, which is much longer than a stretch\nfour";
        let expected = [(1, "one"), (4, "two\u{2028}\u{85}x"), (5, "three, which is much longer than a stretch")];
        let expected: Vec<(u64, String)> = expected.map(|(line, text)| (line, text.to_owned())).to_vec();
        for size in [1, 3, 7, 64, 4096] {
            let (found, position) = read(text, Tail::Wait, size);
            assert_eq!(found, expected, "size {size}");
            assert_eq!(position, (text.len() as u64 - 4, 5));
            let (found, position) = read(text, Tail::Take, size);
            assert_eq!(found.last(), Some(&(6, "four".to_owned())));
            assert_eq!(position.0, text.len() as u64);
        }
    }
}
