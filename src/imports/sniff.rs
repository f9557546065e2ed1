//! Which tool wrote a file, by its ending and its first keys.

use crate::json;
use serde_json::Value;
use std::path::Path;

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

/// Recognises a foreign file; null for evidence of our own, and for what nobody here writes.
pub fn origin(path: &Path) -> Option<Origin> {
    let ending = path.extension()?.to_string_lossy().to_lowercase();
    match ending.as_str() {
        "eval" => Some(Origin::InspectArchive),
        "csv" => Some(Origin::RagasCsv),
        "json" => {
            let whole = json::parse_strict(&std::fs::read_to_string(path).ok()?).ok()?;
            let has = |pointer: &str| whole.pointer(pointer).is_some();
            match () {
                () if has("/cells") && has("/models") => Some(Origin::Matrix),
                () if has("/eval") && has("/samples") => Some(Origin::InspectJson),
                () if has("/results/results") => Some(Origin::Promptfoo),
                () => None,
            }
        }
        "jsonl" => {
            let text = std::fs::read_to_string(path).ok()?;
            let first = json::parse_strict(text.lines().find(|line| !line.trim().is_empty())?).ok()?;
            let is_ragas = ["user_input", "question"].iter().any(|key| first.get(*key).is_some_and(Value::is_string));
            (is_ragas && first.get("row_id").is_none()).then_some(Origin::RagasLines)
        }
        _ => None,
    }
}
