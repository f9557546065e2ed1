//! What a ladder refuses before it calls anybody.

use super::support::{STAMP, folders, judged, ladder, unjudged, unwilling, wait_for, willing};
use crate::cli::project::{Project, Told};
use crate::stub::Reply;
use std::fs;
use std::process::Stdio;

/// Runs a ladder that must be refused with these words; the gateway must not hear of it.
async fn refused(project: &Project, arguments: &[&str], words: &[&str]) {
    let gateway = willing().await;
    let mut told = ladder(project, &[&["--gateway", &gateway.url], arguments].concat()).ends_with(2);
    for word in words {
        told = told.complains(word);
    }
    assert_eq!(gateway.count(), 0, "it was called:\n{}", told.err);
    assert!(folders(project).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_names_are_refused_with_those_there_are() {
    let project = unjudged();
    refused(&project, &["--dataset", "harbor"], &["unknown dataset `harbor`", "did you mean `harbour`?"]).await;
    refused(&project, &["--approaches", "vanila-rag"], &["unknown approach `vanila-rag`"]).await;
    refused(&project, &["--flavors", "hybrid-rag-keem"], &["did you mean `hybrid-rag-keen`?"]).await;
    project
        .ragsql(&["ladder", "--date-stamp", "../up"])
        .ends_with(2)
        .complains("the date stamp `../up` cannot be part of a file name");
    project.write("compare/datasets.yaml", &project.read("compare/datasets.yaml").replace("candidate", "retired"));
    let words = ["dataset `marsh` has the status `retired`", "`candidate` datasets"];
    refused(&project, &["--dataset", "marsh", "--include-candidates"], &words).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_contradict_each_other_are_refused() {
    let project = unjudged();
    for (one, other) in [("--approaches", "--flavors"), ("--flavors", "--approaches")] {
        refused(&project, &[one, "default", other, "default"], &["cannot be used with"]).await;
    }
    refused(&project, &["--include-flavor-tier", "--flavors", "all"], &["cannot be used with"]).await;
    refused(&project, &["--retry-errors"], &["--resume"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_corpora_and_judges_of_any_dataset_are_told_together() {
    let project = judged();
    fs::remove_dir_all(project.path("corpus/lake")).unwrap();
    let words = ["JUDGE_MODELS is not set", "the corpus folder `corpus/lake` of dataset `lake` does not exist"];
    refused(&project, &[], &words).await;
    let project = unjudged();
    fs::remove_file(project.path("demo/lake.yaml")).unwrap();
    refused(&project, &[], &["dataset `lake` names `demo/lake.yaml`, which does not exist"]).await;
    fs::remove_file(project.path("compare/flavors.yaml")).unwrap();
    refused(&project, &["--include-flavor-tier"], &["the flavors file lists no flavor"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_cannot_be_edited_is_told_before_anything_is_paid_for() {
    let project = unjudged();
    let hand_made = project.read("compare/datasets.yaml").replace(
        "    questions_file: demo/harbour.yaml\n",
        "    questions_file: demo/harbour.yaml\n    matrix_snapshot: >-\n      docs/\n      old\n",
    );
    project.write("compare/datasets.yaml", &hand_made);
    refused(&project, &[], &["the entry of dataset `harbour` cannot be edited in its layout"]).await;
    assert_eq!(project.read("compare/datasets.yaml"), hand_made);
}

#[tokio::test(flavor = "multi_thread")]
async fn datasets_whose_runs_would_share_a_name_are_refused() {
    let project = unjudged();
    project.write("compare/datasets.yaml", &project.read("compare/datasets.yaml").replace("marsh", "lake-flavors"));
    let words = ["runs of `lake` and `lake-flavors` would both be called `live-2026-07-17-lake-flavors`"];
    refused(&project, &[], &words).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_declared_ingestion_is_not_that_of_two_datasets() {
    let project = unjudged();
    let gateway = willing().await;
    let mut command = project.command(&["ladder", "--gateway", &gateway.url]);
    Told::from(command.env("MATRIX_INGESTION_PROFILE", "harbour").output().unwrap())
        .ends_with(2)
        .complains("MATRIX_INGESTION_PROFILE declares one ingestion, and 2 datasets are measured");
    assert_eq!(gateway.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_tier_of_another_date_does_not_join_published_flavors() {
    let project = unjudged();
    let gateway = willing().await;
    let url = gateway.url.as_str();
    ladder(&project, &["--gateway", url, "--dataset", "lake", "--include-flavor-tier"]).ends_with(0);
    let called = gateway.count();
    project
        .ragsql(&["ladder", "--date-stamp", "2026-07-18", "--gateway", url, "--dataset", "lake"])
        .ends_with(2)
        .complains("dataset `lake` has published flavors of another ladder")
        .complains("add --include-flavor-tier");
    assert_eq!(gateway.count(), called);
    // The same date is no mixture: the flavors stay beside the new base tier.
    ladder(&project, &["--gateway", url, "--dataset", "lake"]).ends_with(0);
    assert_eq!(folders(&project), ["live-2026-07-17-lake--2"]);
    assert_eq!(fs::read_dir(project.path("docs/results/live-2026-07-17-lake--2")).unwrap().count(), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_ladders_at_once_are_one_too_many() {
    let project = unjudged();
    let gateway = unwilling("ferry", Reply::Hang).await;
    let mut command = project.command(&["ladder", "--date-stamp", STAMP, "--gateway", &gateway.url]);
    let mut first = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(|| gateway.count() > 0).await;
    ladder(&project, &["--dataset", "lake"])
        .ends_with(2)
        .complains("another `ragsql ladder` is at work on this project");
    first.kill().unwrap();
    first.wait().unwrap();
}
