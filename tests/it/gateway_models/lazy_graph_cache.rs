//! Vectors TV-71 and TV-72: file names, and when a cache counts.

use super::shared::{chunk, ranking, seeds, waterworks};
use ragsql::gateway::lazy_graph::{Chunk, LazyGraph, Limits, Loaded, namespace, namespace_file};
use std::fs;
use std::path::Path;

#[test]
fn a_namespace_cannot_leave_the_cache_folder() {
    for (name, file) in [
        ("RagBase.concepts-24", "RagBase.concepts-24.json"),
        ("a/b c", "a-b-c.json"),
        ("../x", "x.json"),
        ("--a--", "a.json"),
        ("...", "default.json"),
        ("\u{e9}", "default.json"),
        ("", "default.json"),
    ] {
        assert_eq!(namespace_file(name), file, "{name:?}");
    }
    assert_eq!(namespace("RagBase", 16), "RagBase.concepts-16");
}

/// Asks as a fresh process would: only the file can know.
fn ask(folder: &Path, chunks: &[Chunk], density: i64) -> (bool, usize, usize, usize) {
    let Loaded { index, cache_hit, seconds } =
        LazyGraph::new(folder).load_or_build("RagBase.concepts-24", chunks, density, None).unwrap();
    assert!(seconds >= 0.0);
    (cache_hit, index.chunk_count(), index.concept_count(), index.edge_count())
}

#[test]
fn a_cache_file_counts_only_when_it_is_whole_and_of_this_corpus() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("not/there/yet");
    let file = folder.join("RagBase.concepts-24.json");
    let chunks = waterworks();
    let reordered: Vec<Chunk> = chunks.iter().rev().cloned().collect();
    let mut changed = chunks.clone();
    changed[3].text = changed[3].text.to_uppercase().to_lowercase();
    let edit = |from: &str, to: &str| {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from));
        fs::write(&file, text.replace(from, to)).unwrap();
    };

    assert_eq!(ask(&folder, &chunks, 24), (false, 4, 26, 130), "cold");
    assert_eq!(ask(&folder, &chunks, 24), (true, 4, 26, 130), "warm");
    assert_eq!(ask(&folder, &reordered, 24), (true, 4, 26, 130), "reordered");
    assert!(!ask(&folder, &changed, 24).0, "text changed");
    assert_eq!(ask(&folder, &chunks, 24), (false, 4, 26, 130), "changed back");
    assert_eq!(ask(&folder, &chunks, 8), (false, 4, 26, 102), "another density under the same name");
    fs::write(&file, "{broken").unwrap();
    assert_eq!(ask(&folder, &chunks, 24), (false, 4, 26, 130), "corrupt");
    edit("\"version\":1", "\"version\":2");
    assert_eq!(ask(&folder, &chunks, 24), (false, 4, 26, 130), "version 2");
    edit("\"version\":1", "\"version\":true");
    assert_eq!(ask(&folder, &chunks, 24), (true, 4, 26, 130), "version true");
    let text = fs::read_to_string(&file).unwrap();
    let (start, end) = (text.find("\"edges\":").unwrap(), text.find(",\"fingerprint\"").unwrap());
    fs::write(&file, format!("{}\"edges\":{{}}{}", &text[..start], &text[end..])).unwrap();
    assert_eq!(ask(&folder, &chunks, 24), (true, 4, 26, 0), "edges emptied, fingerprint kept");
    fs::write(&file, "[]").unwrap();
    assert_eq!(ask(&folder, &chunks, 24), (false, 4, 26, 130), "an array");

    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["RagBase.concepts-24.json"], "no temporary file stays");
}

#[test]
fn memory_answers_as_long_as_corpus_and_file_are_the_same() {
    let home = tempfile::tempdir().unwrap();
    let graph = LazyGraph::new(home.path());
    let chunks = waterworks();
    assert!(graph.resident("space", "digest a").is_none());
    let built = graph.load_or_build("space", &chunks, 24, Some("digest a")).unwrap();
    let resident = graph.resident("space", "digest a").unwrap();
    assert!(!built.cache_hit && resident.cache_hit);
    assert!(std::sync::Arc::ptr_eq(&built.index, &resident.index), "the same index, not a second reading");
    let again = graph.load_or_build("space", &chunks, 24, Some("digest a")).unwrap();
    assert!(again.cache_hit && std::sync::Arc::ptr_eq(&built.index, &again.index));

    assert!(graph.resident("space", "digest b").is_none(), "another corpus");
    assert!(graph.resident("other", "digest a").is_none(), "another namespace");
    fs::write(home.path().join("space.json"), "{broken").unwrap();
    assert!(graph.resident("space", "digest a").is_none(), "another file");
    assert!(!graph.load_or_build("space", &chunks, 24, Some("digest a")).unwrap().cache_hit);
    fs::remove_file(home.path().join("space.json")).unwrap();
    assert!(!graph.load_or_build("space", &chunks, 24, Some("digest a")).unwrap().cache_hit);
}

