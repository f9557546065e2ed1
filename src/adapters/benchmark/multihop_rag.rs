//! MultiHop-RAG: `corpus.json`, a list of articles, and `MultiHopRAG.json`, a list of questions with their evidence.
//!
//! Questions have no ids there, so they are named after their place, from `q0001`. Evidence is matched by URL, then title.

use super::read::{shape, value, words};
use super::{BenchmarkError, Collected, Question};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

pub fn collect(from: &Path) -> Result<Collected, BenchmarkError> {
    let mut collected = Collected::default();
    let (mut by_url, mut by_title) = (HashMap::new(), HashMap::new());
    let path = from.join("corpus.json");
    for (index, article) in objects(&path)?.iter().enumerate() {
        let text = |name: &str| {
            words(article, name).map_err(|reason| shape(&path, None, &format!("article {}: {reason}", index + 1)))
        };
        let (title, url) = (text("title")?, text("url")?);
        let file = collected.add(&format!("{:04}-{title}", index + 1), title, text("body")?);
        by_url.entry(url.to_owned()).or_insert_with(|| file.clone());
        by_title.entry(title.to_owned()).or_insert(file);
    }
    let path = from.join("MultiHopRAG.json");
    for (index, asked) in objects(&path)?.iter().enumerate() {
        let wrong = |reason: &str| shape(&path, None, &format!("question {}: {reason}", index + 1));
        let evidence = asked.get("evidence_list").and_then(Value::as_array);
        let mut relevant_sources: Vec<String> = Vec::new();
        for fact in evidence.ok_or_else(|| wrong("it has no `evidence_list`"))? {
            let named = |name: &str| fact.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
            let by = |map: &HashMap<String, String>, name: &str| named(name).and_then(|text| map.get(text)).cloned();
            let file = by(&by_url, "url").or_else(|| by(&by_title, "title"));
            let file = file.ok_or_else(|| {
                wrong(&format!("its evidence `{}` is not in the corpus", named("title").unwrap_or("?")))
            })?;
            if !relevant_sources.contains(&file) {
                relevant_sources.push(file);
            }
        }
        let text = |name: &str| words(asked, name).map_err(|reason| wrong(&reason));
        let query = text("query")?;
        if query.is_empty() {
            return Err(wrong("it has no `query`"));
        }
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let id = format!("q{:04}", index + 1);
        let (kind, ground_truth) = (some(text("question_type")?), some(text("answer")?));
        collected.questions.push(Question { id, query: query.to_owned(), kind, ground_truth, relevant_sources });
    }
    Ok(collected)
}

fn objects(path: &Path) -> Result<Vec<Map<String, Value>>, BenchmarkError> {
    let Value::Array(items) = value(path)? else { return Err(shape(path, None, "it is not a list")) };
    let item = |(index, item): (usize, Value)| match item {
        Value::Object(object) => Ok(object),
        _ => Err(shape(path, None, &format!("entry {} is not an object", index + 1))),
    };
    items.into_iter().enumerate().map(item).collect()
}
