//! SQuAD 1.1 and 2.0: articles with paragraphs, and questions whose answer stands in their paragraph, or nowhere.
//!
//! Each paragraph is a document. A question that cannot be answered has no reference and no relevant document.

use super::read::{id, shape, value, words};
use super::{BenchmarkError, Collected, Question};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::Path;

pub fn collect(from: &Path) -> Result<Collected, BenchmarkError> {
    let whole = value(from)?;
    let articles = whole.get("data").and_then(Value::as_array);
    let articles = articles.ok_or_else(|| shape(from, None, "it has no list `data`"))?;
    let mut collected = Collected::default();
    let mut seen = HashSet::new();
    for (index, article) in articles.iter().enumerate() {
        let wrong = |reason: &str| shape(from, None, &format!("article {}: {reason}", index + 1));
        let title = article.get("title").and_then(Value::as_str).unwrap_or("untitled");
        let paragraphs = article.get("paragraphs").and_then(Value::as_array);
        for (position, paragraph) in paragraphs.ok_or_else(|| wrong("it has no `paragraphs`"))?.iter().enumerate() {
            let text = paragraph.get("context").and_then(Value::as_str).ok_or_else(|| wrong("a paragraph is empty"))?;
            let name = format!("{title}-{}-{}", index + 1, position + 1);
            let file = collected.add(&name, &title.replace('_', " "), text);
            for asked in paragraph.get("qas").and_then(Value::as_array).into_iter().flatten() {
                let asked = asked.as_object().ok_or_else(|| wrong("a question is not an object"))?;
                let question = question(asked, &file).ok_or_else(|| wrong("a question has no `id` or `question`"))?;
                if !seen.insert(question.id.clone()) {
                    return Err(wrong(&format!("the question `{}` is there already", question.id)));
                }
                collected.questions.push(question);
            }
        }
    }
    Ok(collected)
}

fn question(asked: &Map<String, Value>, file: &str) -> Option<Question> {
    let query = words(asked, "question").ok().filter(|text| !text.is_empty())?;
    let has_no_answer = asked.get("is_impossible").and_then(Value::as_bool).unwrap_or(false);
    let first = asked.get("answers").and_then(|answers| answers.get(0)?.get("text")?.as_str());
    Some(Question {
        id: id(asked, &["id"])?,
        query: query.to_owned(),
        kind: Some(if has_no_answer { "unanswerable" } else { "extractive" }.to_owned()),
        ground_truth: first.filter(|text| !has_no_answer && !text.is_empty()).map(str::to_owned),
        relevant_sources: if has_no_answer { Vec::new() } else { vec![file.to_owned()] },
    })
}
