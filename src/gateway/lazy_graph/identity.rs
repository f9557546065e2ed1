//! Names that follow from content: chunk ids, corpus fingerprints, cache file names.
//!
//! Source: `contract/gateway.md` sections 2.7.3 and 2.7.5.

use super::Chunk;
use sha2::{Digest, Sha256};

/// The version of index and cache file.
pub(super) const INDEX_VERSION: u32 = 1;

/// The id of a chunk: the first 24 hexadecimal digits of SHA-256 over title, a zero byte and text.
pub fn chunk_id(chunk: &Chunk) -> String {
    let mut hasher = Sha256::new();
    hasher.update(chunk.title.as_bytes());
    hasher.update([0]);
    hasher.update(chunk.text.as_bytes());
    let mut id = hex(&hasher.finalize());
    id.truncate(24);
    id
}

/// The fingerprint of a corpus at one concept density: 64 hexadecimal digits.
///
/// Duplicates count, order does not.
pub fn corpus_fingerprint(chunks: &[Chunk], max_concepts: i64) -> String {
    let mut sorted: Vec<&Chunk> = chunks.iter().collect();
    sorted.sort();
    let mut hasher = Sha256::new();
    hasher.update(format!("lazy-graph-index:{INDEX_VERSION}:concepts={max_concepts}\n"));
    for chunk in sorted {
        hasher.update(chunk.title.as_bytes());
        hasher.update([0]);
        hasher.update(chunk.text.as_bytes());
        hasher.update([0]);
    }
    hex(&hasher.finalize())
}

/// The namespace of a collection at one concept density, so that densities do not evict each other.
pub fn namespace(collection: &str, max_concepts: i64) -> String {
    format!("{collection}.concepts-{max_concepts}")
}

/// The cache file of a namespace: a plain name that cannot leave its folder.
///
/// Each run of characters outside `A-Za-z0-9_.-` becomes one `-`; dots and dashes at the ends go; nothing left gives
/// `default.json`.
pub fn namespace_file(namespace: &str) -> String {
    let mut name = String::with_capacity(namespace.len());
    let mut replaced = false;
    for character in namespace.chars() {
        let keep = character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-');
        if keep {
            name.push(character);
        } else if !replaced {
            name.push('-');
        }
        replaced = !keep;
    }
    let name = name.trim_matches(['.', '-']);
    format!("{}.json", if name.is_empty() { "default" } else { name })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
