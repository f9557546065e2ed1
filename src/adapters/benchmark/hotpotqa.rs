//! HotpotQA: a list of questions, each with its paragraphs and the titles of those that support the answer.
//!
//! Paragraphs of all questions make one corpus. A title that stands over different texts gives a document for each.

use super::read::{id, shape, value, words};
use super::{BenchmarkError, Collected, Question};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

pub fn collect(from: &Path) -> Result<Collected, BenchmarkError> {
    let whole = value(from)?;
    let items = whole.as_array().ok_or_else(|| shape(from, None, "it is not a list of questions"))?;
    let mut collected = Collected::default();
    let mut texts: HashMap<String, Vec<String>> = HashMap::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let wrong = |reason: &str| shape(from, None, &format!("question {}: {reason}", index + 1));
        let object = item.as_object().ok_or_else(|| wrong("it is not an object"))?;
        let id = id(object, &["_id", "id"]).ok_or_else(|| wrong("it has no `_id`"))?;
        if seen.insert(id.clone(), index).is_some() {
            return Err(wrong(&format!("the id `{id}` is there already")));
        }
        let mut files: Vec<(String, String)> = Vec::new();
        for (title, text) in paragraphs(object).ok_or_else(|| wrong("its `context` cannot be read"))? {
            let known = texts.entry(title.clone()).or_default();
            let position = known.iter().position(|other| *other == text).unwrap_or_else(|| {
                known.push(text.clone());
                known.len() - 1
            });
            let name = if position == 0 { title.clone() } else { format!("{title} ({})", position + 1) };
            files.push((title.clone(), collected.add(&name, &title, &text)));
        }
        let mut relevant_sources: Vec<String> = Vec::new();
        for title in supporting(object).ok_or_else(|| wrong("its `supporting_facts` cannot be read"))? {
            let found = files.iter().find(|(other, _)| *other == title);
            let (_, file) = found.ok_or_else(|| wrong(&format!("no paragraph is called `{title}`")))?;
            if !relevant_sources.contains(file) {
                relevant_sources.push(file.clone());
            }
        }
        let text = |name: &str| words(object, name).map_err(|reason| wrong(&reason));
        let query = text("question")?;
        if query.is_empty() {
            return Err(wrong("it has no `question`"));
        }
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (kind, ground_truth) = (some(text("type")?), some(text("answer")?));
        collected.questions.push(Question { id, query: query.to_owned(), kind, ground_truth, relevant_sources });
    }
    Ok(collected)
}

/// `[[title, [sentence, ..]], ..]`, or the same as two lists `title` and `sentences`.
fn paragraphs(object: &Map<String, Value>) -> Option<Vec<(String, String)>> {
    let pair = |title: &Value, sentences: &Value| {
        let sentences: Option<Vec<&str>> = sentences.as_array()?.iter().map(Value::as_str).collect();
        Some((title.as_str()?.to_owned(), sentences?.concat().trim().to_owned()))
    };
    match object.get("context")? {
        Value::Array(items) => items.iter().map(|item| pair(item.get(0)?, item.get(1)?)).collect(),
        Value::Object(columns) => {
            let (titles, sentences) = (columns.get("title")?.as_array()?, columns.get("sentences")?.as_array()?);
            titles.iter().zip(sentences).map(|(title, sentences)| pair(title, sentences)).collect()
        }
        _ => None,
    }
}

fn supporting(object: &Map<String, Value>) -> Option<Vec<String>> {
    match object.get("supporting_facts")? {
        Value::Array(items) => items.iter().map(|item| item.get(0)?.as_str().map(str::to_owned)).collect(),
        Value::Object(columns) => {
            columns.get("title")?.as_array()?.iter().map(|title| title.as_str().map(str::to_owned)).collect()
        }
        _ => None,
    }
}
