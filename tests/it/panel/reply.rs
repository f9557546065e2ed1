//! What counts as a verdict, and why everything else does not.

use ragsql::panel::reply::{Parse, Reading, Reason, Score, read_verdict};
use serde_json::{Value, json};

fn labels(names: &str) -> Vec<String> {
    names.chars().map(String::from).collect()
}

fn read(text: &str, names: &str) -> Reading {
    read_verdict(text, Some("stop"), &labels(names))
}

/// Label and score, or label and the word for its absence.
fn told(reading: &Reading) -> Vec<(&str, Value)> {
    let word = |score: &Score| match score {
        Score::Scored(number) => json!(number),
        Score::Unscored { reason, .. } => json!(reason.as_str()),
    };
    reading.scores.iter().map(|entry| (entry.label.as_str(), word(&entry.score))).collect()
}

#[track_caller]
fn assert_scores(text: &str, parse: Parse, a: f64, b: f64) {
    let reading = read(text, "AB");
    assert_eq!(reading.failure, None, "{text}: {}", reading.detail);
    assert_eq!(reading.parse, Some(parse), "{text}");
    assert_eq!(told(&reading), [("A", json!(a)), ("B", json!(b))], "{text}");
}

#[track_caller]
fn assert_fails(text: &str, reason: Reason) {
    let reading = read(text, "AB");
    assert_eq!(reading.failure, Some(reason), "{text}");
    assert!(reading.scores.iter().all(|entry| entry.score.number().is_none()), "{text}");
}

#[test]
fn fenced_json_is_read_whatever_the_language_word() {
    for fence in ["```json\n", "```JSON\n", "```\n", "```json5 ", "```", "  ```json  \n\n"] {
        assert_scores(&format!("{fence}{{\"scores\":{{\"A\":3,\"B\":5}}}}\n```  \n"), Parse::Fenced, 3.0, 5.0);
    }
}

#[test]
fn backticks_inside_a_string_survive() {
    let text = r#"{"scores":{"A":4,"B":5},"reason":"uses ```sql``` once and ```rust``` once"}"#;
    assert_scores(text, Parse::Strict, 4.0, 5.0);
    assert_eq!(read(text, "AB").remark, json!("uses ```sql``` once and ```rust``` once"));
    assert_scores(&format!("```json\n{text}\n```"), Parse::Fenced, 4.0, 5.0);
    assert_scores(&format!("Here: ```json\n{text}\n``` done"), Parse::Scan, 4.0, 5.0);
}

#[test]
fn braces_in_strings_and_nested_objects_do_not_confuse_the_scan() {
    let text = r#"Result -> {"scores":{"A":3,"B":5},"meta":{"k":{"z":1}},"note":"mentions {x} and a lone } too"} <- done {not json}"#;
    assert_scores(text, Parse::Scan, 3.0, 5.0);
}

