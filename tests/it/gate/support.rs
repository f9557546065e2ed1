//! Projects whose runs are written down score by score.

use crate::cli::project::Project;
use crate::statistics::support::{Cells, fail, set_score};
use serde_json::{Value, json};

/// The dataset of every cell here.
pub const DATASET: &str = "harbour";

/// One run of dataset `harbour`: scores of one metric, one question each; null is a score that failed.
pub fn cells(run_id: &str, approach: &str, metric: &str, scores: &[Option<f64>]) -> Cells {
    let mut cells = Cells::default();
    cells.scores(DATASET, 1, approach, metric, scores);
    of_run(run_id, cells)
}

/// The same cells as those of another run.
pub fn of_run(run_id: &str, mut cells: Cells) -> Cells {
    for cell in &mut cells.0 {
        cell["run_id"] = run_id.into();
        let id = cell["row_id"].as_str().unwrap().rsplit(' ').next().unwrap().to_owned();
        cell["row_id"] = format!("{run_id} {id}").into();
        cell["metrics"]["ragas"]["evaluator_model"] = "builtin/lexical-evaluator".into();
    }
    cells
}

/// Scores without a gap.
pub fn all(scores: &[f64]) -> Vec<Option<f64>> {
    scores.iter().copied().map(Some).collect()
}

/// A project that holds these runs as evidence, and this section `gate`.
pub fn project(runs: &[(&str, Cells)], gate: &str) -> Project {
    let project = Project::new();
    for (run_id, cells) in runs {
        project.write(&format!("compare/results/{run_id}.jsonl"), &cells.lines(0));
    }
    let manifest = project.read("compare/evaluation.yaml");
    project.write("compare/evaluation.yaml", &(manifest + gate));
    project
}

/// Every cell of a run fails.
pub fn failed(mut cells: Cells) -> Cells {
    for cell in &mut cells.0 {
        fail(cell, "timeout");
    }
    cells
}

/// Adds a second metric to every cell.
pub fn and_metric(mut cells: Cells, metric: &str, scores: &[Option<f64>]) -> Cells {
    for (cell, score) in cells.0.iter_mut().zip(scores) {
        set_score(cell, metric, *score);
    }
    cells
}

/// What `--json` printed.
pub fn document(out: &str) -> Value {
    ragsql::json::parse_strict(out).unwrap()
}

/// The one row of a rule for an approach.
#[track_caller]
pub fn row<'a>(document: &'a Value, rule: &str, approach: Option<&str>) -> &'a Value {
    let wanted = json!(approach);
    let matches = |row: &&Value| row["rule"] == rule && (approach.is_none() || row["approach"] == wanted);
    let found: Vec<&Value> = document["rows"].as_array().unwrap().iter().filter(matches).collect();
    assert_eq!(found.len(), 1, "{rule} of {approach:?} in {document}");
    found[0]
}
