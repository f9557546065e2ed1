//! The index: which chunks name a concept, and which concepts occur together how often.
//!
//! Source: `contract/gateway.md` section 2.7.4. Concepts are numbered in the order of their names, so comparing
//! numbers compares names.

use super::identity::INDEX_VERSION;
use super::{Chunk, chunk_id, extract_concepts};
use crate::json;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Concepts, their chunks and their neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    pub(super) fingerprint: String,
    /// Sorted by id.
    pub(super) chunks: Vec<IndexedChunk>,
    pub(super) chunk_numbers: HashMap<String, usize>,
    /// Sorted by name.
    pub(super) concepts: Vec<Concept>,
    pub(super) concept_numbers: HashMap<String, usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexedChunk {
    pub(super) id: String,
    pub(super) chunk: Chunk,
    /// In the order of extraction.
    pub(super) concepts: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Concept {
    pub(super) name: String,
    /// Chunks that name it, in the order of their ids; none for a concept that a foreign file mentions as a neighbour only.
    pub(super) chunks: Option<Vec<usize>>,
    /// Neighbours with their weights, in the order of names; none when a file has no entry for it.
    pub(super) neighbours: Option<Vec<(usize, u64)>>,
}

/// Says why a text is not an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexReadError {
    /// Not JSON, or not of the documented shape.
    #[error("the index does not have the documented shape: {0}")]
    Shape(#[from] serde_json::Error),
    /// Written by another version.
    #[error("the index has version `{0}`, not `{INDEX_VERSION}`")]
    Version(Value),
    /// Names something that is not there, or carries a weight below 1.
    #[error("the index names `{0}`, which it does not define")]
    Dangling(String),
}

/// The cache file; maps are sorted by key on both sides.
#[derive(Deserialize)]
struct StoredIndex {
    version: Value,
    fingerprint: String,
    chunks: BTreeMap<String, StoredChunk>,
    concept_chunks: BTreeMap<String, Vec<String>>,
    edges: BTreeMap<String, BTreeMap<String, u64>>,
}

#[derive(Deserialize)]
struct StoredChunk {
    id: String,
    title: String,
    text: String,
    concepts: Vec<String>,
}

impl Index {
    /// Builds the index of a corpus; the order of `chunks` has no influence.
    ///
    /// Concepts come from title and text joined by `. `. A chunk that occurs twice is listed once, but its pairs count
    /// twice.
    pub fn build(chunks: &[Chunk], max_concepts: i64) -> Self {
        let mut sorted: Vec<&Chunk> = chunks.iter().collect();
        sorted.sort();
        let extracted: Vec<Vec<String>> = sorted
            .iter()
            .map(|chunk| extract_concepts(&format!("{}. {}", chunk.title, chunk.text), max_concepts))
            .collect();
        let names: BTreeSet<&String> = extracted.iter().flatten().collect();
        let mut index = Self::with_names(names.into_iter().cloned());
        index.fingerprint = super::corpus_fingerprint(chunks, max_concepts);

        let mut by_id = BTreeMap::new();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (chunk, names) in sorted.into_iter().zip(&extracted) {
            let concepts: Vec<usize> = names.iter().map(|name| index.concept_numbers[name]).collect();
            for left in &concepts {
                pairs.extend(concepts.iter().filter(|right| *right != left).map(|right| (*left, *right)));
            }
            by_id.insert(chunk_id(chunk), (chunk.clone(), concepts));
        }
        for (id, (chunk, concepts)) in by_id {
            let number = index.chunks.len();
            for concept in &concepts {
                index.concepts[*concept].chunks.get_or_insert_default().push(number);
            }
            index.add_chunk(IndexedChunk { id, chunk, concepts });
        }
        for concept in &mut index.concepts {
            concept.neighbours = Some(Vec::new());
        }
        pairs.sort_unstable();
        for equal in pairs.chunk_by(|left, right| left == right) {
            let (concept, neighbour) = equal[0];
            index.concepts[concept].neighbours.get_or_insert_default().push((neighbour, equal.len() as u64));
        }
        index
    }

    /// Reads the text of a cache file.
    ///
    /// The contents are trusted as far as they hold together. A version of `true` passes for 1, as it did for the
    /// system whose cache files these are (vector TV-72).
    pub fn read(text: &str) -> Result<Self, IndexReadError> {
        let stored: StoredIndex = serde_json::from_str(text)?;
        if stored.version.as_f64() != Some(f64::from(INDEX_VERSION)) && stored.version != Value::Bool(true) {
            return Err(IndexReadError::Version(stored.version));
        }
        let names: BTreeSet<&String> = stored
            .concept_chunks
            .keys()
            .chain(stored.edges.iter().flat_map(|(name, neighbours)| std::iter::once(name).chain(neighbours.keys())))
            .chain(stored.chunks.values().flat_map(|chunk| &chunk.concepts))
            .collect();
        let mut index = Self::with_names(names.into_iter().cloned());
        for (key, chunk) in stored.chunks {
            if key != chunk.id {
                return Err(IndexReadError::Dangling(key));
            }
            let concepts = chunk.concepts.iter().map(|name| index.concept_numbers[name]).collect();
            let (id, chunk) = (chunk.id, Chunk { title: chunk.title, text: chunk.text });
            index.add_chunk(IndexedChunk { id, chunk, concepts });
        }
        for (name, ids) in stored.concept_chunks {
            let numbers: Result<Vec<usize>, IndexReadError> = ids
                .into_iter()
                .map(|id| index.chunk_numbers.get(&id).copied().ok_or(IndexReadError::Dangling(id)))
                .collect();
            let number = index.concept_numbers[&name];
            index.concepts[number].chunks = Some(numbers?);
        }
        for (name, neighbours) in stored.edges {
            if neighbours.values().any(|weight| *weight == 0) {
                return Err(IndexReadError::Dangling(name));
            }
            let numbers =
                neighbours.into_iter().map(|(other, weight)| (index.concept_numbers[&other], weight)).collect();
            let number = index.concept_numbers[&name];
            index.concepts[number].neighbours = Some(numbers);
        }
        index.fingerprint = stored.fingerprint;
        Ok(index)
    }

    /// Writes the text of a cache file: compact, keys sorted, everything outside ASCII escaped, no final newline.
    pub fn write(&self) -> String {
        let mut out = String::from("{\"chunks\":");
        object(&mut out, &self.chunks, |out, chunk| {
            out.push_str(&quoted(&chunk.id));
            out.push_str(":{\"concepts\":");
            array(out, chunk.concepts.iter().map(|concept| self.concepts[*concept].name.as_str()));
            let Chunk { title, text } = &chunk.chunk;
            for (key, value) in [("id", &chunk.id), ("text", text), ("title", title)] {
                out.push_str(&format!(",\"{key}\":{}", quoted(value)));
            }
            out.push('}');
        });
        out.push_str(",\"concept_chunks\":");
        let postings = self.concepts.iter().filter_map(|concept| Some((&concept.name, concept.chunks.as_ref()?)));
        object(&mut out, postings, |out, (name, chunks)| {
            out.push_str(&format!("{}:", quoted(name)));
            array(out, chunks.iter().map(|chunk| self.chunks[*chunk].id.as_str()));
        });
        out.push_str(",\"edges\":");
        let edges = self.concepts.iter().filter_map(|concept| Some((&concept.name, concept.neighbours.as_ref()?)));
        object(&mut out, edges, |out, (name, neighbours)| {
            out.push_str(&format!("{}:", quoted(name)));
            object(out, neighbours, |out, (neighbour, weight)| {
                out.push_str(&format!("{}:{weight}", quoted(&self.concepts[*neighbour].name)));
            });
        });
        out.push_str(&format!(",\"fingerprint\":{},\"version\":{INDEX_VERSION}}}", quoted(&self.fingerprint)));
        out
    }

    /// The corpus and density this index was built from.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How many different chunks there are.
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// How many concepts have an entry of chunks.
    pub fn concept_count(&self) -> usize {
        self.concepts.iter().filter(|concept| concept.chunks.is_some()).count()
    }

    /// How many pairs of concepts occur together in at least one chunk.
    pub fn edge_count(&self) -> usize {
        self.concepts.iter().flat_map(|concept| &concept.neighbours).map(Vec::len).sum::<usize>() / 2
    }

    fn with_names(names: impl Iterator<Item = String>) -> Self {
        let concepts: Vec<Concept> = names.map(|name| Concept { name, chunks: None, neighbours: None }).collect();
        let concept_numbers =
            concepts.iter().enumerate().map(|(number, concept)| (concept.name.clone(), number)).collect();
        let (fingerprint, chunks, chunk_numbers) = Default::default();
        Self { fingerprint, chunks, chunk_numbers, concepts, concept_numbers }
    }

    fn add_chunk(&mut self, chunk: IndexedChunk) {
        self.chunk_numbers.insert(chunk.id.clone(), self.chunks.len());
        self.chunks.push(chunk);
    }
}

fn object<Item>(out: &mut String, items: impl IntoIterator<Item = Item>, mut entry: impl FnMut(&mut String, Item)) {
    out.push('{');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        entry(out, item);
    }
    out.push('}');
}

fn array<'a>(out: &mut String, texts: impl Iterator<Item = &'a str>) {
    let texts: Vec<String> = texts.map(quoted).collect();
    out.push_str(&format!("[{}]", texts.join(",")));
}

/// A text as JSON; only numbers can be refused by the writer, so a text always has a form.
fn quoted(text: &str) -> String {
    json::ascii_compact_sorted(&Value::String(text.to_owned())).unwrap_or_default()
}
