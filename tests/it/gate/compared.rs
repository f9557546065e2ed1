//! `ragsql compare` as a person uses it.

use super::support::{all, and_metric, cells, document, of_run, project};
use crate::cli::project::Project;
use crate::statistics::support::Cells;

const BEFORE: [f64; 8] = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.75, 0.85];
const AFTER: [f64; 8] = [0.7, 0.65, 0.6, 0.7, 0.5, 0.7, 0.6, 0.7];

fn two_runs() -> Project {
    let mut after = all(&AFTER);
    after[7] = None;
    let before = and_metric(cells("before", "heron", "faithfulness", &all(&BEFORE)), "answer_relevancy", &all(&BEFORE));
    let after = and_metric(cells("after", "heron", "faithfulness", &after), "answer_relevancy", &all(&BEFORE));
    project(&[("before", before), ("after", after)], "")
}

fn compare(project: &Project, more: &[&str]) -> String {
    project.ragsql(&[&["compare", "before", "after"], more].concat()).ends_with(0).out
}

#[test]
fn changes_are_paired_and_told_with_interval_bounds_and_the_words_of_the_contract() {
    let out = compare(&two_runs(), &[]);
    assert!(out.starts_with(" after held against before, on the questions that both runs have a score for\n"), "{out}");
    assert!(out.contains(" Nothing that the runs record differs between them.\n"), "{out}");
    let line = |approach: &str, part: &str| {
        let found = out.lines().find(|line| line.contains(approach) && line.contains(part));
        found.unwrap_or_else(|| panic!("no line of {approach} with `{part}` in:\n{out}")).to_owned()
    };
    let worse = line("heron", "worse");
    for part in ["7/8", "0.779", "0.636", "-0.143", "-0.184 to -0.101", "0/0/7"] {
        assert!(worse.contains(part), "`{part}` is not in `{worse}`");
    }
    line("heron:", "7/8 paired (scored: before 8, after 7); between -0.231 and -0.106 whatever the rest");
    assert!(line("heron", "identical").contains("0/8/0"));
    assert!(out.contains("step-down maximum of sign flips"), "the correction is named: {out}");
    assert!(out.contains("metrics is a look of its own"), "{out}");
    for word in ["equal", "significant", "no difference", "as good as"] {
        assert!(!out.contains(word), "`{word}` is claimed: {out}");
    }
}

#[test]
fn what_measures_the_runs_is_shown_first_and_takes_the_direction_away() {
    let project = two_runs();
    let changed = project.read("compare/results/after.jsonl").replace("builtin/lexical-evaluator", "qwen3.8");
    project.write("compare/results/after.jsonl", &changed);
    let out = compare(&project, &["--metric", "faithfulness"]);
    let differing = out.find("evaluator").unwrap();
    assert!(differing < out.find("faithfulness").unwrap(), "what differs comes first: {out}");
    assert!(out.contains("builtin/lexical-evaluator") && out.contains("qwen3.8"), "{out}");
    assert!(out.contains("so no direction is named"), "{out}");
    let row = out.lines().find(|line| line.contains(" heron ")).unwrap();
    assert!(row.contains("not comparable") && row.contains("-0.143"), "the numbers stay: {row}");
    let seeded = project.read("compare/results/after.jsonl").replace("qwen3.8", "builtin/lexical-evaluator");
    project.write("compare/results/after.jsonl", &seeded.replace("\"seed\":\"s\"", "\"seed\":\"other\""));
    assert!(compare(&project, &["--metric", "faithfulness"]).contains("not comparable"));
}

#[test]
fn json_gives_the_columns_and_statements_behind_the_tables() {
    let document = document(&compare(&two_runs(), &["--json", "--metric", "faithfulness", "--approach", "heron"]));
    assert_eq!(document["rows"].as_array().unwrap().len(), 1);
    let row = &document["rows"][0];
    assert_eq!(
        (&row["verdict"], &row["better_run"], &row["shared_n"]),
        (&"different".into(), &"baseline".into(), &7.into())
    );
    assert_eq!(document["queries"][1], "metrics/stat_runs@1");
}

