//! `ragsql rescore`: other scores for stored answers, as new evidence beside the old.

use super::project::{Project, Told};
use crate::stub::{Reply, Stub};
use serde_json::{Value, json};

const PARENT: &str = "compare/results/harbour.jsonl";
const AGAIN: &str = "compare/results/again.jsonl";

fn ran() -> Project {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    project
}

fn rescore(project: &Project, more: &[&str]) -> Told {
    let arguments: Vec<&str> = ["rescore", "harbour", "--run-id", "again"].iter().chain(more).copied().collect();
    project.ragsql(&arguments)
}

/// Takes away what a rescored row may have of its own.
fn without_scores(mut row: Value) -> Value {
    row["metrics"]["ragas"] = Value::Null;
    for key in ["run_id", "row_id"] {
        row[key] = Value::Null;
    }
    row["reproducibility"].as_object_mut().unwrap().remove("rescored");
    row
}

#[test]
fn answers_are_scored_again_with_other_metrics_and_the_parent_keeps_every_byte() {
    let project = ran();
    let before = project.read(PARENT);
    rescore(&project, &["--metrics", "context_recall"]).ends_with(0);
    assert_eq!(project.read(PARENT), before);
    let (parents, children) = (project.rows("harbour"), project.rows("again"));
    assert_eq!(children.len(), parents.len());
    for child in children {
        let told = child["reproducibility"]["rescored"].clone();
        let parent = parents.iter().find(|row| row["row_id"] == told["parent_row_id"]).unwrap();
        assert_eq!((&told["parent_run_id"], &told["evaluator"]), (&json!("harbour"), &json!("embedded")));
        assert_eq!(told["roles"]["ragas_evaluator"]["model"], "builtin/lexical-evaluator");
        assert_eq!(child["run_id"], "again");
        assert_ne!(child["row_id"], parent["row_id"]);
        assert_eq!(child["metrics"]["ragas"]["requested"], json!(["context_recall"]));
        assert!(child["metrics"]["ragas"]["scores"]["context_recall"].is_number());
        assert_eq!(without_scores(child), without_scores(parent.clone()));
    }
    let told = project.ragsql(&["sql", "select run_id, count(*) as n from cells group by run_id order by run_id"]);
    let told = told.ends_with(0).out;
    assert!(told.contains("again") && told.contains("harbour"), "{told}");
    project.ragsql(&["import", AGAIN, PARENT]).ends_with(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_time_nobody_is_called_and_another_evaluator_or_metric_needs_another_run_id() {
    let project = ran();
    let stub = Stub::start(|_| {
        Reply::json(json!({
            "results": [{"scores": {"faithfulness": 0.25, "answer_relevancy": 0.75}}],
            "evaluator_model": "heron", "embeddings_model": "stork",
        }))
    })
    .await;
    let url = format!("{}/score", stub.url);
    rescore(&project, &["--evaluator-url", &url]).ends_with(0);
    let calls = stub.count();
    assert_eq!(calls, 9);
    assert!(stub.seen().iter().all(|seen| seen.path == "/score" && seen.body["metrics"].is_array()));
    rescore(&project, &["--evaluator-url", &url]).ends_with(0).complains("0 scored, 9 there already");
    assert_eq!(stub.count(), calls);
    rescore(&project, &[]).ends_with(2).complains("was not made from these rows");
    rescore(&project, &["--evaluator-url", &url, "--metrics", "faithfulness"]).ends_with(2).complains("--run-id");
    assert_eq!(stub.count(), calls);
    let told =
        project.ragsql(&["sql", "select distinct evaluator_model from cells where run_id = 'again'"]).ends_with(0);
    assert!(told.out.contains("heron"), "{}", told.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_rescore_goes_on_where_it_stopped() {
    let project = ran();
    let stub = Stub::start(|_| Reply::json(json!({"results": [{"scores": {"faithfulness": 0.25}}]}))).await;
    let url = format!("{}/score", stub.url);
    rescore(&project, &["--evaluator-url", &url, "--metrics", "faithfulness"]).ends_with(0);
    // What a killed process leaves: whole rows, fewer of them.
    let kept: String = project.read(AGAIN).lines().take(4).map(|line| format!("{line}\n")).collect();
    project.write(AGAIN, &kept);
    rescore(&project, &["--evaluator-url", &url, "--metrics", "faithfulness"])
        .ends_with(0)
        .complains("5 scored, 4 there");
    assert_eq!(stub.count(), 9 + 5);
    assert!(project.read(AGAIN).starts_with(&kept));
}

#[tokio::test(flavor = "multi_thread")]
async fn b6_cells_that_time_out_are_there_with_their_reason_and_the_exit_code_says_so() {
    let project = ran();
    let manifest = project.read("compare/evaluation.yaml");
    project.write("compare/evaluation.yaml", &manifest.replace("evaluator_timeout_s: 30", "evaluator_timeout_s: 0.5"));
    let stub = Stub::start(|_| Reply::Hang).await;
    rescore(&project, &["--evaluator-url", &format!("{}/score", stub.url)]).ends_with(1);
    let question = "select state, reason, count(*) as n from scores join cells using (row_id) \
                    where run_id = 'again' group by state, reason";
    let told = project.ragsql(&["sql", question]).ends_with(0).out;
    let words: Vec<&str> = told.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(words, ["timeout", "ReadTimeout", "18"], "{told}");
    assert_eq!(stub.count(), 18, "nine answers, two attempts each");
}

#[tokio::test(flavor = "multi_thread")]
async fn b6_only_the_answers_whose_scoring_failed_are_scored_again() {
    let project = ran();
    let score = json!({"results": [{"scores": {"faithfulness": 0.25}}]});
    let (good, metrics) = (score.clone(), ["--metrics", "faithfulness"]);
    let failing =
        Stub::start(move |seen| match seen.body["records"][0]["question"].as_str().unwrap().contains("ferry") {
            true => Reply::status(500),
            false => Reply::json(good.clone()),
        })
        .await;
    let failed = rescore(&project, &["--evaluator-url", &failing.url, metrics[0], metrics[1]]);
    let failed_n = project.rows("again").iter().filter(|row| row["metrics"]["ragas"]["status"] == "error").count();
    assert!((1..9).contains(&failed_n), "{failed_n} of 9");
    failed.ends_with(1);
    let healthy = Stub::start(move |_| Reply::json(score.clone())).await;
    let again = ["rescore", "again", "--run-id", "third", "--only-failed", "--evaluator-url", &healthy.url];
    project.ragsql(&[again.as_slice(), metrics.as_slice()].concat()).ends_with(0);
    assert_eq!(healthy.count(), failed_n);
    let third = project.rows("third");
    let taken_over = third.iter().filter(|row| row["reproducibility"]["rescored"]["is_taken_over"] == true).count();
    assert_eq!((third.len(), taken_over), (9, 9 - failed_n));
    assert!(third.iter().all(|row| row["metrics"]["ragas"]["scores"]["faithfulness"] == 0.25));
}

#[test]
fn what_cannot_be_scored_again_is_told_before_any_call() {
    let project = Project::new();
    rescore(&project, &[]).ends_with(2).complains("`compare/results/harbour.jsonl` holds no rows");
    project.ragsql(&["run"]).ends_with(0);
    project.ragsql(&["rescore", "harbour", "--run-id", "harbour"]).ends_with(2).complains("a run id of their own");
    rescore(&project, &["--metrics", "fluency"]).ends_with(2);
    assert!(!project.path(AGAIN).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_evaluator_that_is_named_scores_the_answers_of_the_embedded_gateway_and_the_rows_say_so() {
    let project = Project::new();
    let stub = Stub::start(|_| {
        Reply::json(json!({
            "results": [{"scores": {"faithfulness": 0.25, "answer_relevancy": 0.75}}],
            "evaluator_model": "heron", "embeddings_model": "stork",
        }))
    })
    .await;
    let url = format!("{}/score", stub.url);
    project.ragsql(&["run", "--evaluator-url", &url]).ends_with(0);
    assert_eq!(stub.count(), 9);
    for row in project.rows("harbour") {
        assert_eq!(row["metrics"]["ragas"]["scores"]["faithfulness"], 0.25);
        let evaluator = &row["reproducibility"]["runtime"]["gateway"]["roles"]["ragas_evaluator"];
        assert_eq!(evaluator["endpoint"], json!(url));
    }
    project.ragsql(&["run"]).ends_with(2).complains("harbour");
}

#[test]
fn answers_are_scored_again_without_their_documents() {
    let project = ran();
    std::fs::remove_dir_all(project.path("corpus")).unwrap();
    rescore(&project, &[]).ends_with(0);
    assert_eq!(project.rows("again").len(), 9);
}
