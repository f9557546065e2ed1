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

/// Approaches of the own tree by tier, each with its scores by question from two judges.
type Scores = [(&'static str, [[f64; 2]; 2]); 2];

const BASE: Scores = [("tide", [[4.0, 5.0], [3.0, 3.0]]), ("current", [[2.0, 2.0], [4.0, 5.0]])];
const FLAVORS: Scores = [("tide-fast", [[4.0, 4.0], [2.0, 3.0]]), ("current-deep", [[1.0, 2.0], [1.0, 1.0]])];

/// A small tree of the project's own: one measured dataset, one candidate, files that agree with each other.
pub fn own(root: &Path) -> SiteInputs {
    for (stem, scores) in [("reef-base", &BASE), ("reef-flavor", &FLAVORS)] {
        std::fs::write(root.join(format!("{stem}-evaluation.json")), evaluation("reef", scores).to_string()).unwrap();
        std::fs::write(root.join(format!("{stem}-judgments.json")), judgments("reef", scores).to_string()).unwrap();
        let line = serde_json::json!({"metrics": {"ragas": {"evaluator_model": "critic"}}});
        std::fs::write(root.join(format!("{stem}-evidence.jsonl")), format!("{line}\n")).unwrap();
    }
    let mut reef = measured("reef", 2, "reef-base", "reef-flavor");
    reef.questions_file = Some("demo/reef.yaml".to_owned());
    let candidate = DatasetFacts {
        id: "abyss".to_owned(),
        complexity_level: Some(4),
        status: Some("candidate".to_owned()),
        source_url: Some("https://example.org/abyss".to_owned()),
        ..DatasetFacts::default()
    };
    SiteInputs {
        root: root.to_owned(),
        name: "Reef".to_owned(),
        datasets: vec![candidate, reef],
        base_approaches: names(&["tide", "current"]),
        flavors: vec![flavor("tide-fast", "tide"), flavor("current-deep", "current")],
        ..SiteInputs::default()
    }
}

fn evaluation(dataset: &str, scores: &Scores) -> serde_json::Value {
    let mut approaches = serde_json::Map::new();
    for (approach, questions) in scores {
        let means = questions.map(|[one, other]| (one + other) / 2.0);
        let metric = serde_json::json!({
            "mean": 0.5, "evaluated": 2, "total": 2, "not_evaluable": 0, "errors": 0, "timeouts": 0, "coverage": 1.0
        });
        let shape = serde_json::json!({
            "judge_panel": {"mean": (means[0] + means[1]) / 2.0, "evaluated": 2, "total": 2, "coverage": 1.0},
            "operational": {
                "attempted": 2, "successful": 2, "errors": 0, "timeouts": 0, "mean_latency_ms": 12.5, "error_rate": 0.0
            },
            "ragas": {"answer_relevancy": metric.clone(), "faithfulness": metric},
        });
        approaches.insert((*approach).to_owned(), shape);
    }
    serde_json::json!({"datasets": {dataset: {"approaches": approaches}}})
}

fn judgments(dataset: &str, scores: &Scores) -> serde_json::Value {
    let question = |index: usize| {
        let of_judge = |judge: usize| -> serde_json::Map<String, serde_json::Value> {
            scores.iter().map(|(approach, given)| ((*approach).to_owned(), given[index][judge].into())).collect()
        };
        let means: Vec<(&str, f64)> =
            scores.iter().map(|(approach, given)| (*approach, (given[index][0] + given[index][1]) / 2.0)).collect();
        let winner = if means[0].1 >= means[1].1 { means[0].0 } else { means[1].0 };
        let by_approach: serde_json::Map<String, serde_json::Value> =
            means.iter().map(|(approach, mean)| ((*approach).to_owned(), (*mean).into())).collect();
        serde_json::json!({
            "query_id": format!("q{}", index + 1),
            "query": "how deep?",
            "per_judge": {"judge-a": {"scores": of_judge(0)}, "judge-b": {"scores": of_judge(1)}},
            "mean_by_approach": by_approach,
            "observed_winner": winner,
        })
    };
    serde_json::json!({
        "status": "ok", "dataset_id": dataset, "judges": ["judge-a", "judge-b"], "queries": [question(0), question(1)]
    })
}

/// Changes one JSON file of a tree.
pub fn edit(root: &Path, file: &str, change: impl FnOnce(&mut serde_json::Value)) {
    let path = root.join(file);
    let mut value = ragsql::json::parse_strict(&std::fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut value);
    std::fs::write(path, value.to_string()).unwrap();
}
