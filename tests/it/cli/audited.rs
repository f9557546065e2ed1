//! The judge panel on the command line: its means, its audit, and that nothing else depends on it.

use super::project::Project;
use crate::stub::{Reply, Stub};
use serde_json::Value;

const JUDGMENTS: &str = "compare/results/harbour-judgments.json";

/// A project whose panel asks these judges, with a few more lines under `judge_panel`.
fn project(panel: &str) -> Project {
    let project = Project::new();
    let manifest = project.read("compare/evaluation.yaml");
    project.write("compare/evaluation.yaml", &manifest.replace("judge_panel: {enabled: false}", panel));
    project
}

const BUILT_IN: &str = "judge_panel: {endpoint: embedded, models: [builtin/judge-coverage, builtin/judge-grounding], \
     families: {judges: {builtin/judge-coverage: words, builtin/judge-grounding: words}, approaches: {vanilla-rag: words}}}";

#[test]
fn the_audit_tells_coverage_agreement_effects_and_canaries_and_calls_nobody() {
    let project = project(BUILT_IN);
    project.ragsql(&["judge", "--audit"]).ends_with(2).complains("`ragsql judge` writes it");
    project.ragsql(&["run"]).ends_with(0);
    let judged = project.ragsql(&["judge", "--canaries", "--order", "swap"]).ends_with(0);
    assert!(judged.out.contains(" judge panel (builtin/judge-coverage, builtin/judge-grounding)"), "{}", judged.out);
    assert!(judged.out.contains("These judges are deterministic heuristics"), "{}", judged.out);
    let sidecar = project.read("compare/results/harbour-judgments.verdicts.jsonl");
    let told = project.ragsql(&["judge", "--audit"]).ends_with(0);
    for part in [
        "Judges called `builtin/...` are deterministic heuristics",
        "Every judge scored every answer.",
        "Krippendorff's alpha",
        "quadratic-weighted kappa",
        "The same answers asked about in both orders",
        "Preference for the own family",
        "Ranking with each judge left out",
        "Planted answers of known worth, never ranked",
        "Planted copies beside the answer they repeat, never ranked",
    ] {
        assert!(told.out.contains(part), "`{part}` is not in:\n{}", told.out);
    }
    let family = told.out.lines().find(|line| line.contains("builtin/judge-grounding") && line.contains("words"));
    assert!(family.is_some(), "declared families are shown: {}", told.out);
    assert_eq!(project.read("compare/results/harbour-judgments.verdicts.jsonl"), sidecar);
    let document: Value =
        serde_json::from_str(&project.ragsql(&["judge", "--audit", "--json"]).ends_with(0).out).unwrap();
    assert_eq!(document["judges"][0]["scored_n"], 9);
    let ranked = document["leave_one_out"].as_array().unwrap();
    assert!(ranked.iter().all(|row| !row["approach"].as_str().unwrap().starts_with("canary/")));
    assert_eq!(document["duplicates"][0]["compared_n"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_that_only_says_ok_is_audited_by_its_reason() {
    let project = project("judge_panel: {endpoint: embedded, models: [heron]}");
    project.ragsql(&["run"]).ends_with(0);
    let stub = Stub::start(|_| Reply::answer("OK!")).await;
    project.ragsql(&["judge", "--endpoint", &stub.chat_url()]).ends_with(1).complains("judge_parse x 3");
    let told = project.ragsql(&["judge", "--audit"]).ends_with(0);
    let reason: Vec<&str> =
        told.out.lines().find(|line| line.contains("judge_parse")).unwrap().split_whitespace().collect();
    assert_eq!(reason, ["heron", "judge_parse", "9", "3"], "{}", told.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_that_gives_everybody_five_points_is_warned_of_and_leaves_nobody_when_left_out() {
    let project = project("judge_panel: {endpoint: embedded, models: [heron]}");
    project.ragsql(&["run"]).ends_with(0);
    let stub = Stub::start(|seen| {
        let prompt = seen.body["messages"][0]["content"].as_str().unwrap();
        let parts = ragsql::wire::judging::sections(prompt);
        let labels = parts.iter().filter_map(|part| part.name.strip_prefix("answer "));
        let scores: serde_json::Map<String, Value> = labels.map(|label| (label.to_owned(), 5.into())).collect();
        Reply::answer(&serde_json::json!({"scores": scores, "best": "A", "reason": "all good"}).to_string())
    })
    .await;
    let judged = project.ragsql(&["judge", "--canaries", "--endpoint", &stub.chat_url()]).ends_with(0);
    let judged = judged.complains("heron saw through 0 of 3 planted answers `canary/empty`");
    assert!(!judged.err.contains("planted copies"), "equal texts had equal scores: {}", judged.err);
    let told = project.ragsql(&["judge", "--audit"]).ends_with(0);
    assert!(told.out.contains("nobody is ranked") && !told.out.contains("The winner"), "{}", told.out);
}

/// The evaluation without what the panel says, and the CSV without its rows.
fn without_judges(project: &Project) -> (String, String) {
    let mut evaluation: Value =
        ragsql::json::parse_strict(&project.read("compare/results/harbour-evaluation.json")).unwrap();
    fn forget(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.shift_remove("judge_panel");
                map.values_mut().for_each(forget);
            }
            Value::Array(items) => items.iter_mut().for_each(forget),
            _ => {}
        }
    }
    forget(&mut evaluation);
    let csv = project.read("compare/results/harbour.csv");
    let rows = csv.lines().filter(|line| !line.contains("judge")).map(|line| format!("{line}\n")).collect();
    (ragsql::json::pretty(&evaluation).unwrap(), rows)
}

#[test]
fn a_dead_endpoint_a_broken_artifact_and_no_panel_change_no_other_number() {
    let project = project(BUILT_IN);
    project.ragsql(&["run"]).ends_with(0);
    let alone = without_judges(&project);
    assert!(alone.0.contains("faithfulness") && alone.1.lines().count() > 10, "{}", alone.1);
    let evidence = project.read("compare/results/harbour.jsonl");
    let summarize = [
        "summarize",
        "--rows",
        "compare/results/harbour.jsonl",
        "--judgments",
        JUDGMENTS,
        "--output",
        "compare/results/harbour-evaluation.json",
        "--csv-output",
        "compare/results/harbour.csv",
    ];

    project.ragsql(&["judge"]).ends_with(0);
    assert_eq!(without_judges(&project), alone, "with a panel");
    project.write(JUDGMENTS, "{\"queries\": [");
    project.ragsql(&summarize).ends_with(0);
    assert_eq!(without_judges(&project), alone, "with a broken artifact");

    // Nobody listens on the port of `discard`, whatever else runs on this machine.
    let url = "http://127.0.0.1:9/v1/chat/completions";
    project.ragsql(&["judge", "--models", "heron", "--endpoint", url]).ends_with(1).complains("gateway_error");
    assert_eq!(without_judges(&project), alone, "with a dead endpoint");

    let manifest = project.read("compare/evaluation.yaml");
    project.write("compare/evaluation.yaml", &manifest.replace("judge_panel: {", "judge_panel: {enabled: false, "));
    project.ragsql(&["judge"]).ends_with(0);
    project.ragsql(&summarize).ends_with(0);
    assert_eq!(without_judges(&project), alone, "without a panel");
    assert_eq!(project.read("compare/results/harbour.jsonl"), evidence);
}
