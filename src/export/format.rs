//! The formats by name, and by the ending of a file.

use super::{Error, Result};
use std::path::Path;

/// A form that rows can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns for a terminal.
    Table,
    /// A table of Markdown.
    Markdown,
    /// Comma-separated values with a header.
    Csv,
    /// One list of objects.
    Json,
    /// One object a line.
    Jsonl,
    /// A page with one table.
    Html,
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// The file form of Arrow IPC.
    Arrow,
}

const ALL: [(Format, &str, &[&str]); 8] = [
    (Format::Table, "table", &["txt"]),
    (Format::Markdown, "markdown", &["md"]),
    (Format::Csv, "csv", &["csv"]),
    (Format::Json, "json", &["json"]),
    (Format::Jsonl, "jsonl", &["jsonl", "ndjson"]),
    (Format::Html, "html", &["html", "htm"]),
    (Format::Parquet, "parquet", &["parquet"]),
    (Format::Arrow, "arrow", &["arrow", "feather", "ipc"]),
];

impl Format {
    /// Every name.
    pub fn names() -> Vec<&'static str> {
        ALL.iter().map(|(_, name, _)| *name).collect()
    }

    /// The format of this name.
    pub fn named(name: &str) -> Result<Self> {
        let found = ALL.iter().find(|(_, known, _)| *known == name);
        found.map(|(format, _, _)| *format).ok_or_else(|| Error::UnknownFormat { name: name.to_owned() })
    }

    /// The format that a file's ending stands for; nothing when it stands for none.
    pub fn of_file(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        ALL.iter().find(|(_, _, endings)| endings.contains(&ending.as_str())).map(|(format, _, _)| *format)
    }

    /// The usual ending of its files.
    pub fn ending(self) -> &'static str {
        ALL.iter().find(|(format, _, _)| *format == self).and_then(|(_, _, endings)| endings.first()).unwrap_or(&"")
    }

    /// Whether a terminal cannot show it.
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }

    /// Whether people read it row by row, so that a forgotten limit must not flood them.
    pub fn is_for_reading(self) -> bool {
        matches!(self, Format::Table | Format::Markdown)
    }
}
