//! What a gate does not begin with: exit code 2, with the place in the manifest.

use super::support::{all, cells, project};
use crate::cli::project::{Project, Told};

const SCORES: [f64; 6] = [0.9, 0.8, 1.0, 0.7, 0.6, 0.85];

fn two_runs(gate: &str) -> Project {
    let run = |name| (name, cells(name, "heron", "faithfulness", &all(&SCORES)));
    project(&[run("new"), run("old")], gate)
}

fn refuse(gate: &str) -> Told {
    let told = two_runs(gate).ragsql(&["gate", "--candidate", "new", "--baseline", "old"]).ends_with(2);
    assert_eq!(told.out, "");
    told
}

#[test]
fn a_metric_that_does_not_exist_is_named_with_its_line() {
    let told = refuse("gate:\n  checks:\n    - {metric: faithfulnes, margin: 0.05}\n");
    told.complains("compare/evaluation.yaml:14:16: unknown metric `faithfulnes`")
        .complains("did you mean `faithfulness`?");
}

#[test]
fn a_check_without_a_margin_or_anything_else_is_refused_with_its_line() {
    refuse("gate:\n  checks:\n    - metric: faithfulness\n")
        .complains("compare/evaluation.yaml:14:7: the check holds nothing; there is no margin by default")
        .complains("give `margin`, `min_mean`");
}

#[test]
fn checking_the_files_checks_the_gate_too() {
    let project = two_runs("gate:\n  checks:\n    - {metric: faithfulnes, margin: 0.05}\n");
    project.ragsql(&["check"]).ends_with(2).complains("compare/evaluation.yaml:14:16: unknown metric `faithfulnes`");
    let project = two_runs(MARGIN);
    let told = project.ragsql(&["check"]).ends_with(0);
    assert!(told.out.contains("gate        1 rule in 1 check\n"), "{}", told.out);
}

#[test]
fn numbers_that_the_metric_cannot_reach_are_refused() {
    refuse("gate:\n  checks:\n    - {metric: faithfulness, min_mean: 70}\n")
        .complains("`faithfulness` is from 0 to 1, never 70");
    refuse("gate:\n  checks:\n    - {metric: faithfulness, margin: 1}\n")
        .complains("a margin of 1 lets everything pass");
    refuse("gate:\n  checks:\n    - {metric: latency_ms, min_mean: 5}\n")
        .complains("lower is better for `latency_ms`: give `max_mean`");
    refuse("gate:\n  checks:\n    - {metric: faithfulness, max_mean: 0.5}\n")
        .complains("higher is better for `faithfulness`: give `min_mean`");
}

#[test]
fn a_manifest_without_a_gate_says_where_one_is_shown() {
    refuse("").complains("`compare/evaluation.yaml` has no section `gate`").complains("docs/guide/ci.md");
}

const MARGIN: &str = "gate:\n  checks:\n    - {metric: faithfulness, margin: 0.05}\n";

#[test]
fn runs_that_do_not_exist_and_a_run_against_itself_are_refused() {
    let project = two_runs(MARGIN);
    for arguments in [["--candidate", "newer", "--baseline", "old"], ["--candidate", "new", "--baseline", "older"]] {
        let told = project.ragsql(&[&["gate"], &arguments[..]].concat()).ends_with(2);
        told.complains("there is no run `").complains("hint: runs there are: new, old");
    }
    let told = project.ragsql(&["gate", "--candidate", "new", "--baseline", "new"]).ends_with(2);
    told.complains("`new` is candidate and baseline, so nothing could fail");
    assert!(!project.path("compare/results/gate").exists(), "what is refused is no attempt");
}

#[test]
fn without_a_baseline_the_checks_against_one_are_not_run() {
    let project = two_runs(MARGIN);
    let told = project.ragsql(&["gate", "--candidate", "new"]).ends_with(4);
    assert!(told.out.contains("margin 0.05: not run, there is no baseline"), "{}", told.out);
    told.complains("there is no baseline").complains("give --baseline RUN");
    let pinned = two_runs("gate:\n  baseline: old\n  checks:\n    - {metric: faithfulness, margin: 0.05}\n");
    pinned.ragsql(&["gate", "--candidate", "new"]).ends_with(0);
}
