//! Names that follow from content: revision, content digest, ingestion id, chunk id.
//!
//! Source: `contract/gateway.md` annex A. Pure; the files are read by [`super::discover`].

use crate::json;
use serde_json::{Value, json};
use sha1::{Digest as _, Sha1};
use sha2::Sha256;
use std::fmt::Write as _;

/// The namespace of URLs in RFC 9562, for name-based identifiers.
const URL_NAMESPACE: [u8; 16] =
    [0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];
/// Who ingests; part of every revision and id.
pub const CONSUMER: &str = "ragsql";
/// How many hex digits of a hash are shown.
const SHORT_HEX: usize = 16;

/// What a profile declares; its hash is the revision.
#[derive(Debug, Clone)]
pub struct Declaration<'a> {
    /// Who declares it.
    pub consumer: &'a str,
    /// The profile's name.
    pub name: &'a str,
    /// Folder below the corpus mount.
    pub path: &'a str,
    /// Parsers in order of preference.
    pub parser_order: &'a [&'a str],
    /// Where chunks and vectors go, as JSON.
    pub vector_targets: Value,
    /// Where documents go for graph building, as JSON.
    pub graph_targets: Value,
}

impl Declaration<'_> {
    /// The first 16 hex digits of the SHA-256 of the compact, key-sorted JSON of the declaration.
    pub fn revision(&self) -> Result<String, json::WriteError> {
        let document = json!({
            "consumer": self.consumer,
            "name": self.name,
            "corpus": {"source": "mount", "path": self.path},
            "parser_order": self.parser_order,
            "chunker": {
                "strategy": "recursive",
                "chunk_size": super::chunking::CHUNK_TOKENS,
                "overlap": super::chunking::OVERLAP_TOKENS,
            },
            "vector_targets": self.vector_targets,
            "graph_targets": self.graph_targets,
        });
        Ok(short_sha256(json::ascii_compact_sorted(&document)?.as_bytes()))
    }
}

/// What an ingestion makes, by the models that make it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Targets<'a> {
    /// Who makes vectors.
    pub embedding_model: &'a str,
    /// Who writes the blurbs of the contextual collection; none when there is none.
    pub blurb_model: Option<&'a str>,
    /// Who finds entities and relations; none when there is no graph.
    pub extract_model: Option<&'a str>,
}

/// The revision of one of this gateway's own profiles.
///
/// What is made, and by which models, is part of it: other vectors, blurbs or graphs are another index.
pub fn own_revision(profile: &str, path: &str, targets: Targets<'_>) -> Result<String, json::WriteError> {
    let Targets { embedding_model, blurb_model, extract_model } = targets;
    let mut vector_targets = vec![json!({
        "backend": "duckdb",
        "collection_prefix": COLLECTION_PREFIX,
        "embedding_model": embedding_model,
        "on_unavailable": "fail",
    })];
    vector_targets.extend(blurb_model.map(|blurb_model| {
        json!({
            "backend": "duckdb",
            "collection_prefix": CONTEXTUAL_PREFIX,
            "embedding_model": embedding_model,
            "blurb_model": blurb_model,
            "on_unavailable": "fail",
        })
    }));
    let graph_target = |extract_model| {
        json!({
            "backend": "duckdb",
            "mode": "entities_and_relations",
            "embedding_model": embedding_model,
            "extract_model": extract_model,
            "on_unavailable": "fail",
        })
    };
    let declaration = Declaration {
        consumer: CONSUMER,
        name: profile,
        path,
        parser_order: &["plain_text"],
        vector_targets: Value::Array(vector_targets),
        graph_targets: Value::Array(extract_model.map(graph_target).into_iter().collect()),
    };
    declaration.revision()
}

/// Contextual collections are called after this and the profile.
pub const CONTEXTUAL_PREFIX: &str = "RagContextual";

/// The contextual collection of a profile, for instance `RagContextual_graph_native`.
pub fn contextual_collection(profile: &str) -> String {
    format!("{CONTEXTUAL_PREFIX}_{profile}")
}

/// Collections are called after this and the profile.
pub const COLLECTION_PREFIX: &str = "RagBase";

/// The collection of a profile, for instance `RagBase_graph_native`.
pub fn collection(profile: &str) -> String {
    format!("{COLLECTION_PREFIX}_{profile}")
}

/// The first 16 hex digits over `[[name, sha256 of the bytes], ...]`, sorted by name.
pub fn content_digest<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<String, json::WriteError> {
    let mut pairs: Vec<(&str, &str)> = files.into_iter().collect();
    pairs.sort_unstable();
    Ok(short_sha256(json::ascii_compact_sorted(&json!(pairs))?.as_bytes()))
}

/// The id of the ingestion of this content under this profile revision.
pub fn ingestion_id(profile: &str, revision: &str, content_digest: &str) -> String {
    uuid_v5(&format!("{CONSUMER}|{profile}|{revision}|{content_digest}"))
}

/// The id of a chunk, stable as long as its place is.
pub fn chunk_id(collection: &str, source: &str, chunk_index: usize) -> String {
    uuid_v5(&format!("{collection}|{source}|{chunk_index}"))
}

/// The lower-case hex text of a SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn short_sha256(bytes: &[u8]) -> String {
    let mut text = sha256_hex(bytes);
    text.truncate(SHORT_HEX);
    text
}

/// A version 5 identifier in the URL namespace (RFC 9562 section 5.5).
fn uuid_v5(name: &str) -> String {
    let mut hasher = Sha1::new();
    hasher.update(URL_NAMESPACE);
    hasher.update(name.as_bytes());
    let mut bytes = hasher.finalize();
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = hex(&bytes[..16]);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_equal_those_of_the_committed_rows() {
        for (name, path, revision) in [
            ("baseline_curated", "subset", "64ce0e99ef6a24b1"),
            ("graph_native", "graph_native", "c35e3024a2853815"),
            ("cyber_threat_intel", "cyber_threat_intel", "bfc79c213d77cf5e"),
            ("showcase_default", "raw", "66a5a03174e5bbd7"),
        ] {
            let declaration = Declaration {
                consumer: "rag-showcase",
                name,
                path,
                parser_order: &["docling", "tika", "plain_text"],
                vector_targets: json!([{"backend": "weaviate", "collection_prefix": "RagBase", "on_unavailable": "fail"}]),
                graph_targets: json!([{"backend": "lightrag", "mode": "upload_documents", "wait_for_extraction": true,
                    "timeout_seconds": 3600, "on_unavailable": "fail"}]),
            };
            assert_eq!(declaration.revision().unwrap(), revision, "{name}");
        }
    }

    #[test]
    fn content_digests_equal_the_vectors() {
        let hi = sha256_hex(b"hi");
        let nothing = sha256_hex(b"");
        assert_eq!(content_digest([]).unwrap(), "4f53cda18c2baa0c");
        assert_eq!(content_digest([("t/a.md", hi.as_str())]).unwrap(), "265b975b4e5b2691");
        let two = [("t/b.md", nothing.as_str()), ("t/a.md", hi.as_str())];
        assert_eq!(content_digest(two).unwrap(), "e13e4aa34a6cf505");
    }

    #[test]
    fn chunk_ids_are_name_based() {
        assert_eq!(chunk_id(&collection("p"), "t/a.md", 0), "c5da8fc5-0cbf-5f2c-87f8-090da7f76113");
    }
}
