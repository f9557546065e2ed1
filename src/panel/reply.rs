//! From the text of a judge to scores by label, or to the reason why not.
//!
//! Reads replies, writes [`Reading`]s. The order of attempts is the contract's (`contract/evaluation.md` section 0.6):
//!
//! 1. the whole reply as JSON, the whole reply inside one Markdown fence;
//! 2. if the reply was not cut short, a scan for verdict objects that understands strings and think blocks.
//!
//! A verdict is an object whose `scores` is an object naming at least one label shown. Identical verdicts count once,
//! two different ones are ambiguous. Never searches prose, never repairs JSON, never fills in a default score.

mod envelope;
mod labels;
mod node;
mod reason;
mod scan;
mod score;

pub use envelope::{Envelope, NoContent, open};
pub use reason::Reason;
pub use score::{SCALE_MAX, SCALE_MIN, Score};

use labels::Labels;
use node::Node;
use scan::Scan;
use serde_json::Value;

/// How the verdict was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parse {
    /// The reply is JSON as a whole.
    Strict,
    /// The reply is one fenced block.
    Fenced,
    /// The only verdict within other text.
    Scan,
}

impl Parse {
    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Parse::Strict => "strict",
            Parse::Fenced => "fenced",
            Parse::Scan => "scan",
        }
    }
}

/// What a reply says about one label.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelScore {
    /// The label as shown.
    pub label: String,
    /// The score or why there is none.
    pub score: Score,
}

/// A reply as far as it could be understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// How the verdict was found; null when there is none.
    pub parse: Option<Parse>,
    /// Labels in the order of the reply, then the missing ones in the order shown. Empty without a verdict.
    pub scores: Vec<LabelScore>,
    /// The label called best; null when absent, not text, or not a label shown.
    pub best: Option<String>,
    /// The judge's sentence, whatever its type; an empty text when absent.
    pub remark: Value,
    /// Names the reply scored although nobody was shown under them.
    pub surplus: Vec<String>,
    /// Why nobody is scored; null when somebody is.
    pub failure: Option<Reason>,
    /// One line for people about the failure; empty without one.
    pub detail: String,
}

impl Reading {
    /// A reply without a verdict.
    pub fn failed(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            parse: None,
            scores: Vec::new(),
            best: None,
            remark: Value::String(String::new()),
            surplus: Vec::new(),
            failure: Some(reason),
            detail: detail.into(),
        }
    }

    /// Whether every label has a score. Names nobody was shown under change nothing about that.
    pub fn is_complete(&self) -> bool {
        self.failure.is_none() && self.scores.iter().all(|entry| entry.score.number().is_some())
    }
}

/// Reads the text of a judge who was shown answers under `labels`.
///
/// Labels match without regard to blanks around them and to case (`" b "` is `B`); a spelled form such as `Answer B`
/// is not a label. A label given twice with different values is ambiguous. `finish_reason` `length` means the text was
/// cut: then only a reply that is complete JSON counts.
pub fn read_verdict(text: &str, finish_reason: Option<&str>, labels: &[String]) -> Reading {
    let labels = Labels::new(labels);
    let is_verdict = |node: &Node| labels.are_scored_in(node);
    let text = text.trim();
    let whole = [(Parse::Strict, Some(text)), (Parse::Fenced, inside_fence(text))];
    for (parse, candidate) in whole {
        let Some(node) = candidate.and_then(whole_json) else { continue };
        let mut found = Scan::default();
        found.collect(node, &is_verdict);
        return conclude(found, parse, Reason::Schema, &labels);
    }
    if finish_reason == Some("length") {
        return Reading::failed(Reason::Truncated, "the token limit was reached before the verdict was complete");
    }
    conclude(scan::scan(text, &is_verdict), Parse::Scan, Reason::Parse, &labels)
}

/// Shortens foreign text to one line of at most 200 characters.
pub(super) fn one_line(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

fn whole_json(text: &str) -> Option<Node> {
    match node::read(text, 0) {
        (Ok(node), end) if text[end..].trim().is_empty() => Some(node),
        _ => None,
    }
}

/// The content of a reply that is one fenced block: three backticks, a language word or none, text, three backticks.
fn inside_fence(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    Some(inner.trim_start_matches(|character: char| character.is_ascii_alphanumeric()).trim())
}

fn conclude(found: Scan, parse: Parse, nothing: Reason, labels: &Labels) -> Reading {
    if found.gave_up {
        return Reading::failed(Reason::Parse, "the reply nests too many unfinished objects");
    }
    if found.unclosed {
        return Reading::failed(Reason::Truncated, "the reply ends inside an unfinished verdict or thought");
    }
    if found.several {
        return Reading::failed(Reason::Ambiguous, "the reply holds two different verdicts");
    }
    match found.verdict {
        Some(Node::Object(entries)) => labels.interpret(&entries, parse),
        _ if found.near_miss => Reading::failed(Reason::Schema, "`scores` is no object that names a label shown"),
        _ if nothing == Reason::Schema => Reading::failed(nothing, "the JSON holds no verdict"),
        _ => Reading::failed(nothing, "the reply holds no JSON verdict"),
    }
}
