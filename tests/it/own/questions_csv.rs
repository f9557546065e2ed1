//! Question files as comma-separated values (bug-reports E3, E6, H5).

use ragsql::experiment::question::{Question, load};
use std::sync::Arc;

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<Vec<Arc<Question>>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    load(&path, name, None).map(|file| file.questions).map_err(|problems| problems.to_string())
}

#[test]
fn ids_that_look_like_something_else_are_the_same_text_in_all_three_formats() {
    let ids = ["007", "1.10", "12:30", "2024-01-05", "1e3", "0x1F", "null", "~", "no", "true"];
    let csv: String = ids.iter().map(|id| format!("{id},Where?\n")).collect();
    let yaml: String = ids.iter().map(|id| format!("- {{id: {id}, query: Where?}}\n")).collect();
    let jsonl: String = ids.iter().map(|id| format!("{{\"id\": \"{id}\", \"query\": \"Where?\"}}\n")).collect();
    let csv = read("q.csv", format!("id,query\n{csv}")).unwrap();
    assert_eq!(csv.iter().map(|question| question.id.as_str()).collect::<Vec<_>>(), ids);
    assert_eq!(csv, read("q.jsonl", jsonl).unwrap());
    let quoted = yaml.replace("id: ~", "id: \"~\"");
    assert_eq!(csv, read("q.yaml", quoted).unwrap());
}

#[test]
fn a_byte_order_mark_crlf_and_line_breaks_inside_cells_change_nothing() {
    let text =
        "\u{feff}\"id\",\"query\",\"ground_truth\"\r\nq1,\"line1\r\nline2, \"\"quoted\"\"\",\r\n\r\nq2,Second?,Yes\r\n";
    let questions = read("q.csv", text).unwrap();
    assert_eq!(questions[0].query, "line1\r\nline2, \"quoted\"");
    assert_eq!((&questions[0].ground_truth, questions[1].ground_truth.as_deref()), (&None, Some("Yes")));
}

#[test]
fn columns_come_in_any_order_and_relevant_sources_hold_one_name_or_a_list() {
    let text = "query,relevant_sources,id\nOne?,a.md,q1\nTwo?,\"[\"\"a.md\"\",\"\"b, c.md\"\"]\",q2\nThree?,[],q3\nFour?,,q4\n";
    let found: Vec<_> = read("q.csv", text).unwrap().iter().map(|question| question.relevant_sources.clone()).collect();
    let texts = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    assert_eq!(found, [texts(&["a.md"]), texts(&["a.md", "b, c.md"]), texts(&[]), None]);
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let text = "id,query,anser\nq1,\"What, \nreally?\",x\nq1,Again?,x\nq2,,x\nq3,too,many,cells\n";
    let told = read("q.csv", text).unwrap_err();
    for text in [
        "q.csv:1:1",
        "unknown question field `anser`",
        "q.csv:4",
        "already on line 2",
        "q.csv:5",
        "`query`",
        "q.csv:6",
        "4 cells",
    ] {
        assert!(told.contains(text), "`{text}` is not in:\n{told}");
    }
    for (text, message) in [
        ("", "the file is empty"),
        ("id,query\n", "one question at least"),
        ("id;query\nq1;Where?\n", "one single column"),
        ("id,query,id\nq1,a,b\n", "appears twice"),
        ("id,query\nq1,\"open\nq2,x\n", "q.csv:2:1: a quoted cell begins here and never ends"),
        ("id,query,relevant_sources\nq1,a,[x]\n", "JSON list"),
    ] {
        let told = read("q.csv", text).unwrap_err();
        assert!(told.contains(message), "`{message}` is not in:\n{told}");
    }
    let told = read("q.csv", b"id,query\nq1,caf\xe9\n".as_slice()).unwrap_err();
    assert!(told.contains("q.csv:2") && told.contains("0xe9"), "{told}");
}

#[test]
fn an_unknown_column_is_told_once_at_the_header_and_columns_of_ones_own_have_a_place() {
    let told = read("q.csv", "id,querry,extra\nq1,a,x\nq2,b,x\n").unwrap_err();
    assert_eq!(told.matches("unknown question field").count(), 2, "{told}");
    assert!(
        told.contains("q.csv:1") && told.contains("did you mean `query`?") && told.contains("`extra.NAME`"),
        "{told}"
    );
    assert!(!told.contains("q.csv:2"), "{told}");
    let read = read("q.csv", "id,extra.team,query,extra.note\nq1,pier,a,\nq2,,b,x\n").unwrap();
    assert_eq!(read.len(), 2);
}

#[test]
fn lines_are_right_behind_blank_lines_and_cells_of_several_lines() {
    let filler: String = (0..2000).map(|number| format!("q{number},\"a\nb\"\n\n")).collect();
    let told = read("q.csv", format!("id,query\n{filler}q0,again\n")).unwrap_err();
    assert!(told.contains("q.csv:6002") && told.contains("already on line 2"), "{told}");
}
