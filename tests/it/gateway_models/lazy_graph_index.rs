//! Vectors TV-52 to TV-58: identities, sizes and the bytes of the cache file.

use super::shared::{self, chunk, waterworks};
use ragsql::gateway::lazy_graph::{Index, chunk_id, corpus_fingerprint};
use serde_json::Value;
use sha2::{Digest, Sha256};

#[test]
fn chunk_ids_separate_title_from_text() {
    let ids: Vec<String> = waterworks().iter().map(chunk_id).collect();
    assert_eq!(
        ids,
        [
            "666575d909bd0508f887dc94",
            "b5f0da4a873342a4b5394837",
            "9f1a738397b7997a91d9c0ef",
            "076f10d18f69c9628323bf90"
        ]
    );
    for (title, text, id) in [
        ("", "", "6e340b9cffb37a989ca544e6"),
        ("ab", "c", "6c032e631d39a14d85aff7e3"),
        ("a", "bc", "40bb547d936bbd31318ee37a"),
    ] {
        assert_eq!(chunk_id(&chunk(title, text)), id);
    }
}

#[test]
fn fingerprints_ignore_order_but_not_density_or_duplicates() {
    let mut chunks = waterworks();
    let at_24 = "38fb0854dc5a217825c101b6b681df2b235a8f12f567540d5157f7006b0c26be";
    assert_eq!(corpus_fingerprint(&chunks, 24), at_24);
    chunks.reverse();
    assert_eq!(corpus_fingerprint(&chunks, 24), at_24);
    assert_eq!(corpus_fingerprint(&chunks, 8), "d00014bd171c7b6149dc926e569a8aa7b06fc61c97723df51b6a21dd2b9c3ee3");
    chunks.push(waterworks()[0].clone());
    assert_eq!(corpus_fingerprint(&chunks, 24), "af93a2066fbdfdc4a873add84cd894cfb0516bc9a2c377c5d086699007b27e4d");
    assert_eq!(corpus_fingerprint(&[], 24), "8668213001415ed9d02fb4e82be1b6bc2b9383b0998f1d560542f9e88f3cc897");
}

#[test]
fn sizes_follow_the_concept_density() {
    for (density, concepts, edges) in [(4, 13, 24), (8, 26, 102), (24, 26, 130)] {
        let index = Index::build(&waterworks(), density);
        assert_eq!((index.chunk_count(), index.concept_count(), index.edge_count()), (4, concepts, edges));
    }
    let empty = Index::build(&[], 24);
    assert_eq!((empty.chunk_count(), empty.concept_count(), empty.edge_count()), (0, 0, 0));
}

#[test]
fn a_chunk_indexed_twice_is_listed_once_with_double_weights() {
    let pump = waterworks()[0].clone();
    let index = Index::build(&[pump.clone(), pump], 24);
    assert_eq!((index.chunk_count(), index.edge_count()), (1, 45));
    let stored: Value = serde_json::from_str(&index.write()).unwrap();
    let weights = stored["edges"].as_object().unwrap().values().flat_map(|edges| edges.as_object().unwrap().values());
    assert!(weights.clone().all(|weight| weight.as_u64() == Some(2)));
    assert_eq!(weights.count(), 90);
}

#[test]
fn the_cache_file_is_byte_exact() {
    let text = Index::build(&waterworks(), 24).write();
    assert_eq!(text.len(), 5_597);
    let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "3da5266564bca88f7cab1a27199710a3a38412f5fe7303388088217e2f488118");
    let stored: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        shared::texts(&stored["chunks"]["666575d909bd0508f887dc94"]["concepts"]).join("|"),
        "pump alpha|pump|alpha|grid nine|pump.md|moves|water|needs|grid|nine"
    );
    if let Some(lazy) = shared::vectors("lazy") {
        assert_eq!(stored, lazy["index"]);
    }
}

#[test]
fn writing_and_reading_an_index_loses_nothing() {
    let mut chunks = waterworks();
    chunks.push(chunk("caf\u{e9} \"menu\".md", "Tab\there, line\nthere, \u{1f50e} everywhere. Solo"));
    chunks.push(chunk("", ""));
    let index = Index::build(&chunks, 24);
    let text = index.write();
    assert!(text.is_ascii());
    let read = Index::read(&text).unwrap();
    assert_eq!(read, index);
    assert_eq!(read.write(), text);
}

#[test]
fn a_text_that_does_not_hold_together_is_no_index() {
    let good = Index::build(&waterworks(), 24).write();
    for (from, to) in [
        ("\"version\":1", "\"version\":2"),
        ("\"version\":1", "\"version\":null"),
        ("\"afloat\":[\"076f10d18f69c9628323bf90\"]", "\"afloat\":[\"nobody\"]"),
        ("\"ships\":1", "\"ships\":0"),
        ("\"ships\":1", "\"ships\":\"1\""),
        ("\"id\":\"076f", "\"id\":\"176f"),
        ("\"fingerprint\"", "\"finger\""),
    ] {
        assert!(good.contains(from));
        assert!(Index::read(&good.replace(from, to)).is_err(), "{from} -> {to}");
    }
    for text in ["", "[]", "{}", "null", "{not json"] {
        assert!(Index::read(text).is_err(), "{text}");
    }
}
