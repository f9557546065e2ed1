//! Question files: ids as typed, the same questions from every format (C6, C7, E3, E4, E6, H2, H5, H6).

use super::{load, messages, project_with};
use ragsql::experiment::question::{self, Question};
use std::sync::Arc;

const ODD_IDS: [&str; 9] = ["007", "1.10", "12:30", "2024-01-05", "1e3", "0x1F", "null", "~", "no"];

fn questions(file: &str, content: impl AsRef<[u8]>) -> Vec<Arc<Question>> {
    let project = project_with(file, content);
    let read = question::load(&project.path().join(file), file, None);
    read.unwrap_or_else(|problems| panic!("{problems}")).questions
}

fn ids(questions: &[Arc<Question>]) -> Vec<&str> {
    questions.iter().map(|question| question.id.as_str()).collect()
}

#[test]
fn h5_ids_are_kept_as_typed_and_equal_in_both_formats() {
    let yaml: String = ODD_IDS.iter().map(|id| format!("- id: {id}\n  query: q\n")).collect();
    let quoted: String = ODD_IDS.iter().map(|id| format!("- id: '{id}'\n  query: q\n")).collect();
    let lines: String = ODD_IDS.iter().map(|id| format!("{{\"id\": \"{id}\", \"query\": \"q\"}}\n")).collect();
    let from_yaml = questions("q.yaml", yaml);
    assert_eq!(ids(&from_yaml), ODD_IDS);
    assert_eq!(from_yaml, questions("q.yaml", quoted));
    assert_eq!(from_yaml, questions("q.jsonl", lines));
}

#[test]
fn c6_equal_texts_are_two_questions() {
    let experiment = load(&super::valid_project());
    let file = experiment.load_questions(&experiment.dataset("harbour").unwrap()).unwrap();
    assert_eq!(ids(&file.questions), ["tide", "lunch", "lunch-again"]);
    assert_eq!(file.questions[1].query, file.questions[2].query);
}

#[test]
fn every_field_is_read_and_ground_truth_beats_its_alias_even_when_null() {
    let experiment = load(&super::valid_project());
    let file = experiment.load_questions(&experiment.dataset("harbour").unwrap()).unwrap();
    assert_eq!(
        *file.questions[0],
        Question {
            id: "tide".into(),
            query: "When is high tide?".into(),
            kind: Some("factoid".into()),
            ground_truth: Some("At noon.".into()),
            rationale: Some("One notice says so.".into()),
            expect_winner: Some("vanilla-rag".into()),
            relevant_sources: Some(vec!["001-tide.md".into()]),
        }
    );
    assert_eq!(file.questions[1].ground_truth.as_deref(), Some("At one."));
    assert_eq!(file.questions[1].relevant_sources, None);
    assert_eq!(file.questions[2].ground_truth, None);
    assert_eq!(file.questions[2].relevant_sources, Some(vec![]));
}

#[test]
fn answers_that_look_like_other_types_stay_text() {
    let read = questions(
        "q.yaml",
        "- {id: a, query: Is it open?, ground_truth: no}\n- {id: b, query: 42, ground_truth: 1.10}\n",
    );
    assert_eq!(read[0].ground_truth.as_deref(), Some("no"));
    assert_eq!((read[1].query.as_str(), read[1].ground_truth.as_deref()), ("42", Some("1.10")));
}

#[test]
fn h6_braces_and_quotes_are_kept_as_typed() {
    let read = questions("q.yaml", "- id: a\n  query: What's \"noon\" in {{braces}}?\n");
    assert_eq!(read[0].query, "What's \"noon\" in {{braces}}?");
}

#[test]
fn e3_and_e6_a_byte_order_mark_and_carriage_returns_change_nothing() {
    let lines = "{\"id\": \"a\", \"query\": \"one\\r\\ntwo\"}\n{\"id\": \"b\", \"query\": \"c\"}\n";
    let plain = questions("q.jsonl", lines);
    assert_eq!(plain, questions("q.jsonl", format!("\u{feff}{}", lines.replace('\n', "\r\n"))));
    assert_eq!(plain, questions("q.ndjson", lines.trim_end()));
    assert_eq!(plain[0].query, "one\r\ntwo");
}

#[test]
fn a_line_separator_inside_json_is_not_a_line() {
    let read = questions("q.jsonl", "{\"id\": \"a\", \"query\": \"one\u{2028}two\u{85}three\"}\n");
    assert_eq!(read[0].query, "one\u{2028}two\u{85}three");
}

#[test]
fn e4_questions_are_utf8_whatever_the_locale() {
    assert_eq!(questions("q.yaml", "- {id: 潮, query: 満潮は何時ですか}\n")[0].id, "潮");
}

#[test]
fn block_scalars_keep_their_lines() {
    let read = questions("q.yaml", "- id: a\n  query: |\n    one\n    two\n  rationale: >-\n    three\n    four\n");
    assert_eq!(read[0].query, "one\ntwo\n");
    assert_eq!(read[0].rationale.as_deref(), Some("three four"));
}

#[test]
fn h2_a_duplicate_id_in_json_lines_names_both_lines() {
    let project = project_with("q.jsonl", "{\"id\":\"a\",\"query\":\"b\"}\n\n{\"id\":\"a\",\"query\":\"c\"}\n");
    let problems = question::load(&project.path().join("q.jsonl"), "q.jsonl", None).unwrap_err();
    assert_eq!(messages(&problems), ["q.jsonl:3:1: the question id `a` is already on line 1"]);
}

#[test]
fn ten_thousand_questions_are_read() {
    let yaml: String = (0..10_000).map(|n| format!("- id: q{n}\n  query: Question number {n}?\n")).collect();
    assert_eq!(questions("q.yaml", yaml).len(), 10_000);
}

#[test]
fn questions_are_chosen_by_id_in_file_order_and_then_cut() {
    let experiment = load(&super::valid_project());
    let file = experiment.load_questions(&experiment.dataset("harbour").unwrap()).unwrap();
    let choose = |named: &[&str], limit| {
        let named: Vec<String> = named.iter().map(|&id| id.to_owned()).collect();
        file.choose(&named, limit)
    };
    assert_eq!(choose(&[], None).unwrap(), file.questions);
    assert_eq!(ids(&choose(&["lunch-again", " tide ", ""], None).unwrap()), ["tide", "lunch-again"]);
    assert_eq!(ids(&choose(&["lunch-again", "tide"], Some(1)).unwrap()), ["tide"]);
    assert_eq!(messages(&choose(&[], Some(0)).unwrap_err()), ["the selection keeps no question (the limit is 0)"]);
    assert_eq!(
        messages(&choose(&["tied", "tide", "supper"], None).unwrap_err()),
        ["no question has the id `tied` (did you mean `tide`?)", "no question has the id `supper`"]
    );
}
