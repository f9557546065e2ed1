//! BEIR: `corpus.jsonl` and `queries.jsonl` with `_id`, and relevance judgements in `qrels/<split>.tsv`.
//!
//! Judgements above 0 count as relevant; the grades themselves are not kept, because our measures are binary. Queries
//! that the split does not judge are left out.

use super::read::{id, lines, shape, text, words};
use super::{BenchmarkError, Collected, Question};
use std::collections::HashMap;
use std::path::Path;

pub fn collect(from: &Path, split: &str) -> Result<Collected, BenchmarkError> {
    let mut collected = Collected::default();
    let corpus = from.join("corpus.jsonl");
    for (line, object) in lines(&corpus)? {
        let id = id(&object, &["_id", "id"]).ok_or_else(|| shape(&corpus, Some(line), "it has no `_id`"))?;
        if collected.file_of(&id).is_some() {
            return Err(shape(&corpus, Some(line), &format!("the document `{id}` is there already")));
        }
        let text = |name: &str| words(&object, name).map_err(|reason| shape(&corpus, Some(line), &reason));
        collected.add(&id, text("title")?, text("text")?);
    }
    let qrels = from.join("qrels").join(format!("{split}.tsv"));
    let judged = judgements(&qrels, &collected)?;
    let path = from.join("queries.jsonl");
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut unjudged_n = 0;
    for (line, object) in lines(&path)? {
        let id = id(&object, &["_id", "id"]).ok_or_else(|| shape(&path, Some(line), "it has no `_id`"))?;
        if let Some(first) = seen.insert(id.clone(), line) {
            return Err(shape(&path, Some(line), &format!("the query `{id}` is on line {first} already")));
        }
        let Some(relevant_sources) = judged.get(&id) else {
            unjudged_n += 1;
            continue;
        };
        let query = words(&object, "text").map_err(|reason| shape(&path, Some(line), &reason))?;
        if query.is_empty() {
            return Err(shape(&path, Some(line), &format!("the query `{id}` has no text")));
        }
        let ground_truth = object.get("metadata").and_then(|metadata| metadata.get("answer")?.as_str());
        collected.questions.push(Question {
            id,
            query: query.to_owned(),
            kind: None,
            ground_truth: ground_truth.map(str::to_owned),
            relevant_sources: relevant_sources.clone(),
        });
    }
    if let Some(missing) = judged.keys().find(|id| !seen.contains_key(*id)) {
        return Err(shape(&qrels, None, &format!("it judges the query `{missing}`, which is not in `queries.jsonl`")));
    }
    if unjudged_n > 0 {
        collected.notes.push(format!("{unjudged_n} queries without judgements in `{split}` were left out"));
    }
    Ok(collected)
}

/// Relevant files by query, in the order of the file.
fn judgements(path: &Path, collected: &Collected) -> Result<HashMap<String, Vec<String>>, BenchmarkError> {
    let text = text(path)?;
    let mut judged: HashMap<String, Vec<String>> = HashMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        // Three columns as BEIR has them, or the four of TREC.
        let (query, document, grade) = match fields[..] {
            [query, document, grade] => (query, document, grade),
            [query, _, document, grade] => (query, document, grade),
            _ => return Err(shape(path, Some(index + 1), "expected query, document and score between tabs")),
        };
        let Ok(grade) = grade.parse::<f64>() else {
            if index == 0 {
                continue; // The header.
            }
            return Err(shape(path, Some(index + 1), &format!("the score `{grade}` is not a number")));
        };
        let relevant = judged.entry(query.to_owned()).or_default();
        if grade <= 0.0 {
            continue;
        }
        let Some(file) = collected.file_of(document) else {
            let reason = format!("the document `{document}` is not in `corpus.jsonl`");
            return Err(shape(path, Some(index + 1), &reason));
        };
        if !relevant.contains(file) {
            relevant.push(file.clone());
        }
    }
    Ok(judged)
}
