//! Bug-reports of groups C, D, H and J that no other module tests, over the real binary.
//!
//! The table of all entries is in `bug_reports`.

use super::support::{Service, answer_with, project_asking};
use crate::cli::project::Project;
use crate::stub::Reply;
use serde_json::{Value, json};

fn asking(service: &Service, questions: &str) -> Project {
    let file = format!("version: 1\napproaches:\n  - {{alias: my-rag, base_url: \"{}\"}}\n", service.base());
    let project = project_asking(&["my-rag"], &file);
    project.write("demo/harbour.yaml", questions);
    let manifest = project.read("compare/evaluation.yaml").replace("concurrency: 4", "concurrency: 1");
    project.write("compare/evaluation.yaml", &manifest);
    project
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["question"]["id"].as_str().unwrap()).collect()
}

#[test]
fn two_questions_of_the_same_text_are_two_cells() {
    // C6.
    let service = Service::start(|_| answer_with("At noon.", json!({})));
    let project = asking(
        &service,
        "- {id: q1, query: What time is lunch?, ground_truth: Noon.}\n- {id: q2, query: What time is lunch?, ground_truth: One.}\n",
    );
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    project.ragsql(&["run"]).ends_with(0);
    assert_eq!((ids(&project.rows("harbour")), service.stub.count()), (vec!["q1", "q2"], 2));
}

#[test]
fn a_question_put_first_shifts_nothing_and_the_changed_file_is_told() {
    // C7: position means nothing; the file's hash is part of what resume compares, so another run id is asked for.
    let service = Service::start(|_| answer_with("At noon.", json!({})));
    let before = "- {id: q1, query: One?}\n- {id: q2, query: Two?}\n";
    let project = asking(&service, before);
    project.ragsql(&["run", "--limit", "1"]).ends_with(0);
    project.write("demo/harbour.yaml", &format!("- {{id: q0, query: Zero?}}\n{before}"));
    project.ragsql(&["run"]).ends_with(2).complains("--run-id");
    assert_eq!(ids(&project.rows("harbour")), ["q1"]);
    project.ragsql(&["run", "--run-id", "second"]).ends_with(0);
    assert_eq!(ids(&project.rows("second")), ["q0", "q1", "q2"]);
}

#[test]
fn counts_after_a_resume_are_those_of_the_whole_run() {
    // C14.
    let service = Service::start(|_| answer_with("At noon.", json!({"sources": ["Noon."]})));
    let questions: String = (0..10).map(|number| format!("- {{id: q{number}, query: What is {number}?}}\n")).collect();
    let project = asking(&service, &questions);
    project.ragsql(&["run", "--limit", "6"]).ends_with(0);
    let told = project.ragsql(&["run"]).ends_with(0).complains("6 of 10 cells are on disk");
    assert!(told.out.contains("10/10"), "{}", told.out);
    let evaluation: Value = serde_json::from_str(&project.read("compare/results/harbour-evaluation.json")).unwrap();
    assert_eq!(evaluation["overall"]["coverage"]["ok"], 10, "{evaluation}");
    assert_eq!(service.stub.count(), 10);
}

#[test]
fn attempts_are_kept_so_that_scores_can_be_shown_by_them() {
    // C15: an alias that fails every other call and answers better the second time.
    let service = Service::start(|seen| match seen.number % 2 {
        0 => Reply::status(500),
        _ => answer_with("At noon.", json!({})),
    });
    let project = asking(&service, "- {id: q1, query: One?}\n- {id: q2, query: Two?}\n");
    project.ragsql(&["run"]).ends_with(0);
    let told = project.ragsql(&["sql", "select attempts, count(*) as n from cells group by attempts"]).ends_with(0).out;
    assert!(told.contains("2  2") && told.contains("(1 row)"), "{told}");
}

#[test]
fn words_that_other_parsers_take_for_booleans_are_names_of_approaches() {
    // H1, in the approaches file and in the request.
    let service = Service::start(|_| answer_with("At noon.", json!({})));
    let aliases = ["no", "on", "yes", "y", "off"];
    let listed: String = aliases.iter().map(|alias| format!("  - alias: {alias}\n")).collect();
    let file = format!("version: 1\ndefaults: {{base_url: \"{}\"}}\napproaches:\n{listed}", service.base());
    let project = project_asking(&aliases, &file);
    project.ragsql(&["run", "--limit", "1", "--concurrency", "1"]).ends_with(0);
    let asked: Vec<String> = service.stub.seen().iter().map(|seen| seen.model().to_owned()).collect();
    assert_eq!(asked, aliases);
}

#[test]
fn merge_keys_and_repeated_keys_never_reach_a_request() {
    // H2 and H4, in the approaches file.
    let project = project_asking(
        &["my-rag"],
        "version: 1\ndefaults: &d {body: {temperature: 0}}\napproaches:\n  - {<<: *d, alias: my-rag, model: a, model: b}\n",
    );
    let told = project.ragsql(&["check"]).ends_with(2);
    for text in ["anchors", "merge keys", "appears twice"] {
        assert!(told.err.contains(text), "`{text}` is not in:\n{}", told.err);
    }
}

#[test]
fn a_refusal_and_a_thought_are_no_answers_whoever_sends_them() {
    // J5 and J6, of a service of one's own.
    let service = Service::start(|seen| {
        let (finish, message) = match seen.number {
            0 => ("length", json!({"content": null, "reasoning_content": "The pool opens at 9."})),
            _ => ("content_filter", json!({"content": null, "refusal": "no"})),
        };
        Reply::json(json!({"choices": [{"finish_reason": finish, "message": message}]}))
    });
    let project = asking(&service, "- {id: q1, query: One?}\n- {id: q2, query: Two?}\n");
    project.ragsql(&["run"]).ends_with(1);
    for row in project.rows("harbour") {
        assert_eq!((&row["status"], &row["evidence"]["answer"]), (&json!("error"), &json!("")), "{row}");
        assert!(row["error"]["message"].as_str().unwrap().starts_with("empty answer"), "{row}");
    }
    assert_eq!(service.stub.count(), 2, "an empty answer is not asked for again");
}