#[test]
fn names_that_neither_run_has_are_refused_with_those_there_are() {
    let project = two_runs();
    for (option, value, hint) in [
        ("--metric", "faithfulnes", "did you mean `faithfulness`?"),
        ("--approach", "wren", "valid: `heron`"),
        ("--dataset", "harbor", "did you mean `harbour`?"),
    ] {
        let told = project.ragsql(&["compare", "before", "after", option, value]).ends_with(2);
        told.complains(&format!("neither run has the {} `{value}`", &option[2..])).complains(hint);
    }
    project.ragsql(&["compare", "before", "then"]).ends_with(2).complains("hint: runs there are: after, before");
    project.ragsql(&["compare", "after", "after"]).ends_with(2).complains("held against itself");
    Project::new().ragsql(&["compare", "a", "b"]).ends_with(2).complains("hint: `ragsql run` makes one");
}

#[test]
fn runs_without_a_common_question_are_refused_and_told_what_each_asked() {
    let other = {
        let mut cells = Cells::default();
        cells.scores("treaty", 1, "heron", "faithfulness", &all(&AFTER));
        of_run("after", cells)
    };
    let project = project(&[("before", cells("before", "heron", "faithfulness", &all(&BEFORE))), ("after", other)], "");
    let told = project.ragsql(&["compare", "before", "after"]).ends_with(2);
    told.complains("`before` and `after` share no question of one dataset and approach")
        .complains("before asked harbour by heron · after asked treaty by heron");
}

#[test]
fn a_run_without_scores_is_told_so_for_each_metric() {
    let project = two_runs();
    let bare = cells("bare", "heron", "faithfulness", &[]);
    assert!(bare.0.is_empty());
    let mut unscored = Cells::default();
    for number in 1..=8 {
        unscored.ok(&format!("q{number:03}"), "heron");
    }
    project.write("compare/results/bare.jsonl", &of_run("bare", unscored).lines(0));
    let out = project.ragsql(&["compare", "before", "bare"]).ends_with(0).out;
    assert!(out.contains("heron: only before has it (8 scored)"), "{out}");
    let row = out.lines().find(|line| line.contains("only baseline")).unwrap();
    assert!(row.contains(" - "), "numbers that cannot be had are `-`: {row}");
}

#[test]
fn judgments_belong_to_the_run_beside_them_and_to_no_other() {
    let project = two_runs();
    let judged = |score: f64| {
        let queries: Vec<serde_json::Value> = (1..=8)
            .map(|number| {
                let id = format!("q{number:03}");
                serde_json::json!({"query_id": id, "mean_by_approach": {"heron": score}, "per_judge": {}})
            })
            .collect();
        let document =
            serde_json::json!({"status": "ok", "dataset_id": "harbour", "judges": ["owl"], "queries": queries});
        document.to_string()
    };
    project.write("compare/results/before-judgments.json", &judged(4.0));
    let out = compare(&project, &["--metric", "judge_mean"]);
    assert!(out.contains("heron: only before has it (8 scored)"), "{out}");
    assert!(out.contains("not measured  judges"), "only one of them was judged: {out}");
    assert!(
        compare(&project, &["--metric", "faithfulness"]).contains(" worse "),
        "which takes no other direction away"
    );
    project.write("compare/results/after-judgments.json", &judged(3.0));
    let document = document(&compare(&project, &["--metric", "judge_mean", "--json"]));
    let row = &document["rows"][0];
    assert_eq!((row["baseline_mean"].as_f64(), row["candidate_mean"].as_f64()), (Some(4.0), Some(3.0)));
    assert_eq!((&row["verdict"], &row["measured_by"]), (&"different".into(), &"owl".into()));
    project.write("compare/results/after-judgments.json", &judged(3.0).replace("owl", "stork"));
    let out = compare(&project, &["--metric", "judge_mean"]);
    assert!(out.contains("instrument  judges") && out.contains("not comparable"), "{out}");
}
