//! Contexts of services that have no extension: a list somewhere in the answer, found by JSON pointers.
//!
//! Pure. Takes the shapes that frameworks use: a list of texts, or of objects with the text under one of several names,
//! inside or beside the object that describes the document. A name of a document is a title without a text.

use serde_json::{Value, json};

/// Where an entry holds its text, in order.
const TEXTS: [&str; 13] = [
    "/snippet",
    "/text",
    "/content",
    "/page_content",
    "/chunk",
    "/passage",
    "/context",
    "/body",
    "/document/page_content",
    "/document/content",
    "/document",
    "/node/text",
    "/chunk/text",
];
/// Where an entry holds the name of its document, in order.
const TITLES: [&str; 20] = [
    "/title",
    "/source",
    "/document_id",
    "/doc_id",
    "/path",
    "/filepath",
    "/file_name",
    "/filename",
    "/file",
    "/name",
    "/metadata/source",
    "/metadata/title",
    "/metadata/file_name",
    "/metadata/file_path",
    "/document/metadata/source",
    "/node/metadata/file_name",
    "/node/metadata/file_path",
    "/url",
    "/id",
    "/node/id_",
];
/// Where an entry holds its score, higher being better, in order.
const SCORES: [&str; 4] = ["/score", "/relevance_score", "/similarity", "/metadata/score"];

/// A list of sources and where it was.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// `{title, snippet, score}` each; a snippet is empty where there is a title alone.
    pub sources: Vec<Value>,
    /// The pointer that led to them.
    pub pointer: String,
}

/// The first list that a pointer leads to and that has a text in it; without one, the first list of titles alone, or
/// an empty one: the service retrieved nothing, and says so. A list of which no entry can be read is none.
pub fn find(payload: &Value, pointers: &[&str]) -> Option<Found> {
    let mut lists = pointers.iter().filter_map(|pointer| {
        let entries = payload.pointer(pointer)?.as_array()?;
        let sources: Vec<Value> = entries.iter().filter_map(source).collect();
        (entries.is_empty() || !sources.is_empty()).then(|| Found { sources, pointer: (*pointer).to_owned() })
    });
    let first = lists.next()?;
    match first.has_a_text() {
        true => Some(first),
        false => Some(lists.find(Found::has_a_text).unwrap_or(first)),
    }
}

impl Found {
    fn has_a_text(&self) -> bool {
        self.sources.iter().any(|source| source["snippet"] != "")
    }
}

fn source(entry: &Value) -> Option<Value> {
    if let Value::String(text) = entry {
        return Some(if is_name(text) {
            json!({"title": text, "snippet": "", "score": null})
        } else {
            json!({"title": "", "snippet": text, "score": null})
        });
    }
    let text_at = |places: &[&str]| {
        let texts = places.iter().filter_map(|place| entry.pointer(place)?.as_str());
        texts.map(str::to_owned).find(|text| !text.is_empty())
    };
    let title = text_at(&TITLES).or_else(|| Some(entry.get("id")?.as_i64()?.to_string()));
    let snippet = text_at(&TEXTS);
    if title.is_none() && snippet.is_none() {
        return None;
    }
    let score = SCORES.iter().find_map(|place| entry.pointer(place).filter(|score| score.is_number()));
    Some(json!({"title": title.unwrap_or_default(), "snippet": snippet.unwrap_or_default(), "score": score}))
}

/// Whether a plain string names a document, as a link, a path and an id do: it has no blank. Scripts without blanks
/// between words are told by their punctuation.
fn is_name(text: &str) -> bool {
    !text.contains(|character: char| character.is_whitespace() || "。、，．！？；：".contains(character))
}
