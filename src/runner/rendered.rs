//! Reads evidence out of a rendered answer: body, source block and footer.
//!
//! Reads the text that `wire::rendered` writes, and what older gateways wrote. Pure. Never repairs: a footer or score
//! whose number cannot be read makes the whole answer unusable. Source: `contract/evaluation.md` section 2.5 and
//! `contract/gateway.md` section 1.10, with section 0 item 6: sources are parsed entry by entry, and once a source
//! block exists nothing before it is a source.

use super::completion::NormaliseError;
use crate::wire::rendered::SOURCES_MARKER;
use crate::wire::text::trim;
use regex::Regex;
use serde_json::{Map, Number, Value, json};
use std::sync::LazyLock;

/// What a rendered answer says.
#[derive(Debug, PartialEq)]
pub struct Rendered {
    /// The answer without block and footer, trimmed.
    pub answer: String,
    /// `{title, snippet, score}` each.
    pub sources: Vec<Value>,
    /// `{seconds, chunks, llm_calls, cloud_calls}` of the last footer; null when there is none.
    pub metrics: Option<Map<String, Value>>,
}

static FOOTER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"\x{1F4CA}\s*([0-9.]+)s\s*\x{B7}\s*([0-9]+)\s*chunks?\s*\x{B7}\s*([0-9]+)\s*LLM calls?\s*\x{B7}\s*([0-9]+)\s*cloud",
    )
});
static ENTRY_START: LazyLock<Regex> = LazyLock::new(|| compiled(r"\*\*[0-9]+\."));
static ENTRY_END: LazyLock<Regex> = LazyLock::new(|| compiled(r"\n\n(?:\*\*[0-9]+\.|</details>)"));
static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?s)\A\*\*[0-9]+\.\s*(.*?)\*\*(?:\s*\x{B7}\s*score\s*(-?[0-9.]+))?\s*\n\n>\s?(.*)\z"));

/// Parses the whole content of a message.
pub fn parse(content: &str) -> Result<Rendered, NormaliseError> {
    let mut body = content;
    let mut metrics = None;
    if let Some(first) = FOOTER.find(content) {
        body = content[..first.start()].trim_end_matches('\n').trim_end_matches('-').trim_end_matches('\n');
        metrics = FOOTER.captures_iter(content).last().map(|last| footer(last.extract().1)).transpose()?;
    }
    let block = content.find(SOURCES_MARKER);
    let answer = trim(body.split(SOURCES_MARKER).next().unwrap_or(body)).to_owned();
    Ok(Rendered { answer, sources: sources(&content[block.unwrap_or(0)..])?, metrics })
}

fn footer([seconds, chunks, llm_calls, cloud_calls]: [&str; 4]) -> Result<Map<String, Value>, NormaliseError> {
    let mut metrics = Map::new();
    metrics.insert("seconds".to_owned(), decimal("footer", seconds)?);
    for (name, digits) in [("chunks", chunks), ("llm_calls", llm_calls), ("cloud_calls", cloud_calls)] {
        metrics.insert(name.to_owned(), integer(digits)?);
    }
    Ok(metrics)
}

/// Walks over the entries; one that has no title line and quote is skipped and never swallows its neighbour.
///
/// Every stretch of text is looked at once: where the first start in a stretch matches nothing, no later start in it
/// could, so hostile text costs no more than its length.
fn sources(text: &str) -> Result<Vec<Value>, NormaliseError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = ENTRY_START.find_at(text, at) {
        let Some(end) = ENTRY_END.find_at(text, start.end()) else { break };
        if let Some(entry) = ENTRY.captures(&text[start.start()..end.start()]) {
            let part = |index| entry.get(index).map_or("", |part| part.as_str());
            let score = entry.get(2).map_or(Ok(Value::Null), |score| decimal("source score", score.as_str()))?;
            found.push(json!({"title": trim(part(1)), "snippet": trim(part(3)), "score": score}));
        }
        at = end.start();
    }
    Ok(found)
}

fn decimal(what: &'static str, text: &str) -> Result<Value, NormaliseError> {
    let number = text.parse::<f64>().ok().and_then(Number::from_f64);
    number.map(Value::Number).ok_or_else(|| NormaliseError::Number { what, text: text.to_owned() })
}

/// Keeps every digit of a count but leading zeros, whatever its size.
fn integer(digits: &str) -> Result<Value, NormaliseError> {
    let significant = digits.trim_start_matches('0');
    let text = if significant.is_empty() { "0" } else { significant };
    serde_json::from_str::<Number>(text)
        .map(Value::Number)
        .map_err(|_| NormaliseError::Number { what: "footer", text: digits.to_owned() })
}

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this module are constants and a test compiles each of them")
}
