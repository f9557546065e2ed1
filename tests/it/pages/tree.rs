//! Trees of published files that several cases render.

use ragsql::report::site::{DatasetFacts, FlavorFacts, SiteInputs, SnapshotPaths, load};
use ragsql::warehouse::Warehouse;
use ragsql::warehouse::catalogue::Catalogue;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::embedded(None).unwrap());

/// A path below the shared folder; nothing when it is not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    let is_there = found.exists();
    println!("{path}: {}", if is_there { "used" } else { "absent, own fixtures only" });
    is_there.then_some(found)
}

/// The three published files of one tier.
pub fn paths(stem: &str) -> SnapshotPaths {
    SnapshotPaths {
        evaluation: Some(format!("{stem}-evaluation.json")),
        judgments: Some(format!("{stem}-judgments.json")),
        evidence: Some(format!("{stem}-evidence.jsonl")),
    }
}

pub fn measured(id: &str, level: i64, base: &str, flavors: &str) -> DatasetFacts {
    DatasetFacts {
        id: id.to_owned(),
        complexity_level: Some(level),
        status: Some("measured".to_owned()),
        base: paths(base),
        flavors: paths(flavors),
        ..DatasetFacts::default()
    }
}

pub fn flavor(alias: &str, base: &str) -> FlavorFacts {
    FlavorFacts { alias: alias.to_owned(), base: base.to_owned() }
}

pub fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// The small tree of the oracle: two measured datasets and a candidate.
pub fn oracle(root: PathBuf) -> SiteInputs {
    let mut datasets = vec![
        measured("hilly", 5, "results/hilly-base", "results/hilly-flavor"),
        measured("flat", 2, "results/flat-base", "results/flat-flavor"),
    ];
    datasets.push(DatasetFacts {
        id: "later".to_owned(),
        complexity_level: Some(9),
        status: Some("candidate".to_owned()),
        ..DatasetFacts::default()
    });
    SiteInputs {
        root,
        name: "Oracle".to_owned(),
        datasets,
        base_approaches: names(&["vanilla-rag", "graph-rag", "lazy-graph-rag"]),
        flavors: vec![flavor("vanilla-rag-wide", "vanilla-rag"), flavor("lazy-graph-rag-fast", "lazy-graph-rag")],
        experimental: names(&["lazy-graph-rag"]),
        ..SiteInputs::default()
    }
}

/// A warehouse in memory that holds these facts.
pub fn warehouse(inputs: &SiteInputs) -> Warehouse<'static> {
    let warehouse = Warehouse::in_memory(&CATALOGUE).unwrap();
    load(&warehouse, inputs).unwrap();
    warehouse
}
