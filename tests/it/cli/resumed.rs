//! Runs that go on: after failures, damage, and changes that make old rows unusable.

use super::project::{Project, Told};
use crate::stub::{Reply, Stub};
use std::fs::OpenOptions;
use std::io::Write as _;

const RUN: [&str; 4] = ["run", "--models", "hybrid-rag", "--gateway"];

fn run(project: &Project, url: &str, more: &[&str]) -> Told {
    let arguments: Vec<&str> = RUN.iter().copied().chain([url]).chain(more.iter().copied()).collect();
    project.ragsql(&arguments)
}

fn chats(stub: &Stub) -> usize {
    stub.seen().iter().filter(|seen| seen.path == "/v1/chat/completions").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_failed_cells_are_called_again_on_request() {
    let project = Project::new();
    let sick = Stub::start(|seen| match seen.path.as_str() {
        "/v1/chat/completions" if seen.body.to_string().contains("E-93") => Reply::status(404),
        "/v1/chat/completions" => Reply::answer("It leaves at noon."),
        _ => Reply::status(404),
    })
    .await;
    run(&project, &sick.url, &[]).ends_with(1).complains("--retry-errors");
    assert_eq!(chats(&sick), 3, "a 404 is not repeated");
    let before = project.read("compare/results/harbour.jsonl");
    run(&project, &sick.url, &[]).ends_with(1);
    assert_eq!(chats(&sick), 3, "failed rows are rows: a plain resume calls nobody");

    let url = sick.url.clone();
    drop(sick);
    let address = url.trim_start_matches("http://").to_owned();
    let healthy = Stub::start_at(&address, |seen| match seen.path.as_str() {
        "/v1/chat/completions" => Reply::answer("The gate is stuck."),
        _ => Reply::status(404),
    })
    .await;
    run(&project, &url, &["--retry-errors"]).ends_with(0);
    assert_eq!(chats(&healthy), 1);
    let after = project.read("compare/results/harbour.jsonl");
    assert_eq!(after.lines().count(), 3);
    let kept = before.lines().filter(|line| line.contains("\"status\":\"ok\""));
    assert!(kept.clone().count() == 2 && kept.into_iter().all(|line| after.contains(line)));
    assert_eq!(project.read("compare/results/harbour.superseded.jsonl").lines().count(), 1);
}

#[test]
fn a_torn_last_line_is_refused_then_moved_aside_and_its_cell_comes_back() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let path = project.path("compare/results/harbour.jsonl");
    let whole = project.read("compare/results/harbour.jsonl");
    let cut = whole.len() - 700;
    OpenOptions::new().write(true).open(&path).unwrap().set_len(cut as u64).unwrap();
    let start = whole[..cut].rfind('\n').unwrap() + 1;
    project
        .ragsql(&["run"])
        .ends_with(2)
        .complains("harbour.jsonl: line 9 is torn")
        .complains("doctor --quarantine")
        .complains(&format!("byte {start}"));
    assert_eq!(project.read("compare/results/harbour.jsonl").len(), cut, "refusing changes nothing");
    let told = project.ragsql(&["doctor"]).ends_with(1);
    assert!(told.out.contains("1 damaged") && told.out.contains("line 9"), "{}", told.out);
    let told = project.ragsql(&["doctor", "--quarantine"]).ends_with(0);
    assert!(told.out.contains("runs again"), "{}", told.out);
    assert_eq!(project.read("compare/results/harbour.jsonl"), whole[..start]);
    assert!(project.read("compare/results/harbour.jsonl.quarantine").contains(&whole[start..cut]));
    project.ragsql(&["run"]).ends_with(0).complains("8 of 9 cells are on disk already");
    assert!(project.read("compare/results/harbour.jsonl").starts_with(&whole[..start]));
    assert_eq!(project.read("compare/results/harbour.jsonl").lines().count(), 9);
}

#[test]
fn rubbish_in_the_middle_is_refused_with_line_and_offset_and_rows_behind_it_are_kept() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let whole = project.read("compare/results/harbour.jsonl");
    let lines: Vec<&str> = whole.lines().collect();
    let damaged = format!("{}\n{}\n@@@@\n{}\n", lines[0], lines[1], lines[3..].join("\n"));
    project.write("compare/results/harbour.jsonl", &damaged);
    let offset = lines[0].len() + lines[1].len() + 2;
    project.ragsql(&["run"]).ends_with(2).complains("line 3").complains(&offset.to_string());
    project.ragsql(&["doctor", "--quarantine"]).ends_with(0);
    project.ragsql(&["run"]).ends_with(0).complains("8 of 9 cells are on disk already");
    assert!(
        lines
            .iter()
            .enumerate()
            .all(|(index, line)| { index == 2 || project.read("compare/results/harbour.jsonl").contains(line) })
    );
}

#[test]
fn rows_of_another_configuration_are_never_reused() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let before = project.read("compare/results/harbour.jsonl");
    let questions = project.read("demo/harbour.yaml");
    project.write("demo/harbour.yaml", &questions.replace("noon ferry leave", "late ferry leave"));
    project
        .ragsql(&["run"])
        .ends_with(2)
        .complains("resume refused")
        .complains("When does the noon ferry leave?")
        .complains("When does the late ferry leave?")
        .complains("--run-id");
    assert_eq!(project.read("compare/results/harbour.jsonl"), before);
    project.ragsql(&["run", "--run-id", "second"]).ends_with(0);
    project.write("demo/harbour.yaml", &questions);
    project.write("corpus/harbour/new.md", "# New\n\nA new document changes every answer's ground.\n");
    project.ragsql(&["run"]).ends_with(2).complains("reproducibility.ingestion.content_digest");
}

#[test]
fn an_unterminated_whole_row_gets_its_line_end_before_the_next_one() {
    let project = Project::new();
    project.ragsql(&["run", "--limit", "1", "--models", "hybrid-rag"]).ends_with(0);
    let path = project.path("compare/results/harbour.jsonl");
    let whole = project.read("compare/results/harbour.jsonl");
    OpenOptions::new().write(true).open(&path).unwrap().set_len(whole.len() as u64 - 1).unwrap();
    project.ragsql(&["run", "--models", "hybrid-rag"]).ends_with(0);
    assert!(project.read("compare/results/harbour.jsonl").starts_with(&whole));
    assert_eq!(project.read("compare/results/harbour.jsonl").lines().count(), 3);
}

#[test]
fn foreign_rows_in_the_same_file_are_left_alone() {
    let project = Project::new();
    project.ragsql(&["run", "--run-id", "a", "--limit", "1"]).ends_with(0);
    let first = project.read("compare/results/a.jsonl");
    project.ragsql(&["run", "--run-id", "b", "--evidence-file", "a.jsonl", "--limit", "1"]).ends_with(0);
    assert!(project.read("compare/results/a.jsonl").starts_with(&first));
    assert_eq!(project.read("compare/results/a.jsonl").lines().count(), 6);
    let mut file = OpenOptions::new().append(true).open(project.path("compare/results/a.jsonl")).unwrap();
    file.write_all(first.lines().next().unwrap().as_bytes()).unwrap();
    file.write_all(b"\n").unwrap();
    project.ragsql(&["run", "--run-id", "b", "--evidence-file", "a.jsonl"]).ends_with(2).complains("lines 1 and 7");
}
