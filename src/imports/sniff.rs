//! Which tool wrote a file, by its ending and its first keys.

use super::ImportError;
use crate::json;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

/// What some editors put before the first character.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Who wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A compatibility matrix of this program or of the earlier system, of any date.
    Matrix,
    /// An Inspect log as one JSON file.
    InspectJson,
    /// An Inspect log as a zip archive, `.eval`.
    InspectArchive,
    /// The results file of promptfoo.
    Promptfoo,
    /// A Ragas result as CSV.
    RagasCsv,
    /// A Ragas result as JSON Lines.
    RagasLines,
}

impl Origin {
    /// The word behind `import:`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::InspectJson | Self::InspectArchive => "inspect",
            Self::Promptfoo => "promptfoo",
            Self::RagasCsv | Self::RagasLines => "ragas",
        }
    }
}

/// A file that another tool wrote, read once.
#[derive(Debug)]
pub struct Foreign {
    /// Who wrote it.
    pub origin: Origin,
    /// Its bytes as they are on disk.
    pub(super) bytes: Vec<u8>,
}

/// Recognises a foreign file; null for evidence of our own.
///
/// A `.json` that is not strict JSON, or that nobody here writes, is an error: evidence never ends so.
pub fn recognise(path: &Path) -> Result<Option<Foreign>, ImportError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let read = || std::fs::read(path).map_err(|source| ImportError::Read { path: path.to_owned(), source });
    let (origin, bytes) = match ending.as_str() {
        "eval" => (Origin::InspectArchive, read()?),
        "csv" => (Origin::RagasCsv, read()?),
        "json" => {
            let bytes = read()?;
            (origin_of_json(path, text_of(path, &bytes)?)?, bytes)
        }
        "jsonl" if is_ragas(path)? => (Origin::RagasLines, read()?),
        _ => {
            std::fs::metadata(path).map_err(|source| ImportError::Read { path: path.to_owned(), source })?;
            return Ok(None);
        }
    };
    Ok(Some(Foreign { origin, bytes }))
}

fn origin_of_json(path: &Path, text: &str) -> Result<Origin, ImportError> {
    let wrong = |reason: String| ImportError::Shape { path: path.to_owned(), reason };
    let whole = json::parse_strict(text)
        .map_err(|error| wrong(format!("it is not strict JSON, line {}: {}", error.line, error.message)))?;
    let has = |pointer: &str| whole.pointer(pointer).is_some();
    match () {
        () if has("/cells") && has("/models") => Ok(Origin::Matrix),
        () if has("/eval") && has("/samples") => Ok(Origin::InspectJson),
        () if has("/results/results") => Ok(Origin::Promptfoo),
        () => {
            Err(wrong("it is no compatibility matrix, no log of Inspect and no results file of promptfoo".to_owned()))
        }
    }
}

/// Whether the first line is a sample of Ragas; what is no JSON is left to the reader of evidence, which names the line.
fn is_ragas(path: &Path) -> Result<bool, ImportError> {
    let told = |source| ImportError::Read { path: path.to_owned(), source };
    let lines = BufReader::new(std::fs::File::open(path).map_err(told)?).split(b'\n');
    for line in lines {
        let line = line.map_err(told)?;
        let line = line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(&line);
        if line.trim_ascii().is_empty() {
            continue;
        }
        let Some(first) = std::str::from_utf8(line).ok().and_then(|line| json::parse_strict(line).ok()) else {
            return Ok(false);
        };
        let asks = ["user_input", "question"].iter().any(|key| first.get(*key).is_some_and(Value::is_string));
        return Ok(asks && first.get("row_id").is_none());
    }
    Ok(false)
}

/// The text of a file, without the mark that some editors put before it.
pub(super) fn text_of<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, ImportError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ImportError::Shape { path: path.to_owned(), reason: format!("it is not UTF-8: {error}") })?;
    Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
}
