//! The canonical row (`contract/evaluation.md` section 2.1) as the runner makes it, and its identity.

mod canonical;

use crate::json;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Version of the row's shape.
pub const SCHEMA_VERSION: u32 = 1;
/// Version of the rules that made the row.
pub const RUNNER_VERSION: u32 = 1;

/// One cell's durable record. Field names and nesting are those of the JSON line.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always [`RUNNER_VERSION`].
    pub runner_version: u32,
    /// Names the run.
    pub run_id: String,
    /// 64 hex digits, see [`row_id`].
    pub row_id: String,
    /// Where question and documents come from.
    pub dataset: RowDataset,
    /// What was asked.
    pub question: RowQuestion,
    /// Who was asked.
    pub approach: RowApproach,
    /// What else the answer depends on; resume compares it.
    pub reproducibility: Reproducibility,
    /// `ok`, `error` or `timeout`.
    pub status: Status,
    /// What came back.
    pub evidence: Evidence,
    /// Operational, Ragas and judge state.
    pub metrics: Metrics,
    /// Null on `ok`.
    pub error: Option<RowError>,
}

/// How a cell ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// An answer arrived and could be normalised.
    Ok,
    /// The last attempt failed, or the answer could not be normalised.
    Error,
    /// The last attempt ran out of time.
    Timeout,
}

/// `dataset` of a row.
#[derive(Debug, Clone, Serialize)]
pub struct RowDataset {
    pub id: String,
    pub label: String,
    pub complexity_level: u32,
    pub questions_file: String,
    pub corpus_path: String,
}

/// `question` of a row.
#[derive(Debug, Clone, Serialize)]
pub struct RowQuestion {
    pub id: String,
    pub query: String,
    pub ground_truth: Option<String>,
    pub rationale: Option<String>,
    pub expect_winner: Option<String>,
}

/// `approach` of a row.
#[derive(Debug, Clone, Serialize)]
pub struct RowApproach {
    pub model: String,
    pub base_model: String,
    pub flavor: String,
    pub evidence_capability: String,
    pub requires_reingest: bool,
    /// `embedded` or `openai-compatible`; `atlas-litellm` in rows of the earlier system.
    pub provider: String,
}

/// `reproducibility` of a row: copies of the run's inputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Reproducibility {
    pub seed: String,
    pub config_hashes: Map<String, Value>,
    pub ingestion: Map<String, Value>,
    pub runtime: Map<String, Value>,
}

/// `evidence` of a row: the normalised completion; [`Evidence::empty`] on failure.
#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    pub answer: String,
    pub raw_content: String,
    pub contexts: Vec<String>,
    /// `{title, snippet, score}` each.
    pub sources: Vec<Value>,
    pub token_usage: Map<String, Value>,
    pub server_metrics: Option<Map<String, Value>>,
    pub response_id: Value,
    pub response_model: Value,
    /// `structured` or `rendered`; null on failed rows.
    pub transport: Option<String>,
    /// Absent unless non-empty.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub approach_metadata: Map<String, Value>,
}

impl Status {
    /// The word in the row.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Timeout => "timeout",
        }
    }
}

impl Evidence {
    /// The evidence of a cell that failed.
    pub fn empty() -> Self {
        Self {
            answer: String::new(),
            raw_content: String::new(),
            contexts: Vec::new(),
            sources: Vec::new(),
            token_usage: Map::new(),
            server_metrics: None,
            response_id: Value::Null,
            response_model: Value::Null,
            transport: None,
            approach_metadata: Map::new(),
        }
    }
}

/// `metrics` of a row.
#[derive(Debug, Clone, Serialize)]
pub struct Metrics {
    pub operational: Operational,
    /// The result of the scoring client, section 4.4 of the contract.
    pub ragas: Map<String, Value>,
    /// `{status: pending|disabled}`; never updated later.
    pub judge_panel: Map<String, Value>,
}

/// `metrics.operational` of a row.
#[derive(Debug, Clone, Serialize)]
pub struct Operational {
    /// Wall time over all attempts, waits included, rounded to whole milliseconds.
    pub latency_ms: u64,
    /// At least 1.
    pub attempts: u32,
    /// Copy of the evidence; absent on failed rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_usage: Option<Map<String, Value>>,
    /// Copy of the evidence's server metrics; outer null = absent (failed row), inner null = the server sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<Option<Map<String, Value>>>,
}

/// `error` of a failed row.
#[derive(Debug, Clone, Serialize)]
pub struct RowError {
    /// The contract's vocabulary, for instance `ReadTimeout`; a trailing `Timeout` decides counters.
    #[serde(rename = "type")]
    pub kind: String,
    /// Free text without secrets.
    pub message: String,
}

/// Computes the identity of a cell: SHA-256 over compact, sorted, ASCII-escaped JSON of its five parts.
///
/// Source: `contract/evaluation.md` section 2.3. No flavor, seed or hash enters.
pub fn row_id(run_id: &str, dataset_id: &str, question_id: &str, model: &str) -> String {
    let parts = json!({
        "dataset_id": dataset_id,
        "model": model,
        "question_id": question_id,
        "run_id": run_id,
        "schema_version": SCHEMA_VERSION,
    });
    let text = json::ascii_compact_sorted(&parts).unwrap_or_default();
    hex(&Sha256::digest(text.as_bytes()))
}

/// Lower-case hex of bytes.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::row_id;

    #[test]
    fn row_ids_follow_the_contracts_rule() {
        for (parts, expected) in [
            (
                ["run-1", "ds-a", "q1", "vanilla-rag"],
                "945623f739c17dafd2ae870738c7de1ec9b0f5c69b78443537862cff0a6be842",
            ),
            (["", "", "", ""], "5deca7525a5cbd9ed50d0557e02fb37678f58be74cb57f837a93515422d0147d"),
            (
                ["r\u{fc}n", "d\u{e5}ta", "\u{645}\u{631}\u{62d}\u{628}\u{627}", "\u{1f50e}-rag"],
                "bdff37e1fe784f2b8b17c976563706b76cda176162eedde9f69ebaabfda30a5b",
            ),
            (
                ["a\"b\\c", "tab\tnl\n", "\u{7f}\u{2028}", "</x>&"],
                "870268ea234499d21e8c9c9a66718f974fedb622d292fa03af3b8ad7db747d0c",
            ),
            // The rule gives this digest; the contract prints its 30th digit as 7.
            (
                // The contract prints `7` as the 30th digit of this one; its own rule, computed apart, gives `8`.
                ["run-1", "ds-a", "q1", "vanilla-rag "],
                "4806bc476fe7364787d23cc4d8b87856baea8cdf11922e391cb5ff5b3ebd5e49",
            ),
        ] {
            assert_eq!(row_id(parts[0], parts[1], parts[2], parts[3]), expected);
        }
    }
}