#[test]
fn densities_do_not_evict_each_other() {
    let home = tempfile::tempdir().unwrap();
    let graph = LazyGraph::new(home.path());
    let ask = |density| {
        let name = namespace("RagBase", density);
        graph.load_or_build(&name, &waterworks(), density, None).unwrap().cache_hit
    };
    assert_eq!([ask(24), ask(24), ask(16), ask(32), ask(24)], [false, true, false, false, true]);
    let mut files: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["RagBase.concepts-16.json", "RagBase.concepts-24.json", "RagBase.concepts-32.json"]);
}

/// Vector TV-73, without its HTTP: one collection asked with four flavors in turn.
#[test]
fn flavors_share_a_collection_but_not_an_index() {
    let home = tempfile::tempdir().unwrap();
    let graph = LazyGraph::new(home.path());
    let chunks = waterworks();
    let seeds = seeds(&chunks, &["grid.md", "pump.md"]);
    let ask = |density, relevance_budget, max_context_chunks| {
        let loaded = graph.load_or_build(&namespace("RagBase", density), &chunks, density, None).unwrap();
        let limits = Limits { relevance_budget, max_context_chunks };
        let found = loaded.index.retrieve("What does Pump Alpha need?", &seeds, limits);
        let scores: Vec<(String, f64)> =
            ranking(&found.hits).into_iter().map(|(title, score)| (title.to_owned(), score)).collect();
        (loaded.cache_hit, scores, found.relevance_tests)
    };
    let scores = |expected: &[(&str, f64)]| -> Vec<(String, f64)> {
        expected.iter().map(|(title, score)| ((*title).to_owned(), *score)).collect()
    };
    let base = scores(&[("pump.md", 30.5), ("grid.md", 27.0), ("valve.md", 14.25), ("lock.md", 2.625)]);
    assert_eq!(ask(24, 24, 8), (false, base.clone(), 24), "base");
    assert_eq!(ask(24, 24, 8), (true, base.clone(), 24), "balanced has the parameters of the base");
    let (hit, fast, tests) = ask(16, 8, 4);
    assert_eq!((hit, &fast[..2], tests), (false, &scores(&[("pump.md", 22.5), ("grid.md", 18.0)])[..], 8), "fast");
    let (hit, wide, tests) = ask(32, 64, 12);
    assert_eq!((hit, wide.last().unwrap(), tests), (false, &("lock.md".to_owned(), 3.0), 26), "wide");
    assert_eq!(ask(24, 24, 8), (true, base, 24), "base again");
}

#[test]
fn many_threads_build_a_namespace_once() {
    let home = tempfile::tempdir().unwrap();
    let graph = LazyGraph::new(home.path());
    let chunks: Vec<Chunk> = (0..200)
        .map(|number| chunk(&format!("{number}.md"), &format!("Unit Number{number} feeds Grid Nine.")))
        .collect();
    let builds: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| graph.load_or_build("space", &chunks, 24, None).unwrap().cache_hit))
            .collect();
        threads.into_iter().map(|thread| usize::from(!thread.join().unwrap())).sum()
    });
    assert_eq!(builds, 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_that_names_it() {
    let home = tempfile::tempdir().unwrap();
    let blocked = home.path().join("file");
    fs::write(&blocked, "").unwrap();
    let error = LazyGraph::new(blocked.join("cache")).load_or_build("space", &waterworks(), 24, None).unwrap_err();
    assert!(error.to_string().contains("cache"), "{error}");
    assert!(error.to_string().starts_with("the lazy graph cache folder `"), "{error}");

    // A folder in the place of the file: the rename fails, and the hidden file goes away again.
    fs::create_dir_all(home.path().join("taken/space.json/occupied")).unwrap();
    let error = LazyGraph::new(home.path().join("taken")).load_or_build("space", &waterworks(), 24, None).unwrap_err();
    assert!(error.to_string().contains("space.json"), "{error}");
    assert_eq!(fs::read_dir(home.path().join("taken")).unwrap().count(), 1);
}
