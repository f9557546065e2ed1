//! Runs that are stopped: by Ctrl-C, by a kill, by a gateway that never answers.

use super::project::{Project, Told};
use crate::stub::{Reply, Stub};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn start(project: &Project, url: &str) -> Child {
    project
        .command(&["run", "--gateway", url, "--concurrency", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: the process is our own child and has not been waited for.
    unsafe { libc::kill(child.id() as i32, signal) };
}

async fn wait_for(what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !what() {
        assert!(Instant::now() < deadline, "it did not happen within 20 s");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
    let child = start(&project, &stub.url);
    let evidence = project.path("compare/results/harbour.jsonl");
    let stored = || std::fs::read_to_string(&evidence).is_ok_and(|text| text.lines().count() == 3);
    wait_for(|| stored() && stub.seen().iter().filter(|seen| seen.path.ends_with("completions")).count() >= 5).await;
    let asked = Instant::now();
    signal(&child, libc::SIGINT);
    let told = Told::from(child.wait_with_output().unwrap());
    assert!(asked.elapsed() < Duration::from_secs(5), "the loaded machine gets five, a quiet one needs one");
    told.ends_with(130).complains("stopped: 3 of 9 cells are on disk; run the same command again to go on");
    assert_eq!(std::fs::read_to_string(&evidence).unwrap().lines().count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_run_loses_nothing_that_was_stored_and_its_claims_die_with_it() {
    let project = Project::new();
    let stub = tiring().await;
    let mut child = start(&project, &stub.url);
    let evidence = project.path("compare/results/harbour.jsonl");
    wait_for(|| std::fs::read_to_string(&evidence).is_ok_and(|text| text.lines().count() == 3)).await;
    signal(&child, libc::SIGKILL);
    child.wait().unwrap();
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
    let child = start(&project, &stub.url);
    let evidence = project.path("compare/results/harbour.jsonl");
    wait_for(|| std::fs::read_to_string(&evidence).is_ok_and(|text| text.lines().count() == 3)).await;
    let told = project.ragsql(&["sql", "select count(*) as stored from cells"]).ends_with(0);
    assert!(told.out.contains('3'), "{}", told.out);
    signal(&child, libc::SIGINT);
    child.wait_with_output().unwrap();
}
