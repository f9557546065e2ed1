//! The vectors and files beside the checkout, when they are there, and the little corpus that several cases use.

use ragsql::gateway::lazy_graph::{Chunk, Hit};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The folder of shared data; a test that finds none says so and relies on the values written in it.
pub fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    let present = folder.is_dir();
    println!("vectors: {}", if present { "../shared and the values in this test" } else { "the values in this test" });
    present.then_some(folder)
}

/// One part of the gateway vectors.
pub fn vectors(key: &str) -> Option<Value> {
    let text = std::fs::read_to_string(folder()?.join("contract/gateway-vectors.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    Some(all[key].clone())
}

pub fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

pub fn chunk(title: &str, text: &str) -> Chunk {
    Chunk { title: title.to_owned(), text: text.to_owned() }
}

/// The four chunks of vectors TV-52 to TV-68, in the order pump, grid, valve, lock.
pub fn waterworks() -> Vec<Chunk> {
    vec![
        chunk("pump.md", "Pump Alpha moves water. Pump Alpha needs Grid Nine."),
        chunk("grid.md", "Grid Nine powers the Valve Station."),
        chunk("valve.md", "Valve Station controls drainage near Harbor Lock."),
        chunk("lock.md", "Harbor Lock keeps ships afloat."),
    ]
}

/// Seeds by title; a title outside the corpus gives a seed the index does not know, with score 0.77.
pub fn seeds(chunks: &[Chunk], titles: &[&str]) -> Vec<Hit> {
    titles
        .iter()
        .map(|title| {
            let known = chunks.iter().find(|chunk| chunk.title == *title).cloned();
            Hit { chunk: known.unwrap_or_else(|| chunk(title, "unknown")), score: Some(0.77) }
        })
        .collect()
}

/// Titles and scores, as the vectors write hits.
pub fn ranking(hits: &[Hit]) -> Vec<(&str, f64)> {
    hits.iter().map(|hit| (hit.chunk.title.as_str(), hit.score.unwrap())).collect()
}

/// Waits for a future on a runtime that all cases share.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| tokio::runtime::Runtime::new().unwrap());
    RUNTIME.block_on(future)
}
