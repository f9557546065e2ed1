//! A document and the window of it that belongs to a chunk.
//!
//! All lengths are counted in Unicode code points. [`document_text`] reads files below the corpus root and nothing else.

use super::headings::Heading;
use super::positions::Positions;
use std::fs;
use std::path::Path;

/// The most characters of a document that a blurb is written from.
pub const WINDOW_CHARS: usize = 6000;

/// A document with an index of its characters and headings.
pub struct Document {
    text: String,
    positions: Positions,
    headings: Vec<Heading>,
}

impl Document {
    /// Takes the text of a document; headings count in Markdown alone.
    pub fn new(text: String, is_markdown: bool) -> Self {
        let headings = if is_markdown { super::headings::headings(&text) } else { Vec::new() };
        Self { positions: Positions::new(&text), headings, text }
    }

    /// The part of the document that shows a chunk in its surroundings, at most [`WINDOW_CHARS`] long.
    ///
    /// A document that is no longer is given whole, and of one that does not hold the chunk the beginning. Else the first
    /// occurrence is put in the middle; near the start the window begins with the document, near the end it is shorter.
    pub fn window(&self, chunk: &str) -> &str {
        if self.positions.characters_n() <= WINDOW_CHARS {
            return &self.text;
        }
        let start = self.text.find(chunk).map_or(0, |byte| {
            let before = WINDOW_CHARS.saturating_sub(chunk.chars().count()) / 2;
            self.positions.character_at(&self.text, byte).saturating_sub(before)
        });
        let end = (start + WINDOW_CHARS).min(self.positions.characters_n());
        &self.text[self.positions.byte_at(&self.text, start)..self.positions.byte_at(&self.text, end)]
    }

    /// The headings above the first occurrence of a chunk, outermost first.
    ///
    /// A heading that the chunk begins with is one of them. None for a chunk that the document does not hold.
    pub fn headings_above(&self, chunk: &str) -> Vec<String> {
        match self.text.find(chunk) {
            Some(byte) if !self.headings.is_empty() => super::headings::path(&self.headings, byte),
            _ => Vec::new(),
        }
    }
}

/// The text of a document: its file when that is a `.md` or `.txt` inside the corpus root, else its chunks.
///
/// Links are followed before the place is judged. Bytes that are no UTF-8 are replaced, a byte-order mark is dropped and
/// line ends become LF, as chunks have them. The chunks, joined by a blank line, also stand in for a file that cannot be
/// read.
pub fn document_text(corpus_root: &Path, source: &str, chunks: &[&str]) -> String {
    read_inside(corpus_root, source).unwrap_or_else(|reason| {
        tracing::warn!("`{source}` is put together from its chunks: {reason}");
        chunks.join("\n\n")
    })
}

fn read_inside(corpus_root: &Path, source: &str) -> Result<String, String> {
    let path = corpus_root.join(source);
    let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !matches!(suffix.as_str(), "md" | "txt") {
        return Err("it is no `.md` or `.txt` file".to_owned());
    }
    let root = corpus_root.canonicalize().map_err(|error| error.to_string())?;
    let resolved = path.canonicalize().map_err(|error| error.to_string())?;
    if !resolved.starts_with(&root) {
        return Err("it lies outside the corpus root".to_owned());
    }
    let bytes = fs::read(&resolved).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
