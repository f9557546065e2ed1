//! Every evaluation is stored, counted, and outlives the warehouse.

use super::support::{all, cells, project};
use crate::cli::project::Project;
use crate::statistics::support::Cells;
use std::fs;

const ATTEMPTS: &str = "compare/results/gate/attempts.jsonl";

fn run(run_id: &str, shift: f64) -> (&str, Cells) {
    let scores: Vec<f64> = (0..12).map(|n| 0.5 + f64::from(n * 5 % 7) / 20.0 + shift * f64::from(n % 3)).collect();
    (run_id, cells(run_id, "heron", "faithfulness", &all(&scores)))
}

fn three_candidates(more: &str) -> Project {
    let gate = format!("gate:\n{more}  checks:\n    - {{metric: faithfulness, margin: 0.05}}\n");
    project(&[run("old", 0.0), run("one", 0.01), run("two", 0.02), run("three", 0.03)], &gate)
}

fn decide(project: &Project, candidate: &str, code: i32) -> String {
    project.ragsql(&["gate", "--candidate", candidate, "--baseline", "old"]).ends_with(code).out
}

#[test]
fn the_attempt_is_counted_and_so_are_the_different_scores_behind_it() {
    let project = three_candidates("");
    let first = decide(&project, "one", 0);
    assert!(first.starts_with(" one held against old · attempt 1\n"), "{first}");
    let again = decide(&project, "one", 0);
    assert!(again.starts_with(" one held against old · attempt 2\n"), "the same scores are no new look: {again}");
    let other = decide(&project, "two", 0);
    assert!(other.starts_with(" two held against old · attempt 3 · 2 different sets of scores so far\n"), "{other}");
    assert!(other.contains("with a chance of 9.8 %"), "{other}");
    assert_eq!(project.read(ATTEMPTS).lines().count(), 3);
}

#[test]
fn declared_looks_share_the_level_and_one_more_cannot_decide() {
    let project = three_candidates("  looks_max: 2\n");
    assert!(decide(&project, "one", 0).contains("one-sided level 0.025"));
    assert!(decide(&project, "two", 0).contains("attempt 2 · look 2 of 2 declared"));
    let told = decide(&project, "three", 4);
    assert!(
        told.contains("3 different sets of scores were evaluated against this baseline; 2 were declared in advance"),
        "{told}"
    );
    let again = decide(&project, "one", 4);
    assert!(again.contains("attempt 4 · look 3 of 2 declared"), "{again}");
}

#[test]
fn attempts_outlive_the_warehouse_and_belong_to_their_baseline() {
    let project = three_candidates("");
    decide(&project, "one", 0);
    fs::remove_file(project.path("compare/results/warehouse.duckdb")).unwrap();
    assert!(decide(&project, "two", 0).contains("attempt 2"));
    let told = project.ragsql(&["gate", "--candidate", "three", "--baseline", "one"]).ends_with(0);
    assert!(told.out.starts_with(" three held against one · attempt 1\n"), "{}", told.out);
}

#[test]
fn an_evaluation_that_cannot_be_stored_is_not_told() {
    let project = three_candidates("");
    fs::create_dir_all(project.path(ATTEMPTS)).unwrap();
    let told = project.ragsql(&["gate", "--candidate", "one", "--baseline", "old"]).ends_with(3);
    assert_eq!(told.out, "");
    assert!(told.err.contains("attempts.jsonl"), "{}", told.err);
}

#[test]
fn gates_that_run_at_once_are_counted_one_after_the_other() {
    let project = three_candidates("");
    decide(&project, "one", 0);
    let start = |candidate| project.command(&["gate", "--candidate", candidate, "--baseline", "old"]).spawn().unwrap();
    let children: Vec<_> = ["one", "two", "three"].into_iter().map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let mut attempts: Vec<i64> = project
        .read(ATTEMPTS)
        .lines()
        .map(|line| ragsql::json::parse_strict(line).unwrap()["attempt_n"].as_i64().unwrap())
        .collect();
    attempts.sort_unstable();
    assert_eq!(attempts, [1, 2, 3, 4]);
}
