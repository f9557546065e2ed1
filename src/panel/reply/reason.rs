//! The words for why a verdict or a score is missing.
//!
//! They are stored in the sidecar, the artifact and the warehouse; a word never changes its meaning.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why there is no score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Reason {
    /// Two different verdicts, or two different scores for one label.
    Ambiguous,
    /// The verdict does not mention this label.
    MissingLabel,
    /// The value is not a number.
    Type,
    /// The number is outside 1..=5.
    OutOfRange,
    /// No JSON verdict in the reply.
    Parse,
    /// JSON, but not a verdict about the labels shown.
    Schema,
    /// The reply ended early.
    Truncated,
    /// The model or its provider refused.
    Refused,
    /// The model called a tool instead of answering.
    ToolCall,
    /// No content at all.
    Empty,
    /// The question has no answers, so nobody was asked.
    NoAnswers,
    /// The gateway failed or could not be reached.
    GatewayError,
    /// The gateway asked to slow down.
    RateLimited,
    /// The deadline passed.
    Timeout,
}

impl Reason {
    /// Every reason, for readers of stored words.
    pub const ALL: [Reason; 14] = [
        Reason::Ambiguous,
        Reason::MissingLabel,
        Reason::Type,
        Reason::OutOfRange,
        Reason::Parse,
        Reason::Schema,
        Reason::Truncated,
        Reason::Refused,
        Reason::ToolCall,
        Reason::Empty,
        Reason::NoAnswers,
        Reason::GatewayError,
        Reason::RateLimited,
        Reason::Timeout,
    ];

    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Ambiguous => "judge_ambiguous",
            Reason::MissingLabel => "judge_missing_label",
            Reason::Type => "judge_type",
            Reason::OutOfRange => "out_of_range",
            Reason::Parse => "judge_parse",
            Reason::Schema => "judge_schema",
            Reason::Truncated => "judge_truncated",
            Reason::Refused => "judge_refused",
            Reason::ToolCall => "judge_tool_call",
            Reason::Empty => "judge_empty",
            Reason::NoAnswers => "no_answers",
            Reason::GatewayError => "gateway_error",
            Reason::RateLimited => "rate_limited",
            Reason::Timeout => "timeout",
        }
    }

    /// Reads a stored word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Whether the judge was never heard, so that the next run of the panel asks again.
    pub fn is_call_failure(self) -> bool {
        matches!(self, Reason::GatewayError | Reason::RateLimited | Reason::Timeout)
    }
}

impl From<Reason> for &'static str {
    fn from(reason: Reason) -> Self {
        reason.as_str()
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::from_word(&word).ok_or_else(|| format!("`{word}` is no known reason"))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
