//! Runs that are stopped: by Ctrl-C, by a kill, by a gateway that never answers.

use super::project::Project;
use crate::child::Talking;
use crate::stub::{Reply, Stub};
use std::time::{Duration, Instant};

fn start(project: &Project, url: &str) -> Talking {
    Talking::start(project.command(&["run", "--gateway", url, "--concurrency", "2"]))
}

/// Waits until the first three cells are on disk.
#[track_caller]
fn wait_for_three(running: &mut Talking, project: &Project) {
    let evidence = project.path("compare/results/harbour.jsonl");
    running.until("three rows", || std::fs::read_to_string(&evidence).is_ok_and(|text| text.lines().count() == 3));
}

/// Answers the first cells, then never again.
async fn tiring() -> Stub {
    Stub::start(|seen| match seen.path.as_str() {
        "/v1/chat/completions" if seen.body.to_string().contains("ferry") => Reply::answer("At noon."),
        "/v1/chat/completions" => Reply::Hang,
        _ => Reply::status(404),
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_ends_the_run_within_a_second_and_it_goes_on_later() {
    let project = Project::new();
    let stub = tiring().await;
    let mut running = start(&project, &stub.url);
    wait_for_three(&mut running, &project);
    running.until("two calls that hang", || {
        stub.seen().iter().filter(|seen| seen.path.ends_with("completions")).count() >= 5
    });
    let asked = Instant::now();
    running.child.signal(libc::SIGINT);
    let told = running.end();
    assert!(asked.elapsed() < Duration::from_secs(5), "the loaded machine gets five, a quiet one needs one");
    told.ends_with(130).complains("stopped: 3 of 9 cells are on disk; run the same command again to go on");
    assert_eq!(project.rows("harbour").len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_run_loses_nothing_that_was_stored_and_its_claims_die_with_it() {
    let project = Project::new();
    let stub = tiring().await;
    let mut running = start(&project, &stub.url);
    wait_for_three(&mut running, &project);
    drop(running);
    let before = project.read("compare/results/harbour.jsonl");
    let (url, address) = (stub.url.clone(), stub.url.trim_start_matches("http://").to_owned());
    drop(stub);
    let healthy = Stub::start_at(&address, |seen| match seen.path.as_str() {
        "/v1/chat/completions" => Reply::answer("Now I answer."),
        _ => Reply::status(404),
    })
    .await;
    project.ragsql(&["run", "--gateway", &url]).ends_with(0);
    assert!(project.read("compare/results/harbour.jsonl").starts_with(&before));
    assert_eq!(project.read("compare/results/harbour.jsonl").lines().count(), 9);
    assert_eq!(healthy.seen().iter().filter(|seen| seen.path == "/v1/chat/completions").count(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_gets_an_answer_while_a_run_is_writing() {
    let project = Project::new();
    let stub = tiring().await;
    let mut running = start(&project, &stub.url);
    wait_for_three(&mut running, &project);
    let asked = ["sql", "--format", "csv", "select count(*) as stored from cells"];
    assert_eq!(project.ragsql(&asked).ends_with(0).out, "stored\n3\n");
    running.child.signal(libc::SIGINT);
    running.end().ends_with(130);
}
