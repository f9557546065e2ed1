//! `ragsql run` on built-in models.

use super::project::Project;
use serde_json::Value;

#[test]
fn a_run_leaves_evidence_summary_matrix_warehouse_and_a_ranking() {
    let project = Project::new();
    let told = project.ragsql(&["run"]).ends_with(0);
    let rows = project.rows("harbour");
    assert_eq!(rows.len(), 9);
    assert!(rows.iter().all(|row| row["status"] == "ok"), "{rows:?}");
    assert!(rows.iter().all(|row| row["evidence"]["transport"] == "structured"));
    assert!(rows.iter().any(|row| row["question"]["id"] == "007"), "ids are text as typed");
    let code =
        rows.iter().find(|row| row["question"]["id"] == "007" && row["approach"]["model"] == "hybrid-rag").unwrap();
    assert!(code["evidence"]["answer"].as_str().unwrap().contains("lock gate is stuck"), "{code}");
    for metric in ["latency_ms", "faithfulness", "answer_relevancy"] {
        assert!(told.out.contains(metric), "no table for {metric}:\n{}", told.out);
    }
    assert!(told.out.contains("3/3"), "every mean stands beside its count:\n{}", told.out);
    let evaluation: Value = serde_json::from_str(&project.read("compare/results/harbour-evaluation.json")).unwrap();
    assert_eq!(evaluation["overall"]["coverage"]["ok"], 9);
    let matrix = project.read("compare/results/harbour-matrix.json");
    assert!(matrix.ends_with("}\n"));
    assert_eq!(serde_json::from_str::<Value>(&matrix).unwrap()["cells"].as_array().unwrap().len(), 9);
    assert!(project.read("compare/results/harbour.csv").starts_with("scope,dataset_id,"));
    let counted = project.ragsql(&["sql", "select count(*) as n from cells where status = 'ok'"]).ends_with(0);
    assert!(counted.out.contains('9'), "{}", counted.out);
}

#[test]
fn running_again_calls_nobody_and_changes_no_byte_of_the_evidence() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let (evidence, events) =
        (project.read("compare/results/harbour.jsonl"), project.read("compare/results/harbour.events.jsonl"));
    let evaluation = project.read("compare/results/harbour-evaluation.json");
    // Without its index the gateway would have to ingest again: it must not even start.
    let index = project.path("compare/results/corpus-builtin-hashed-subword-256.duckdb");
    std::fs::remove_file(&index).unwrap();
    let told = project.ragsql(&["run"]).ends_with(0).complains("9 of 9 cells are on disk already");
    assert!(!told.err.contains("ingest"), "{}", told.err);
    assert_eq!(project.read("compare/results/harbour.jsonl"), evidence);
    assert_eq!(project.read("compare/results/harbour.events.jsonl"), events);
    assert_eq!(project.read("compare/results/harbour-evaluation.json"), evaluation);
    assert!(!index.exists());
}

#[test]
fn a_smaller_selection_grows_into_the_whole_one() {
    let project = Project::new();
    project.ragsql(&["run", "--limit", "1", "--models", "hybrid-rag"]).ends_with(0);
    let first = project.read("compare/results/harbour.jsonl");
    project.ragsql(&["run", "--questions", "ferry,007"]).ends_with(0).complains("1 of 6 cells are on disk already");
    project.ragsql(&["run"]).ends_with(0).complains("6 of 9 cells are on disk already");
    let all = project.read("compare/results/harbour.jsonl");
    assert!(all.starts_with(&first));
    assert_eq!(all.lines().count(), 9);
}

#[test]
fn a_deleted_warehouse_is_rebuilt_from_the_evidence() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let ask = ["sql", "select approach, metric, score, reason from scores join cells using (row_id) order by all"];
    let before = project.ragsql(&ask).ends_with(0).out;
    std::fs::remove_file(project.path("compare/results/warehouse.duckdb")).unwrap();
    assert_eq!(project.ragsql(&ask).ends_with(0).out, before);
}

#[test]
fn environment_twins_name_the_files_as_the_earlier_system_did() {
    let project = Project::new();
    let output = project
        .command(&["run", "--limit", "1"])
        .env("MATRIX_RESULTS_FILE", "live.matrix.json")
        .env("MATRIX_MODELS", " vanilla-rag , ,hybrid-rag")
        .env("MATRIX_FLAVORS", "")
        .env("MATRIX_DATASET_ID", "harbour")
        .env("MATRIX_RUN_ID", "")
        .output()
        .unwrap();
    super::project::Told::from(output).ends_with(0);
    let rows = project.rows("live.matrix");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["run_id"], "live.matrix");
    assert!(project.path("compare/results/live.matrix-summary.json").exists());
    assert!(project.path("compare/results/live.matrix.json").exists());
}

#[test]
fn two_runs_at_once_in_one_project_both_finish() {
    let project = Project::new();
    let mut first = project.command(&["run", "--run-id", "one"]).spawn().unwrap();
    let mut second = project.command(&["run", "--run-id", "two"]).spawn().unwrap();
    assert!(first.wait().unwrap().success());
    assert!(second.wait().unwrap().success());
    for run in ["one", "two"] {
        assert_eq!(project.rows(run).len(), 9);
    }
    let told = project.ragsql(&["sql", "select run_id, count(*) as n from cells group by run_id order by run_id"]);
    assert!(told.ends_with(0).out.contains("two"));
}
