//! The index: which chunks name a concept, and which concepts occur together how often.
//!
//! Source: `contract/gateway.md` section 2.7.4. Concepts are numbered in the order of their names, so comparing
//! numbers compares names.

use super::identity::INDEX_VERSION;
use super::{Chunk, chunk_id, extract_concepts};
use crate::json;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

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
        let mut index = Self::with_names(extracted.iter().flatten());
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
        let names = stored
            .concept_chunks
            .keys()
            .chain(stored.edges.iter().flat_map(|(name, neighbours)| std::iter::once(name).chain(neighbours.keys())))
            .chain(stored.chunks.values().flat_map(|chunk| &chunk.concepts));
        let mut index = Self::with_names(names);
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
        let names: Vec<String> = self.concepts.iter().map(|concept| quoted(&concept.name)).collect();
        let ids: Vec<String> = self.chunks.iter().map(|chunk| quoted(&chunk.id)).collect();
        let mut out = String::from("{\"chunks\":{");
        list(&mut out, self.chunks.iter().zip(&ids), |out, (chunk, id)| {
            out.push_str(id);
            out.push_str(":{\"concepts\":[");
            list(out, &chunk.concepts, |out, concept| out.push_str(&names[*concept]));
            let (text, title) = (quoted(&chunk.chunk.text), quoted(&chunk.chunk.title));
            out.push_str(&format!("],\"id\":{id},\"text\":{text},\"title\":{title}}}"));
        });
        out.push_str("},\"concept_chunks\":{");
        let postings =
            self.concepts.iter().zip(&names).filter_map(|(concept, name)| Some((name, concept.chunks.as_ref()?)));
        list(&mut out, postings, |out, (name, chunks)| {
            out.push_str(name);
            out.push_str(":[");
            list(out, chunks, |out, chunk| out.push_str(&ids[*chunk]));
            out.push(']');
        });
        out.push_str("},\"edges\":{");
        let edges =
            self.concepts.iter().zip(&names).filter_map(|(concept, name)| Some((name, concept.neighbours.as_ref()?)));
        list(&mut out, edges, |out, (name, neighbours)| {
            out.push_str(name);
            out.push_str(":{");
            list(out, neighbours, |out, (neighbour, weight)| {
                out.push_str(&names[*neighbour]);
                out.push(':');
                out.push_str(&weight.to_string());
            });
            out.push('}');
        });
        out.push_str(&format!("}},\"fingerprint\":{},\"version\":{INDEX_VERSION}}}", quoted(&self.fingerprint)));
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

    /// An index without chunks; names may come more than once and in any order.
    fn with_names<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        // A set first, because an edge list names each concept hundreds of times.
        let different: HashSet<&String> = names.collect();
        let mut sorted: Vec<&String> = different.into_iter().collect();
        sorted.sort_unstable();
        let concepts: Vec<Concept> =
            sorted.into_iter().map(|name| Concept { name: name.clone(), chunks: None, neighbours: None }).collect();
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

/// Writes items with commas between them.
fn list<Item>(out: &mut String, items: impl IntoIterator<Item = Item>, mut entry: impl FnMut(&mut String, Item)) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        entry(out, item);
    }
}

/// A text as JSON; only numbers can be refused by the writer, so a text always has a form.
fn quoted(text: &str) -> String {
    json::ascii_compact_sorted(&Value::String(text.to_owned())).unwrap_or_default()
}