#[test]
fn two_different_verdicts_are_ambiguous_and_two_equal_ones_are_not() {
    assert_fails(
        "Draft: {\"scores\":{\"A\":2,\"B\":2}}\nOn reflection: {\"scores\":{\"A\":4,\"B\":3}}",
        Reason::Ambiguous,
    );
    let one = r#"{"scores":{"A":2,"B":2}}"#;
    assert_scores(&format!("Draft: {one}\nI stay with {one}"), Parse::Scan, 2.0, 2.0);
    assert_fails(&format!("[{one}, {{\"scores\":{{\"A\":1,\"B\":2}}}}]"), Reason::Ambiguous);
    assert_fails(r#"{"scores":{"A":1,"B":1},"scores":{"A":5,"B":5}}"#, Reason::Ambiguous);
    assert_fails(r#"{"scores":null,"scores":{"A":5,"B":5}}"#, Reason::Ambiguous);
    assert_scores(r#"{"scores":{"A":5,"B":5},"scores":{"A":5,"B":5}}"#, Parse::Strict, 5.0, 5.0);
}

#[test]
fn an_array_or_a_wrapper_around_one_verdict_is_that_verdict() {
    assert_scores(r#"[{"scores":{"A":2,"B":3}}]"#, Parse::Strict, 2.0, 3.0);
    assert_scores(r#"{"verdict":{"scores":{"A":2,"B":3}}}"#, Parse::Strict, 2.0, 3.0);
}

#[test]
fn think_blocks_hold_no_verdict() {
    let verdict = r#"{"scores":{"A":5,"B":3}}"#;
    for thought in [
        r#"<think>maybe {"scores":{"A":1,"B":1}}</think>"#,
        "perhaps {\"scores\":{\"A\":1,\"B\":1}}</think>\n",
        r#"<think>a { b "c</think>"#,
        r#"<Thinking>{"scores":{"A":1,"B":1}} <think>x</THINKING> {"scores":{"A":2,"B":2}}</think>"#,
        r#"first {"scores":{"A":1,"B":1}</think>"#,
    ] {
        assert_scores(&format!("{thought}{verdict}"), Parse::Scan, 5.0, 3.0);
    }
    assert_scores(r#"{"scores":{"A":5,"B":5},"note":"answer printed <think> literally"}"#, Parse::Strict, 5.0, 5.0);
    assert_scores(
        r#"Verdict: {"scores":{"A":5,"B":4},"note":"printed </think> and <think> literally"} done"#,
        Parse::Scan,
        5.0,
        4.0,
    );
    assert_fails(r#"<think>I lean to {"scores":{"A":1,"B":1}}"#, Reason::Truncated);
}

#[test]
fn a_truncated_verdict_gives_no_partial_credit() {
    for (text, finish) in [
        (r#"{"scores":{"A":4,"B":"#, "length"),
        (r#"{"scores":{"A":4,"B":"#, "stop"),
        (r#"{"draft":{"scores":{"A":1,"B":1}},"final":{"scores":{"A":5"#, "stop"),
        (r#"{"scores":{"A":2,"B":2}} no, rather {"scores":{"A":4,"#, "stop"),
        (r#"{"scores":{"A":4,"B":3},"reason":"the fir"#, "length"),
        (r#"I think {"scores":{"A":4,"B":3}} because it is"#, "length"),
    ] {
        let reading = read_verdict(text, Some(finish), &labels("AB"));
        assert_eq!(reading.failure, Some(Reason::Truncated), "{text}");
        assert_eq!(reading.scores, [], "{text}");
    }
    let complete = read_verdict(r#"{"scores":{"A":4,"B":3}}"#, Some("length"), &labels("AB"));
    assert_eq!(complete.failure, None);
}

#[test]
fn labels_match_without_case_and_blanks_but_spelled_forms_do_not() {
    assert_scores(r#"{"scores":{"a":4,"b":5}}"#, Parse::Strict, 4.0, 5.0);
    assert_scores(r#"{"scores":{" A ":4,"b":5}}"#, Parse::Strict, 4.0, 5.0);
    let spelled = read(r#"{"scores":{"Candidate A":4,"B":5}}"#, "AB");
    assert_eq!(told(&spelled), [("B", json!(5.0)), ("A", json!("judge_missing_label"))]);
    assert_eq!(spelled.surplus, ["Candidate A"]);
    let twice = read(r#"{"scores":{"A":4,"a":2,"B":5}}"#, "AB");
    assert_eq!(told(&twice), [("A", json!("judge_ambiguous")), ("B", json!(5.0))]);
    let again = read(r#"{"scores":{"A":4,"A":4,"B":5}}"#, "AB");
    assert_eq!(told(&again), [("A", json!(4.0)), ("B", json!(5.0))]);
    assert_fails(r#"{"scores":{"AB":4}}"#, Reason::Schema);
}

#[test]
fn prose_is_never_searched() {
    assert_fails("I checked 3 sources and 12 claims; overall it is decent, close to a four.", Reason::Parse);
    assert_fails("I would rather not grade this pair.", Reason::Parse);
    assert_fails("A: 4, B: 5", Reason::Parse);
    assert_fails("OK!", Reason::Parse);
    assert_fails("", Reason::Parse);
    assert_fails("{'scores':{'A':4,'B':5}}", Reason::Parse);
    assert_fails(r#"{"scores":{"A":4,"B":5,}}"#, Reason::Parse);
}

#[test]
fn json_that_is_no_verdict_is_a_schema_failure() {
    for text in ["4", "null", "[]", "{}", "\"A\"", r#"{"scores":{}}"#, r#"{"scores":[4,5]}"#, r#"{"scores":null}"#] {
        assert_fails(text, Reason::Schema);
    }
    assert_fails(r#"Here you are: {"scores":{"X":5}}"#, Reason::Schema);
}

#[test]
fn numbers_in_text_count_and_other_fractions_do_not() {
    let text = r#"{"scores":{"A":"4","B":"3.5","C":"6/15","D":"4/5","E":"4,5","F":"four","G":"9/10"}}"#;
    assert_eq!(
        told(&read(text, "ABCDEFG")),
        [
            ("A", json!(4.0)),
            ("B", json!(3.5)),
            ("C", json!("judge_type")),
            ("D", json!(4.0)),
            ("E", json!("judge_type")),
            ("F", json!("judge_type")),
            ("G", json!("judge_type")),
        ]
    );
}

#[test]
fn scores_outside_the_scale_are_unscored_with_their_value() {
    let reading = read(r#"{"scores":{"A":42,"B":-1,"C":5.0001}}"#, "ABC");
    assert_eq!(reading.failure, Some(Reason::OutOfRange));
    let values: Vec<String> = reading
        .scores
        .iter()
        .map(|entry| match &entry.score {
            Score::Unscored { reason: Reason::OutOfRange, value } => value.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(values, ["42", "-1", "5.0001"]);
    assert_eq!(told(&read(r#"{"scores":{"A":42,"B":3}}"#, "AB"))[1], ("B", json!(3.0)));
}

#[test]
fn nan_infinity_booleans_and_null_are_no_numbers() {
    let text = r#"{"scores":{"A":NaN,"B":true,"C":1e400,"D":null,"E":"nan","F":4,"G":-Infinity,"H":[4],"I":{"s":4}}}"#;
    let reading = read(text, "ABCDEFGHI");
    for (label, told) in told(&reading) {
        assert_eq!(told, if label == "F" { json!(4.0) } else { json!("judge_type") }, "{label}");
    }
    assert!(!reading.is_complete() && reading.failure.is_none());
}

#[test]
fn a_missing_label_is_unscored_and_an_invented_one_is_ignored() {
    let reading = read(r#"{"scores":{"B":5,"A":3,"D":4}}"#, "ABC");
    assert_eq!(told(&reading), [("B", json!(5.0)), ("A", json!(3.0)), ("C", json!("judge_missing_label"))]);
    assert_eq!(reading.surplus, ["D"]);
    assert!(!reading.is_complete());
}

#[test]
fn best_is_a_label_or_nothing_and_the_remark_keeps_its_type() {
    let best = |best: &str| read(&format!(r#"{{"scores":{{"A":4,"B":5}},"best":{best}}}"#), "AB").best;
    assert_eq!(best("\" b\"").as_deref(), Some("B"));
    for other in ["\"Answer A\"", "null", "1", "\"C\"", "[\"A\"]"] {
        assert_eq!(best(other), None, "{other}");
    }
    assert_eq!(read(r#"{"scores":{"A":4,"B":5},"best":"A","best":"B"}"#, "AB").best, None);
    assert_eq!(read(r#"{"scores":{"A":4,"B":5}}"#, "AB").remark, json!(""));
    assert_eq!(read(r#"{"scores":{"A":4,"B":5},"reason":["x",1]}"#, "AB").remark, json!(["x", 1]));
}

#[test]
fn more_than_26_answers_have_two_letter_labels() {
    let labels: Vec<String> = (0..34).map(ragsql::panel::order::label).collect();
    let scores: Vec<String> = labels.iter().map(|label| format!("\"{}\":3", label.to_lowercase())).collect();
    let reading = read_verdict(&format!("{{\"scores\":{{{}}}}}", scores.join(",")), None, &labels);
    assert!(reading.is_complete());
    assert_eq!(reading.scores[33].label, "AH");
}
