//! Vectors TV-59 to TV-70: scores, budgets and the order of visits, equal to the last bit.

use super::shared::{self, chunk, ranking, seeds, waterworks};
use ragsql::gateway::lazy_graph::{Hit, Index, Limits, chunk_id};
use serde_json::{Value, json};

/// Question, seeds, budget, chunks, expected hits, visits, expected first visits.
type Case<'a> = (&'a str, &'a [&'a str], usize, usize, &'a [(&'a str, f64)], usize, &'a str);

const CASES: &[Case] = &[
    ("Which lock keeps ships afloat?", &[], 1, 8, &[("lock.md", 4.0)], 1, "afloat"),
    ("Which lock keeps ships afloat?", &[], 3, 8, &[("lock.md", 12.0), ("valve.md", 4.0)], 3, "afloat|keeps|lock"),
    (
        "Which lock keeps ships afloat?",
        &[],
        24,
        8,
        &[("lock.md", 22.0), ("valve.md", 15.0), ("grid.md", 4.25), ("pump.md", 1.0625)],
        24,
        "afloat|keeps|lock|ships|harbor|harbor lock|lock.md|controls",
    ),
    (
        "What does Pump Alpha need?",
        &["pump.md", "grid.md"],
        2,
        2,
        &[("pump.md", 11.0), ("grid.md", 1.5)],
        2,
        "alpha|pump",
    ),
    (
        "What does Pump Alpha need?",
        &["grid.md", "pump.md", "lock.md"],
        8,
        3,
        &[("pump.md", 22.5), ("grid.md", 18.0), ("lock.md", 1.0)],
        8,
        "alpha|pump|pump alpha|grid|grid nine|grid.md|nine|powers",
    ),
    ("zebra quagga", &["valve.md"], 0, 0, &[("valve.md", 6.0)], 1, "controls"),
    ("zebra quagga", &["ghost.md"], 5, 3, &[("ghost.md", 0.77)], 0, ""),
    ("zebra quagga", &["ghost.md", "valve.md"], 1, 3, &[("valve.md", 3.0)], 1, "controls"),
    ("zebra quagga", &["valve.md", "valve.md"], 1, 3, &[("valve.md", 7.5)], 1, "controls"),
    (
        "Grid Nine Valve Station Harbor Lock",
        &[],
        4,
        4,
        &[("lock.md", 12.0), ("valve.md", 12.0), ("grid.md", 4.0), ("pump.md", 4.0)],
        4,
        "grid|harbor|harbor lock|lock",
    ),
];

fn limits(relevance_budget: usize, max_context_chunks: usize) -> Limits {
    Limits { relevance_budget, max_context_chunks }
}

#[test]
fn expansions_of_the_documented_questions() {
    let chunks = waterworks();
    let index = Index::build(&chunks, 24);
    for (question, titles, budget, contexts, hits, tests, visited) in CASES {
        let found = index.retrieve(question, &seeds(&chunks, titles), limits(*budget, *contexts));
        assert_eq!(ranking(&found.hits), *hits, "{question} {titles:?} {budget}");
        assert_eq!(found.relevance_tests, *tests);
        assert!(found.visited.join("|").starts_with(visited), "{:?}", found.visited);
    }
}

#[test]
fn an_index_from_a_file_expands_like_a_fresh_one() {
    let chunks = waterworks();
    let built = Index::build(&chunks, 24);
    let read = Index::read(&built.write()).unwrap();
    for (question, titles, budget, contexts, ..) in CASES {
        let seeds = seeds(&chunks, titles);
        let limits = limits(*budget, *contexts);
        assert_eq!(built.retrieve(question, &seeds, limits), read.retrieve(question, &seeds, limits));
    }
}

#[test]
fn nothing_known_and_no_seed_gives_nothing() {
    let found = Index::build(&waterworks(), 24).retrieve("zebra quagga", &[], limits(24, 8));
    assert!(found.hits.is_empty() && found.visited.is_empty() && found.relevance_tests == 0);
    let found = Index::build(&[], 24).retrieve("Pump Alpha", &[], limits(24, 8));
    assert!(found.hits.is_empty());
}

#[test]
fn expansions_equal_the_shared_vectors() {
    let Some(lazy) = shared::vectors("lazy") else { return };
    let chunks = waterworks();
    let index = Index::build(&chunks, 24);
    for case in lazy["retrieve"].as_array().unwrap() {
        let titles = shared::texts(&case["seeds"]);
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let number = |key: &str| case[key].as_u64().unwrap() as usize;
        let limits = limits(number("budget"), number("max_context"));
        let found = index.retrieve(case["question"].as_str().unwrap(), &seeds(&chunks, &titles), limits);
        assert_eq!(json!(ranking(&found.hits)), case["hits"], "{case}");
        assert_eq!(found.relevance_tests, number("tests"));
        assert_eq!(found.visited, shared::texts(&case["visited"]));
    }
}

/// An index made by hand: one chunk per concept, titled like it in capitals, and symmetric edges.
fn hand_made(concepts: &[&str], edges: &[(&str, &str, u64)]) -> (Vec<Hit>, Index) {
    let chunks: Vec<Hit> =
        concepts.iter().map(|name| Hit { chunk: chunk(&name.to_uppercase(), ""), score: None }).collect();
    let id = |name: &str| chunk_id(&chunk(&name.to_uppercase(), ""));
    let mut weights = json!({});
    for (left, right, weight) in edges {
        weights[left][right] = json!(weight);
        weights[right][left] = json!(weight);
    }
    let stored = json!({
        "version": 1,
        "fingerprint": "by hand",
        "chunks": concepts.iter().map(|name| (id(name), json!({
            "id": id(name), "title": name.to_uppercase(), "text": "", "concepts": [name],
        }))).collect::<serde_json::Map<String, Value>>(),
        "concept_chunks": concepts.iter().map(|name| ((*name).to_owned(), json!([id(name)])))
            .collect::<serde_json::Map<String, Value>>(),
        "edges": weights,
    });
    (chunks, Index::read(&stored.to_string()).unwrap())
}

#[test]
fn weights_share_a_score_in_proportion_to_the_heaviest() {
    let (chunks, index) = hand_made(&["s", "p", "q", "r"], &[("s", "p", 10), ("s", "q", 1), ("p", "r", 4)]);
    let found = index.retrieve("none here at all", &chunks[..1], limits(10, 10));
    assert_eq!(ranking(&found.hits), [("S", 6.0), ("P", 1.5), ("R", 0.30000000000000004), ("Q", 0.15000000000000002)]);
    assert_eq!(found.visited, ["s", "p", "r", "q"]);
}

#[test]
fn only_the_sixteen_heaviest_neighbours_are_followed() {
    let names: Vec<String> = (0..20).map(|number| format!("n{number:02}")).collect();
    let concepts: Vec<&str> = std::iter::once("hub").chain(names.iter().map(String::as_str)).collect();
    let edges: Vec<(&str, &str, u64)> =
        names.iter().map(|name| ("hub", name.as_str(), if name == "n19" { 2 } else { 1 })).collect();
    let (_, index) = hand_made(&concepts, &edges);
    let found = index.retrieve("hub", &[], limits(64, 64));
    let expected: Vec<&str> = ["hub", "n19"].into_iter().chain(names[..15].iter().map(String::as_str)).collect();
    assert_eq!(found.visited, expected);
    assert_eq!(found.relevance_tests, 17);
    assert_eq!(ranking(&found.hits)[..3], [("HUB", 4.0), ("N19", 2.0), ("N00", 1.0)]);
}
