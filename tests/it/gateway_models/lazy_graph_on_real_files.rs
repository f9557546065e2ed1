//! Vectors TV-74 to TV-78: the scores that real runs of another implementation published for ten real files.

use super::shared;
use ragsql::gateway::lazy_graph::{Chunk, Hit, Index, Limits};
use serde_json::json;
use std::path::Path;

/// The ten files in the order of their names; a title starts with the dataset's folder.
fn files(shared: &Path) -> Vec<Chunk> {
    let folder = shared.join("data/rag-showcase/corpus/graph_native");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| Chunk {
            text: std::fs::read_to_string(folder.join(&name)).unwrap(),
            title: format!("graph_native/{name}"),
        })
        .collect()
}

/// The text of one question; the file is plain enough to find it by its id.
fn question(shared: &Path, id: &str) -> String {
    let text = std::fs::read_to_string(shared.join("data/rag-showcase/demo/graph_native_queries.yaml")).unwrap();
    let mut lines = text.lines().skip_while(|line| *line != format!("- id: {id}"));
    let line = lines.find(|line| line.trim_start().starts_with("query:")).unwrap();
    line.trim_start().trim_start_matches("query:").trim().trim_matches('"').to_owned()
}

fn seeds(files: &[Chunk], numbers: &[&str]) -> Vec<Hit> {
    numbers
        .iter()
        .map(|number| Hit { chunk: files[number.parse::<usize>().unwrap() - 1].clone(), score: None })
        .collect()
}

/// Hits as the vectors write them: the three digits of the file and the score.
fn ranking(hits: &[Hit]) -> Vec<(String, f64)> {
    let digits = |title: &str| title.trim_start_matches("graph_native/")[..3].to_owned();
    hits.iter().map(|hit| (digits(&hit.chunk.title), hit.score.unwrap())).collect()
}

#[test]
fn sizes_of_the_published_graphs() {
    let Some(shared) = shared::folder() else { return };
    let files = files(&shared);
    for (density, concepts, edges) in [(8, 59, 264), (16, 115, 1110), (24, 162, 2475), (32, 217, 4474)] {
        let index = Index::build(&files, density);
        assert_eq!((index.chunk_count(), index.concept_count(), index.edge_count()), (10, concepts, edges));
    }
}

#[test]
fn scores_of_the_published_fast_answers() {
    let Some(shared) = shared::folder() else { return };
    let vectors = shared::vectors("real_corpus").unwrap();
    let files = files(&shared);
    let index = Index::build(&files, 16);
    for (key, id, numbers) in [
        ("fast_entity", "entity_bridge", ["001", "002", "006", "007"]),
        ("fast_search", "default_search_ecosystem", ["005", "004", "006", "002"]),
        ("fast_timeline", "timeline_cause", ["007", "009", "008", "010"]),
    ] {
        let limits = Limits { relevance_budget: 8, max_context_chunks: 4 };
        let found = index.retrieve(&question(&shared, id), &seeds(&files, &numbers), limits);
        assert_eq!(json!(ranking(&found.hits)), vectors[key]["live"], "{id}");
        assert_eq!(found.visited, shared::texts(&vectors[key]["visited"]));
    }
}

#[test]
fn scores_of_a_published_balanced_answer() {
    let Some(shared) = shared::folder() else { return };
    let files = files(&shared);
    let index = Index::build(&files, 24);
    for last in ["004", "009"] {
        let seeds = seeds(&files, &["001", "002", "006", "007", "003", "005", "008", last]);
        let limits = Limits { relevance_budget: 24, max_context_chunks: 8 };
        let found = index.retrieve(&question(&shared, "entity_bridge"), &seeds, limits);
        let expected = [
            ("001", 84.0),
            ("002", 19.5),
            ("006", 15.0),
            ("007", 10.75),
            ("005", 10.5),
            ("008", 10.428571428571429),
            ("010", 10.0),
            ("003", 6.6),
        ];
        assert_eq!(json!(ranking(&found.hits)), json!(expected), "{last}");
    }
}
