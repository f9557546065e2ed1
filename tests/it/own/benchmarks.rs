//! `ragsql dataset add`: public layouts become documents, questions with their ids as text, and a catalogue entry.

use crate::cli::project::Project;
use serde_json::{Value, json};
use std::fs;

fn questions(project: &Project, id: &str) -> Vec<Value> {
    let text = project.read(&format!("demo/{id}_queries.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn beir(project: &Project) {
    project.write(
        "beir/corpus.jsonl",
        "{\"_id\": \"007\", \"title\": \"Ferry\", \"text\": \"The ferry leaves at noon.\"}\n\
         {\"_id\": \"7\", \"title\": \"\", \"text\": \"The crane lifts containers.\"}\n\
         {\"_id\": \"a/b:c\", \"title\": \"Gate\", \"text\": \"The lock gate is stuck.\"}\n",
    );
    project.write(
        "beir/queries.jsonl",
        "{\"_id\": \"1.10\", \"text\": \"When does the ferry leave?\"}\n{\"_id\": \"1e3\", \"text\": \"Which gate is stuck?\"}\n\
         {\"_id\": \"x\", \"text\": \"Not judged.\"}\n",
    );
    project.write("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\n1.10\t007\t2\n1.10\t7\t0\n1e3\ta/b:c\t1\n");
}

#[test]
fn beir_keeps_ids_as_text_and_is_run_like_any_dataset() {
    let project = Project::new();
    beir(&project);
    let before = project.read("compare/datasets.yaml");
    let told = project.ragsql(&["dataset", "add", "tiny", "--layout", "beir", "--from", "beir"]).ends_with(0);
    assert!(told.err.contains("3 documents") && told.err.contains("1 queries without judgements"), "{}", told.err);
    assert_eq!(
        questions(&project, "tiny")[0],
        json!({"id": "1.10", "query": "When does the ferry leave?", "relevant_sources": ["007.md"]})
    );
    assert_eq!(questions(&project, "tiny")[1]["id"], "1e3");
    assert_eq!(project.read("corpus/tiny/007.md"), "# Ferry\n\nThe ferry leaves at noon.\n");
    assert!(project.read("compare/datasets.yaml").starts_with(before.trim_end()), "what was there stays");
    let told = project.ragsql(&["run", "--dataset", "tiny", "--models", "vanilla-rag"]).ends_with(0);
    assert!(told.out.contains("recall_at_5"), "{}", told.out);
    project.ragsql(&["dataset", "add", "tiny", "--layout", "beir", "--from", "beir"]).ends_with(2).complains("tiny");
}

#[test]
fn hotpotqa_gives_a_document_for_each_different_paragraph() {
    let project = Project::new();
    let item = |id: &str, text: &str| {
        json!({"_id": id, "question": "Who?", "answer": "Ann.", "type": "bridge",
            "supporting_facts": [["Pier", 0], ["Crane", 1], ["Pier", 1]],
            "context": [["Pier", [text, " Second."]], ["Crane", ["It lifts."]], ["Noise", ["x"]]]})
    };
    project.write("hotpot.json", &json!([item("5a7", "First."), item("5a8", "Other.")]).to_string());
    project.ragsql(&["dataset", "add", "hot", "--layout", "hotpotqa", "--from", "hotpot.json"]).ends_with(0);
    let found = questions(&project, "hot");
    assert_eq!(found[0]["relevant_sources"], json!(["Pier.md", "Crane.md"]));
    assert_eq!((&found[0]["kind"], &found[0]["ground_truth"]), (&json!("bridge"), &json!("Ann.")));
    let second = found[1]["relevant_sources"][0].as_str().unwrap();
    assert_eq!(project.read(&format!("corpus/hot/{second}")), "# Pier\n\nOther. Second.\n");
    assert_eq!(fs::read_dir(project.path("corpus/hot")).unwrap().count(), 4);
}

#[test]
fn squad_questions_without_an_answer_have_no_relevant_document() {
    let project = Project::new();
    let data = json!({"version": "v2.0", "data": [{"title": "The_Pier", "paragraphs": [{"context": "It opens at 9.",
        "qas": [
            {"id": "56be", "question": "When?", "answers": [{"text": "at 9", "answer_start": 9}], "is_impossible": false},
            {"id": "56bf", "question": "Why?", "answers": [], "is_impossible": true}]}]}]});
    project.write("squad.json", &data.to_string());
    project.ragsql(&["dataset", "add", "squad", "--layout", "squad", "--from", "squad.json"]).ends_with(0);
    let found = questions(&project, "squad");
    assert_eq!(found[0]["relevant_sources"], json!(["The_Pier-1-1.md"]));
    assert_eq!((&found[1]["relevant_sources"], found[1].get("ground_truth")), (&json!([]), None));
    project.ragsql(&["check", "--dataset", "squad"]).ends_with(0);
}

#[test]
fn multihop_rag_matches_evidence_by_url_and_names_questions_by_place() {
    let project = Project::new();
    let corpus =
        json!([{"title": "A", "url": "http://a", "body": "One."}, {"title": "A", "url": "http://b", "body": "Two."}]);
    let asked = json!([{"query": "Both?", "answer": "Yes", "question_type": "comparison_query",
        "evidence_list": [{"title": "A", "url": "http://b"}, {"title": "A", "url": "http://a"}]}]);
    project.write("mh/corpus.json", &corpus.to_string());
    project.write("mh/MultiHopRAG.json", &asked.to_string());
    project.ragsql(&["dataset", "add", "mh", "--layout", "multihop-rag", "--from", "mh"]).ends_with(0);
    let found = questions(&project, "mh");
    assert_eq!(found[0]["id"], "q0001");
    let texts: Vec<String> = found[0]["relevant_sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| project.read(&format!("corpus/mh/{}", file.as_str().unwrap())))
        .collect();
    assert_eq!(texts, ["# A\n\nTwo.\n", "# A\n\nOne.\n"]);
}

#[test]
fn what_does_not_fit_its_layout_is_told_with_file_and_line_and_nothing_is_written() {
    let project = Project::new();
    let add = |layout: &str, from: &str, text: &str| {
        project.ragsql(&["dataset", "add", "bad", "--layout", layout, "--from", from]).ends_with(2).complains(text);
        assert!(!project.path("corpus/bad").exists() && !project.path("demo/bad_queries.jsonl").exists());
    };
    add("beir", "nowhere", "nowhere");
    beir(&project);
    project.write("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\n1.10\t008\t1\n");
    add("beir", "beir", "line 2: the document `008` is not in `corpus.jsonl`");
    project.write("beir/qrels/test.tsv", "1.10 007 1\n");
    add("beir", "beir", "between tabs");
    project.write("beir/corpus.jsonl", "{\"_id\": \"a\", \"_id\": \"b\"}\n");
    add("beir", "beir", "line 1");
    project.write("beir/corpus.jsonl", "{\"_id\": \"a\", \"text\": [\"x\"]}\n");
    add("beir", "beir", "its `text` is no text");
    project.write("beir/corpus.jsonl", "{\"_id\": \"a\", \"title\": 5, \"text\": null}\n");
    add("beir", "beir", "its `title` is no text");
    project.write("h.json", "{}");
    add("hotpotqa", "h.json", "not a list");
    add("squad", "h.json", "`data`");
    project.ragsql(&["dataset", "add", "Bad", "--layout", "squad", "--from", "h.json"]).ends_with(2).complains("a-z");
}
