//! What an evaluator's replies must look like. Pure.
//!
//! A reply is one JSON object, at most inside one Markdown fence. Nothing is repaired, searched for or guessed: a field
//! that is missing, of another type or outside its range makes the whole reply unusable, and the message says why.

use crate::json;
use serde_json::Value;

/// A binary judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it is 1.
    pub holds: bool,
    /// In the model's words; may be empty.
    pub reason: String,
}

/// A statement of the reference with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// As the model took it from the reference.
    pub statement: String,
    /// Whether the contexts say it.
    pub verdict: Verdict,
}

/// A question that an answer answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedQuestion {
    /// Never blank.
    pub text: String,
    /// Whether the answer evades it.
    pub is_noncommittal: bool,
}

/// The object of a reply.
pub fn object(reply: &str) -> Result<Value, String> {
    let value = json::parse_strict(unfenced(reply.trim())).map_err(|error| format!("it is not JSON: {error}"))?;
    if value.is_object() { Ok(value) } else { Err("it is not a JSON object".to_owned()) }
}

/// What stands inside a fence around the whole reply; without one, the reply.
fn unfenced(reply: &str) -> &str {
    let inside = || {
        let (tag, rest) = reply.strip_prefix("```")?.split_once('\n')?;
        let is_tag = tag.trim().chars().all(|c| c.is_ascii_alphanumeric());
        rest.strip_suffix("```").filter(|_| is_tag)
    };
    inside().unwrap_or(reply).trim()
}

/// `{"statements": ["…"]}`; none is an answer too.
pub fn statements(value: &Value) -> Result<Vec<String>, String> {
    list(value, "statements")?.iter().map(|item| words(Some(item), "an entry of `statements`")).collect()
}

/// `{"verdicts": [{"statement", "reason", "verdict"}]}`: each of the `expected_n` statements once, in any order.
pub fn verdicts(value: &Value, expected_n: usize) -> Result<Vec<Verdict>, String> {
    let mut ordered: Vec<Option<Verdict>> = vec![None; expected_n];
    for item in list(value, "verdicts")? {
        let number = item.get("statement").and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let place = number.and_then(|number| ordered.get_mut(number.checked_sub(1)?));
        let place = place.ok_or_else(|| format!("`statement` must be a number from 1 to {expected_n}"))?;
        if place.replace(verdict(item)?).is_some() {
            return Err("it judges a statement twice".to_owned());
        }
    }
    let judged_n = ordered.iter().flatten().count();
    let all: Option<Vec<Verdict>> = ordered.into_iter().collect();
    all.ok_or_else(|| format!("it judges {judged_n} of {expected_n} statements"))
}

/// `{"reason", "verdict"}`.
pub fn verdict(value: &Value) -> Result<Verdict, String> {
    Ok(Verdict { holds: binary(value, "verdict")?, reason: remark(value)? })
}

/// `{"statements": [{"statement", "reason", "attributed"}]}`.
pub fn attributions(value: &Value) -> Result<Vec<Attribution>, String> {
    let attribution = |item: &Value| {
        let verdict = Verdict { holds: binary(item, "attributed")?, reason: remark(item)? };
        Ok(Attribution { statement: words(item.get("statement"), "`statement`")?, verdict })
    };
    list(value, "statements")?.iter().map(attribution).collect()
}

/// `{"questions": [{"question", "noncommittal"}]}` with exactly `expected_n` entries.
pub fn questions(value: &Value, expected_n: usize) -> Result<Vec<GeneratedQuestion>, String> {
    let items = list(value, "questions")?;
    if items.len() != expected_n {
        return Err(format!("`questions` has {} entries, not {expected_n}", items.len()));
    }
    let question = |item: &Value| {
        let text = words(item.get("question"), "`question`")?;
        Ok(GeneratedQuestion { text, is_noncommittal: binary(item, "noncommittal")? })
    };
    items.iter().map(question).collect()
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    value.get(name).and_then(Value::as_array).ok_or_else(|| format!("`{name}` is not a list"))
}

