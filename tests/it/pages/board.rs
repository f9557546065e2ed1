//! The boards of the HTML report: ranks, bounds, coverage and ties, as people have seen them go wrong elsewhere.

use super::runs::warehouse_of;
use crate::warehouse::rows::{failed_row, row};
use ragsql::report::page::Pages;
use ragsql::warehouse::catalogue::Catalogue;
use serde_json::{Value, json};

/// (approach, rank, mean, scores, bounds, mean on common questions) of one metric.
pub fn board(rows: &[Value], judgments: Option<Value>, metric: &str) -> Vec<[String; 6]> {
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, rows, judgments);
    let found = warehouse.query("rankings/board@1", &[]).unwrap();
    let wanted = found.rows.iter().filter(|row| row.text("metric").unwrap() == metric);
    let text = |row: &ragsql::warehouse::Row, column: &str| row.value(column).unwrap().to_string();
    let columns = ["approach", "rank_text", "value_text", "coverage_text", "bounds_text", "common_text"];
    wanted.map(|row| columns.map(|column| text(row, column))).collect()
}

/// One approach on the questions `q0`, `q1`, ...; null is a score that failed.
pub fn scores(approach: &str, given: &[Option<f64>]) -> Vec<Value> {
    let question = |(index, score): (usize, &Option<f64>)| row(&format!("q{index}"), approach, json!(score));
    given.iter().enumerate().map(question).collect()
}

#[test]
fn a_mean_over_the_easy_questions_alone_is_not_first() {
    let mut rows = scores("heron", &[Some(0.6); 4]);
    rows.extend(scores("wren", &[Some(0.9), Some(0.7), None, None]));
    assert_eq!(
        board(&rows, None, "faithfulness"),
        [
            ["heron", "1-2", "0.600", "4/4 scored", "0.600 and 0.600", "0.600 on 2"],
            ["wren", "1-2", "0.800", "2/4 scored, 2 failed", "0.400 and 0.900", "0.800 on 2"],
        ]
    );
}

#[test]
fn nothing_scored_is_unranked_and_leaves_no_gap_in_the_ranks_of_others() {
    let mut rows = scores("ibis", &[None, None]);
    rows.extend(scores("heron", &[Some(0.5), Some(0.5)]));
    rows.extend(scores("wren", &[Some(0.4), Some(0.4)]));
    assert_eq!(
        board(&rows, None, "faithfulness"),
        [
            ["heron", "1", "0.500", "2/2 scored", "0.500 and 0.500", "0.500 on 2"],
            ["wren", "2", "0.400", "2/2 scored", "0.400 and 0.400", "0.400 on 2"],
            ["ibis", "-", "-", "0/2 scored, 2 failed", "0.000 and 1.000", "-"],
        ]
    );
}

#[test]
fn equal_means_share_a_rank_in_any_order_of_rows_and_stand_by_name() {
    let mut rows = scores("wren", &[Some(0.8)]);
    rows.extend(scores("ibis", &[Some(0.7)]));
    rows.extend(scores("heron", &[Some(0.8)]));
    let ranks = |rows: &[Value]| -> Vec<(String, String)> {
        board(rows, None, "faithfulness").into_iter().map(|[approach, rank, ..]| (approach, rank)).collect()
    };
    let expected = [("heron", "1"), ("wren", "1"), ("ibis", "3")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(ranks(&rows), expected);
    rows.reverse();
    assert_eq!(ranks(&rows), expected);
}

#[test]
fn zero_is_a_score_and_not_the_lack_of_one() {
    let rows: Vec<Value> = ["heron", "wren"].iter().flat_map(|name| scores(name, &[Some(0.0), Some(0.0)])).collect();
    assert_eq!(
        board(&rows, None, "faithfulness"),
        ["heron", "wren"].map(|name| [name, "1", "0.000", "2/2 scored", "0.000 and 0.000", "0.000 on 2"])
    );
}

#[test]
fn rounding_hides_no_failure_and_no_difference() {
    let mut rows: Vec<Value> = (1..600).map(|index| row(&format!("q{index}"), "heron", json!(0.5))).collect();
    rows.push(failed_row("q600", "heron", "timeout"));
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let page = Pages::load(None).unwrap().render(&warehouse, "report.html", &super::html::given()).unwrap().remove(0).1;
    assert!(page.contains("599 of 600 cells answered (99.8 %), 0 failed, 1 out of time"), "no honest share");
    assert!(!page.contains("100 %)"));
    let close = [scores("heron", &[Some(0.70049)]), scores("wren", &[Some(0.70051)])].concat();
    let means: Vec<[String; 2]> = board(&close, None, "faithfulness")
        .into_iter()
        .map(|[a, rank, mean, ..]| {
            assert_eq!(rank, if a == "wren" { "1" } else { "2" });
            [a, mean]
        })
        .collect();
    assert_eq!(means, [["wren", "0.701"], ["heron", "0.700"]]);
    let almost: Vec<Value> =
        (0..3000).map(|index| row(&format!("q{index}"), "heron", json!(if index == 0 { 0.0 } else { 1.0 }))).collect();
    assert_eq!(board(&almost, None, "faithfulness")[0][2], "0.9997", "1.000 would say that all were right");
}

#[test]
fn base_approaches_and_flavors_are_ranked_apart() {
    let mut rows = scores("heron", &[Some(0.5)]);
    let mut flavor = row("q0", "heron-fast", json!(0.9));
    flavor["approach"]["base_model"] = "heron".into();
    rows.push(flavor);
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let found = warehouse.query("rankings/board@1", &[]).unwrap();
    let placed: Vec<[String; 3]> = found
        .rows
        .iter()
        .filter(|row| row.text("metric").unwrap() == "faithfulness")
        .map(|row| ["tier", "approach", "rank_text"].map(|column| row.text(column).unwrap().to_owned()))
        .collect();
    assert_eq!(placed, [["base", "heron", "1"], ["flavors", "heron-fast", "1"]]);
}

#[test]
fn the_first_lines_of_several_runs_name_their_runs_and_questions_their_expected_winner() {
    let mut rows = scores("heron", &[Some(0.5)]);
    rows.extend(scores("wren", &[Some(0.4)]));
    let mut later = row("q0", "heron", json!(0.25));
    (later["run_id"], later["row_id"]) = ("night".into(), "night/q0/heron".into());
    rows.push(later);
    for row in &mut rows {
        row["question"]["expect_winner"] = "wren".into();
    }
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let page = Pages::load(None).unwrap().render(&warehouse, "report.html", &super::html::given()).unwrap().remove(0).1;
    for run in ["night", "r1"] {
        let line = format!("<b>harbour</b> (Base approaches, faithfulness, run {run}): <b>heron</b>");
        assert!(page.contains(&line), "`{line}` is missing");
    }
    assert!(page.contains("First, whatever the missing scores are."));
    assert!(page.contains("<p>Its author expects wren to win.</p>"));
}
