//! Ladders that were stopped, killed, or failed, and go on.

use super::support::{STAMP, asked, folders, judged, ladder, published, unjudged, unwilling, wait_for, willing};
use crate::cli::project::{Project, Told};
use crate::stub::{Reply, Stub};
use std::process::{Child, Stdio};

fn start(project: &Project, stub: &Stub) -> Child {
    let mut command = project.command(&["ladder", "--date-stamp", STAMP, "--gateway", &stub.url]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Replaces a gateway by one at the same address that answers everything.
async fn healed(stub: Stub) -> Stub {
    let address = stub.url.trim_start_matches("http://").to_owned();
    drop(stub);
    Stub::start_at(&address, |seen| match seen.path.as_str() {
        "/v1/chat/completions" => Reply::answer("Now I answer."),
        _ => Reply::status(404),
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_ends_a_ladder_and_says_how_it_goes_on() {
    let project = unjudged();
    let gateway = unwilling("ice", Reply::Hang).await;
    let child = start(&project, &gateway);
    wait_for(|| asked(&gateway) >= 6).await;
    // SAFETY: the process is our own child and has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    Told::from(child.wait_with_output().unwrap())
        .ends_with(130)
        .complains("stopped at `lake`, base tier: 0 of 2 cells are on disk")
        .complains("the same command with `--resume --date-stamp 2026-07-17` goes on where this one ended");
    assert_eq!(folders(&project), ["live-2026-07-17-harbour"], "what was published stays");

    let gateway = healed(gateway).await;
    let url = gateway.url.as_str();
    project
        .ragsql(&["ladder", "--gateway", url, "--resume"])
        .ends_with(2)
        .complains("`--resume` must be told which ladder goes on")
        .complains("stored are `2026-07-17`");
    project
        .ragsql(&["ladder", "--gateway", url, "--resume", "--date-stamp", "2026-07-18"])
        .ends_with(2)
        .complains("no rows of a ladder of 2026-07-18 are stored");
    assert_eq!(asked(&gateway), 0);
    ladder(&project, &["--gateway", url, "--resume"]).ends_with(0).complains("harbour           published already");
    assert_eq!(asked(&gateway), 2, "only the cells of `lake` were missing");
    assert_eq!(folders(&project), ["live-2026-07-17-harbour", "live-2026-07-17-lake"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_are_published_nowhere_are_not_thrown_away() {
    let project = unjudged();
    let gateway = unwilling("containers", Reply::Hang).await;
    let mut child = start(&project, &gateway);
    let evidence = project.path("compare/results/live-2026-07-17-harbour.jsonl");
    let rows = || std::fs::read_to_string(&evidence).map_or(0, |text| text.lines().count());
    wait_for(|| rows() == 2).await;
    child.kill().unwrap();
    child.wait().unwrap();
    let gateway = healed(gateway).await;
    let url = gateway.url.as_str();
    ladder(&project, &["--gateway", url])
        .ends_with(2)
        .complains("a ladder of 2026-07-17 was begun and is not published")
        .complains("`--resume --date-stamp 2026-07-17` goes on with it");
    assert_eq!((asked(&gateway), rows()), (0, 2));
    ladder(&project, &["--gateway", url, "--no-cold-reset"]).ends_with(0);
    assert_eq!(asked(&gateway), 4, "two of six cells were stored");
    // What is published may be measured afresh: the published files stay until the new ones are in force.
    ladder(&project, &["--gateway", url]).ends_with(0);
    assert_eq!(asked(&gateway), 10);
    assert_eq!(folders(&project), ["live-2026-07-17-harbour--2", "live-2026-07-17-lake--2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_cells_keep_a_dataset_from_being_published_until_they_are_called_again() {
    let project = unjudged();
    let before = project.read("compare/datasets.yaml");
    let gateway = unwilling("containers", Reply::status(500)).await;
    let url = gateway.url.clone();
    ladder(&project, &["--gateway", &url])
        .ends_with(1)
        .complains("gate 1 of 5 (matrix) found 2 faults in run `live-2026-07-17-harbour`")
        .complains("question `crane`, `vanilla-rag` failed: HTTPStatusError")
        .complains("`--retry-errors` with `--resume` calls failed cells again");
    assert!(folders(&project).is_empty());
    assert_eq!(project.read("compare/datasets.yaml"), before);
    assert!(!project.path("docs").exists());
    let gateway = healed(gateway).await;
    ladder(&project, &["--gateway", &url, "--resume"]).ends_with(1);
    assert_eq!(asked(&gateway), 0, "failed rows are final unless somebody says otherwise");
    ladder(&project, &["--gateway", &url, "--resume", "--retry-errors"]).ends_with(0);
    assert_eq!(asked(&gateway), 4, "two failed cells and two of `lake`");
}

#[test]
fn a_finished_ladder_is_told_so_and_its_pages_are_made_again() {
    let project = judged();
    ladder(&project, &["--dataset", "lake"]).ends_with(0);
    let page = project.read("docs/dataset-complexity-report.md");
    std::fs::write(project.path("docs/dataset-complexity-report.md"), "stale").unwrap();
    let evidence = std::fs::read(published(&project, "lake", "evidence.jsonl")).unwrap();
    let told = ladder(&project, &["--dataset", "lake", "--resume"]).ends_with(0);
    assert!(!told.err.contains("ingest "), "nothing is ingested again:\n{}", told.err);
    assert_eq!(project.read("docs/dataset-complexity-report.md"), page);
    assert_eq!(std::fs::read(published(&project, "lake", "evidence.jsonl")).unwrap(), evidence);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ladder_that_is_killed_at_any_moment_goes_on_to_its_top() {
    let gateway = willing().await;
    for moment in 1..=8 {
        let project = unjudged();
        let mut child = start(&project, &gateway);
        let before = asked(&gateway);
        // Moments are counted in what has come to be, not in time.
        wait_for(|| traces(&project) + asked(&gateway) - before >= moment * 2).await;
        child.kill().unwrap();
        child.wait().unwrap();
        assert_catalogue_is_whole(&project);
        let go_on = || match project.path("compare/results/live-2026-07-17-harbour.jsonl").exists() {
            true => ladder(&project, &["--gateway", &gateway.url, "--resume"]),
            false => ladder(&project, &["--gateway", &gateway.url]),
        };
        let mut resumed = go_on();
        // A kill while the warehouse is being created leaves a torn file, which the hint says to move away.
        if resumed.err.contains("hint: move that file away") {
            std::fs::remove_file(project.path("compare/results/warehouse.duckdb")).unwrap();
            resumed = go_on();
        }
        resumed.ends_with(0);
        assert_catalogue_is_whole(&project);
        assert_eq!(folders(&project).len(), 2, "moment {moment}: {:?}", folders(&project));
        assert!(project.path("docs/dataset-complexity-report.md").exists());
    }
}

/// How many files a ladder has left so far.
fn traces(project: &Project) -> usize {
    let count = |folder: &str| std::fs::read_dir(project.path(folder)).map_or(0, Iterator::count);
    count("compare/results") + count("docs") + count("docs/results")
}

/// Every file that the catalogue names must be there.
#[track_caller]
fn assert_catalogue_is_whole(project: &Project) {
    let text = project.read("compare/datasets.yaml");
    let named = regex::Regex::new(r"_snapshot: ([^,}\s]+)").unwrap();
    for found in named.captures_iter(&text) {
        assert!(project.path(&found[1]).is_file(), "{} is not there", &found[1]);
    }
}
