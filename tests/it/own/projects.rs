//! `ragsql init`: the files it writes are accepted, and nothing that exists is overwritten.

use super::support::{Service, answer_with};
use crate::cli::project::{Project, Told};
use crate::stub::{Reply, Seen};
use serde_json::json;
use std::fs;

fn listing(seen: &Seen) -> Reply {
    if seen.path.ends_with("/models") {
        return Reply::json(json!({"data": [{"id": "zeta"}, {"id": "alpha: beta"}, {"id": "zeta"}]}));
    }
    answer_with("At noon.", json!({"sources": ["It leaves at noon."]}))
}

#[test]
fn a_project_around_a_service_passes_check_and_runs() {
    let service = Service::start(listing);
    let project = Project::new();
    project.write("q.csv", "id,query,ground_truth\n007,When?,At noon.\nno,Where?,\n");
    let address = service.base();
    let arguments =
        ["init", "mine", "--endpoint", &address, "--alias", "alpha: beta,zeta", "--questions", "q.csv", "--yes"];
    let told = project.ragsql(&arguments).ends_with(0);
    assert!(told.out.contains("mine/compare/approaches.yaml"), "{}", told.out);
    let inside = |verb: &[&str]| project.ragsql(&[&["--project", "mine"], verb].concat());
    let checked = inside(&["check"]).ends_with(0);
    assert!(checked.out.contains("questions   2 in demo/mine.csv"), "{}", checked.out);
    assert!(checked.out.contains(&format!("alpha: beta: {address}")), "{}", checked.out);
    inside(&["run"]).ends_with(0);
    let text = fs::read_to_string(project.path("mine/compare/results/mine.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("\"id\":\"007\"") && text.contains("\"id\":\"no\""), "ids are text");

    let again = project.ragsql(&arguments).ends_with(2);
    assert_eq!(again.err.matches("exists already").count(), 4, "{}", again.err);
}

#[test]
fn the_models_of_a_service_are_listed_and_nothing_is_written_until_one_is_chosen() {
    let service = Service::start(listing);
    let project = Project::new();
    let told = project.ragsql(&["init", "mine", "--from", &service.base()]).ends_with(1).complains("--alias");
    assert_eq!(told.out, "  1  alpha: beta\n  2  zeta\n");
    assert!(!project.path("mine").exists());
    project.ragsql(&["init", "mine", "--from", &service.base(), "--alias", "zeta"]).ends_with(0);
    service.stop();
    project.ragsql(&["init", "other", "--from", "http://127.0.0.1:9"]).ends_with(3).complains("cannot be listed");
}

#[test]
fn without_a_service_the_sample_project_runs_on_the_gateway_inside() {
    let project = Project::new();
    project.ragsql(&["init", "sample", "--yes"]).ends_with(0).complains("ragsql run");
    let told = project.ragsql(&["--project", "sample", "run"]).ends_with(0);
    assert!(told.out.contains("recall_at_5"), "{}", told.out);
    assert_eq!(project.read("sample/compare/results/mine.jsonl").lines().count(), 4);
}

#[test]
fn bad_wishes_are_refused_before_the_first_file() {
    let project = Project::new();
    let refused = |arguments: &[&str], text: &str| {
        let told: Told = project.ragsql(&[&["init", "mine"], arguments].concat());
        told.ends_with(2).complains(text);
        assert!(!project.path("mine").exists());
    };
    refused(&["--endpoint", "http://127.0.0.1:9"], "--alias");
    refused(&["--endpoint", "ftp://x", "--alias", "a"], "http or https");
    refused(&["--endpoint", "http://me:sk-1@127.0.0.1:9", "--alias", "a"], "--api-key-env");
    refused(&["--dataset", "My Data"], "a-z");
    refused(&["--documents", "nowhere"], "no folder");
    refused(&["--alias", "a,a"], "nothing was written");
    refused(&["--api-key-env", "MY_KEY"], "--endpoint");
    refused(
        &["--endpoint", "http://127.0.0.1:9", "--alias", "a", "--api-key-env", "sk-secret"],
        "environment variable",
    );
    project.write("mixed.csv", "id,query,relevant_sources\nq1,Where?,nowhere.md\n");
    refused(&["--documents", "corpus/harbour", "--questions", "mixed.csv"], "nowhere.md");
    project.write("bad.csv", "id,query\nq1,\n");
    refused(&["--questions", "bad.csv"], "bad.csv:2");
}

#[test]
fn a_project_without_documents_has_a_folder_for_them_and_says_so() {
    let project = Project::new();
    project.write("q.csv", "id,query\nq1,Where?\n");
    let told = project.ragsql(&["init", "bare", "--yes", "--questions", "q.csv"]).ends_with(0);
    told.complains("put documents into bare/corpus/mine");
    assert!(project.path("bare/corpus/mine").is_dir());
    std::fs::remove_dir(project.path("bare/corpus/mine")).unwrap();
    project.ragsql(&["--project", "bare", "check"]).ends_with(0).complains("corpus/mine");
}
