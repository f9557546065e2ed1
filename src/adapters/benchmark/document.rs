//! What every layout is turned into: documents with file names, questions with the files that answer them.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// The longest stem of a file name, in bytes.
const LONGEST_STEM_BYTES: usize = 80;
/// Hash digits behind a stem that is not the id itself.
const HASH_CHARS: usize = 8;

/// One document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Name of its file, unique in the corpus.
    pub file: String,
    /// May be empty.
    pub title: String,
    /// As published.
    pub text: String,
}

impl Document {
    /// The file's content: the title as a heading, then the text.
    pub fn markdown(&self) -> String {
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() { format!("{}\n", self.text) } else { format!("# {title}\n\n{}\n", self.text) }
    }
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// As published.
    pub id: String,
    /// As published.
    pub query: String,
    /// For instance `bridge`; null when the benchmark does not say.
    pub kind: Option<String>,
    /// The reference answer; null when there is none.
    pub ground_truth: Option<String>,
    /// Files of the documents that hold the answer; empty when none does.
    pub relevant_sources: Vec<String>,
}

impl Question {
    /// The line of the question file.
    pub fn line(&self) -> String {
        let mut fields = Map::new();
        fields.insert("id".to_owned(), self.id.as_str().into());
        fields.insert("query".to_owned(), self.query.as_str().into());
        for (name, value) in [("kind", &self.kind), ("ground_truth", &self.ground_truth)] {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value.as_str().into());
            }
        }
        fields.insert("relevant_sources".to_owned(), self.relevant_sources.clone().into());
        Value::Object(fields).to_string()
    }
}

/// A benchmark that was read.
#[derive(Debug, Default)]
pub struct Collected {
    documents: Vec<Document>,
    /// In the order published, ids unique.
    pub questions: Vec<Question>,
    /// What was left out, for people; one line each.
    pub notes: Vec<String>,
    by_id: HashMap<String, String>,
    files: HashSet<String>,
}

impl Collected {
    /// In the order published.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Adds a document under an id; the id that is there already keeps its document. Gives the file's name.
    pub fn add(&mut self, id: &str, title: &str, text: &str) -> String {
        if let Some(file) = self.by_id.get(id) {
            return file.clone();
        }
        let mut file = file_name(id, false);
        // File systems that fold case would put one document over the other.
        if !self.files.insert(file.to_lowercase()) {
            file = file_name(id, true);
            self.files.insert(file.to_lowercase());
        }
        self.by_id.insert(id.to_owned(), file.clone());
        self.documents.push(Document { file: file.clone(), title: title.to_owned(), text: text.to_owned() });
        file
    }

    /// The file of a document id.
    pub fn file_of(&self, id: &str) -> Option<&String> {
        self.by_id.get(id)
    }
}

/// A file name after an id: the id itself where it can be one, else its plain characters and a hash.
fn file_name(id: &str, is_taken: bool) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let mut stem: String = id.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    let is_id = stem == id && stem.len() <= LONGEST_STEM_BYTES && !stem.is_empty() && !stem.starts_with('.');
    if is_taken || !is_id {
        stem.truncate(LONGEST_STEM_BYTES);
        let stem = stem.trim_start_matches('.').trim_matches('-');
        let hash: String = Sha256::digest(id.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        return format!("{stem}-{}.md", &hash[..HASH_CHARS]);
    }
    format!("{stem}.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_files_that_never_meet() {
        let mut collected = Collected::default();
        let files: Vec<String> =
            ["007", "7", "a/b", "a:b", "A", "a", "", "..", "007"].iter().map(|id| collected.add(id, "", "t")).collect();
        assert_eq!(&files[..2], ["007.md", "7.md"]);
        assert_eq!(files[8], "007.md");
        let distinct: HashSet<String> = files.iter().map(|file| file.to_lowercase()).collect();
        assert_eq!(distinct.len(), 8);
        assert!(files.iter().all(|file| !file.starts_with('.') && !file.contains('/')), "{files:?}");
    }
}
