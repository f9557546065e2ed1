//! A structured file as a tree of nodes that know their place, whatever format it was written in.
//!
//! Reads one file; writes nothing. Keeps every scalar's text exactly as typed and never guesses a type: what a text
//! means is decided by the field that asks for it.

use super::problem::{Place, Problem, Problems};
use super::{csv, jsonl, yaml};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;

/// The text of a file, for problems to quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file as people name it.
    pub file: String,
    lines: Vec<String>,
}

impl Source {
    /// Cuts a text into lines at CRLF, LF and, when the format says so, at a lone CR.
    pub fn new(file: &str, text: &str, lone_carriage_return_breaks: bool) -> Self {
        let lines = text.split('\n').flat_map(|line| {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let pieces: Vec<&str> = if lone_carriage_return_breaks { line.split('\r').collect() } else { vec![line] };
            pieces.into_iter().map(str::to_owned)
        });
        Self { file: file.to_owned(), lines: lines.collect() }
    }

    /// Makes a problem at a place of this file.
    pub fn problem(&self, place: Place, message: impl Into<String>) -> Problem {
        let source_line = place.line.checked_sub(1).and_then(|index| self.lines.get(index)).cloned();
        Problem { place: Some(place), source_line, ..Problem::file(self.file.clone(), message) }
    }

    /// Counts the characters of a line from a column on, without trailing blanks.
    pub fn width_from(&self, line: usize, column: usize) -> usize {
        let text = line.checked_sub(1).and_then(|index| self.lines.get(index)).map_or("", |line| line.trim_end());
        text.chars().count().saturating_sub(column.saturating_sub(1))
    }
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// YAML without quotes: its meaning depends on the field.
    Plain,
    /// Certainly text.
    Quoted,
    /// A JSON number, `true`, `false` or `null`: certainly not text.
    Literal,
}

/// One node of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text exactly as typed, escapes resolved.
    Scalar(String, Style),
    /// In file order.
    List(Vec<Node>),
    /// In file order, keys unique.
    Mapping(Vec<Entry>),
}

/// One key of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Text exactly as typed.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// Tells whether this stands for "no value": nothing, `null` or `~`, unquoted.
    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Scalar(text, Style::Plain) => matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
            Value::Scalar(text, Style::Literal) => text == "null",
            _ => false,
        }
    }

    /// Names the kind for a message.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar(text, Style::Plain) if text.is_empty() => "nothing",
            Value::Scalar(..) => "a single value",
            Value::List(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// For problems.
    pub source: Source,
    /// Null for a file without content.
    pub root: Option<Node>,
    /// SHA-256 of the file's bytes as 64 hex digits.
    pub sha256: String,
}

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One YAML document.
    Yaml,
    /// One JSON object a line; the tree is a list.
    JsonLines,
    /// Comma-separated values with a header line; the tree is a list of mappings.
    Csv,
}

impl Document {
    /// Reads a file that must exist. Null when it could not be read at all; then a problem says why.
    pub fn read(path: &Path, name: &str, format: Format, problems: &mut Problems) -> Option<Self> {
        match std::fs::read(path) {
            Ok(bytes) => Self::parse(&bytes, name, format, problems),
            Err(error) => {
                problems.add(Problem::file(name, format!("cannot read the file: {}", reason(&error))));
                None
            }
        }
    }

    /// Parses the bytes of a file. UTF-8 whatever the locale; a byte order mark at the start is ignored.
    pub fn parse(bytes: &[u8], name: &str, format: Format, problems: &mut Problems) -> Option<Self> {
        let sha256 = Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = match std::str::from_utf8(content) {
            Ok(text) => text,
            Err(error) => {
                problems.add(not_utf8(content, error.valid_up_to(), name));
                return None;
            }
        };
        let source = Source::new(name, text, format == Format::Yaml);
        let root = match format {
            Format::Yaml => yaml::parse(text, &source, problems)?,
            Format::JsonLines => jsonl::parse(text, &source, problems),
            Format::Csv => csv::parse(text, &source, problems)?,
        };
        Some(Self { source, root, sha256 })
    }
}

/// Words an input-output error without the operating system's number.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "it does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

fn not_utf8(content: &[u8], valid: usize, name: &str) -> Problem {
    let before = String::from_utf8_lossy(&content[..valid]).into_owned();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    let byte = content.get(valid).copied().unwrap_or(0);
    let text = String::from_utf8_lossy(content);
    Source::new(name, &text, false)
        .problem(Place { line, column, width: 1 }, format!("the byte 0x{byte:02x} is not UTF-8"))
        .suggest("save the file as UTF-8".to_owned())
}