/// Text that is not blank.
fn words(value: Option<&Value>, what: &str) -> Result<String, String> {
    let text = value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("{what} is blank or no text"))
}

/// The number 0 or 1.
fn binary(value: &Value, name: &str) -> Result<bool, String> {
    match value.get(name).and_then(Value::as_u64) {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        _ => Err(format!("`{name}` must be 0 or 1")),
    }
}

/// The reason; a missing one is empty, because it decides nothing.
fn remark(value: &Value) -> Result<String, String> {
    match value.get("reason") {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err("`reason` is no text".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_one_object_at_most_inside_one_fence() {
        for reply in ["{\"statements\": []}", " ```json\n{\"statements\": []}\n``` ", "```\n{\"statements\": []}```"] {
            assert_eq!(object(reply).and_then(|value| statements(&value)), Ok(Vec::new()), "{reply}");
        }
        for reply in
            ["", "none", "[]", "Sure: {}", "{} {}", "{\"a\": 1, \"a\": 2}", "{'a': 1}", "{\"a\": NaN}", "```json {}```"]
        {
            assert!(object(reply).is_err(), "{reply}");
        }
    }

    #[test]
    fn every_statement_is_judged_once_with_zero_or_one() {
        let read = |text: &str| verdicts(&serde_json::from_str(text).unwrap(), 2);
        let both = r#"{"verdicts": [{"statement": 2, "verdict": 0}, {"statement": 1, "verdict": 1, "reason": "r"}]}"#;
        let found = read(both).unwrap();
        assert_eq!(found.iter().map(|verdict| verdict.holds).collect::<Vec<_>>(), [true, false]);
        assert_eq!(found[0].reason, "r");
        for (text, problem) in [
            (r#"{"verdicts": [{"statement": 1, "verdict": 1}]}"#, "it judges 1 of 2 statements"),
            (
                r#"{"verdicts": [{"statement": 1, "verdict": 1}, {"statement": 1, "verdict": 1}]}"#,
                "it judges a statement twice",
            ),
            (r#"{"verdicts": [{"statement": 3, "verdict": 1}]}"#, "`statement` must be a number from 1 to 2"),
            (r#"{"verdicts": [{"statement": 0, "verdict": 1}]}"#, "`statement` must be a number from 1 to 2"),
            (r#"{"verdicts": [{"statement": 1, "verdict": true}]}"#, "`verdict` must be 0 or 1"),
            (r#"{"verdicts": [{"statement": 1, "verdict": "1"}]}"#, "`verdict` must be 0 or 1"),
            (r#"{"verdicts": [{"statement": 1, "verdict": 0.5}]}"#, "`verdict` must be 0 or 1"),
            (r#"{"verdicts": {}}"#, "`verdicts` is not a list"),
        ] {
            assert_eq!(read(text).unwrap_err(), problem, "{text}");
        }
    }

    #[test]
    fn questions_and_attributions_are_whole() {
        let read = |text: &str| questions(&serde_json::from_str(text).unwrap(), 1);
        let one = read(r#"{"questions": [{"question": " Why? ", "noncommittal": 1}]}"#).unwrap();
        assert_eq!(one, [GeneratedQuestion { text: "Why?".to_owned(), is_noncommittal: true }]);
        for text in [
            r#"{"questions": []}"#,
            r#"{"questions": [{"question": "", "noncommittal": 1}]}"#,
            r#"{"questions": [{"question": "Why?"}]}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let read = |text: &str| attributions(&serde_json::from_str(text).unwrap());
        assert_eq!(read(r#"{"statements": []}"#), Ok(Vec::new()));
        assert!(
            read(r#"{"statements": [{"statement": "a", "attributed": 1, "reason": "b"}]}"#).unwrap()[0].verdict.holds
        );
        assert!(read(r#"{"statements": [{"statement": "a"}]}"#).is_err());
    }
}
