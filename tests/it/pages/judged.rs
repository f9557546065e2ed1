//! Judges that failed, disagree, or all say the same, on boards and pages.

use super::board::{board, scores};
use super::html::report;
use super::runs::{all, page, warehouse_of};
use crate::warehouse::rows::{failed_row, row};
use ragsql::panel::aggregate::{LastTieBreak, aggregate};
use ragsql::warehouse::catalogue::Catalogue;
use serde_json::{Map, Value, json};

/// The judgments of one question: each judge's scores and best answer, or nothing for a reply that could not be read.
fn question(id: &str, judges: &[(&str, Option<Value>)]) -> Value {
    let entry = |(judge, scores): &(&str, Option<Value>)| {
        let verdict = match scores {
            Some(scores) => json!({"scores": scores, "best": null, "reason": "so"}),
            None => json!({"error": "no valid verdict"}),
        };
        ((*judge).to_owned(), verdict)
    };
    let per_judge: Map<String, Value> = judges.iter().map(entry).collect();
    let found = aggregate(&per_judge, LastTieBreak::Name);
    json!({
        "query_id": id, "per_judge": per_judge, "mean_by_approach": found.means, "tied_winners": found.leaders,
    })
}

fn judgments(judges: &[&str], queries: Vec<Value>) -> Value {
    json!({"status": "ok", "dataset_id": "harbour", "judges": judges, "queries": queries})
}

fn of_tide(score: f64) -> Option<Value> {
    Some(json!({"tide": score}))
}

#[test]
fn k6_a_completed_cell_is_no_passed_one_and_five_failed_verdicts_are_five_errors() {
    let cells: Vec<Value> = (1..=5).map(|number| row(&format!("q{number}"), "tide", Value::Null)).collect();
    let judged = |scores: [Option<Value>; 5]| {
        let queries =
            (1..).zip(scores).map(|(number, score)| question(&format!("q{number}"), &[("j", score)])).collect();
        board(&cells, Some(judgments(&["j"], queries)), "judge_mean").remove(0)
    };
    let [_, rank, mean, coverage, bounds, _] =
        judged([of_tide(5.0), of_tide(5.0), of_tide(5.0), of_tide(5.0), of_tide(1.0)]);
    assert_eq!([rank, mean, coverage, bounds], ["1", "4.200", "5/5 scored", "4.200 and 4.200"]);
    let [_, rank, mean, coverage, bounds, _] = judged([None, None, None, None, None]);
    assert_eq!([rank, mean, coverage, bounds], ["-", "-", "0/5 scored, 5 failed", "1.000 and 5.000"]);
}

#[test]
fn k8_two_judges_that_disagree_and_one_that_failed_give_a_mean_over_two_and_no_winner_in_any_order() {
    let cells = [row("q1", "tide", json!(0.5)), row("q1", "wren", json!(0.5)), failed_row("q1", "ibis", "timeout")];
    let verdicts = [
        ("j1", Some(json!({"tide": 5.0, "wren": 1.0}))),
        ("j2", None),
        ("j3", Some(json!({"tide": 1.0, "wren": 5.0}))),
    ];
    let mut pages = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let judges = order.map(|index| verdicts[index].clone());
        let judged = judgments(&judges.each_ref().map(|(judge, _)| *judge), vec![question("q1", &judges)]);
        assert_eq!(judged["queries"][0]["tied_winners"], json!(["tide", "wren"]));
        let catalogue = Catalogue::embedded(None).unwrap();
        let (_folder, warehouse) = warehouse_of(&catalogue, &cells, Some(judged.clone()));
        let run = page(&all(&warehouse), "runs/r1/README.md").to_owned();
        let shown: Vec<&str> = run.lines().filter(|line| line.contains("[q1]")).collect();
        assert!(shown[0].contains("| ibis |") && shown[0].contains("| not judged |"), "{run}");
        for line in &shown[1..] {
            assert!(line.contains("| 3.00 (2/3) |"), "{line}");
        }
        let places: Vec<[String; 3]> = board(&cells, Some(judged), "judge_mean")
            .into_iter()
            .map(|[approach, rank, mean, ..]| [approach, rank, mean])
            .collect();
        assert_eq!(places[..2], [["tide", "1", "3.000"], ["wren", "1", "3.000"]].map(|row| row.map(str::to_owned)));
        pages.push((shown.join("\n"), places));
    }
    assert!(pages.windows(2).all(|pair| pair[0] == pair[1]), "the order of judges decides");
}

#[test]
fn k8_a_panel_that_failed_altogether_is_told_on_the_page_of_the_run() {
    let cells = [row("q1", "tide", json!(0.5)), row("q2", "tide", json!(0.5)), row("q3", "tide", json!(0.5))];
    let queries =
        vec![question("q1", &[("j1", None), ("j2", None)]), question("q2", &[("j1", None), ("j2", of_tide(4.0))])];
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &cells, Some(judgments(&["j1", "j2"], queries)));
    let run = page(&all(&warehouse), "runs/r1/README.md").to_owned();
    for (question, shown) in [("q1", "no judge scored it"), ("q2", "4.00 (1/2)"), ("q3", "not judged")] {
        let line = run.lines().find(|line| line.contains(&format!("[{question}]"))).unwrap();
        assert!(line.contains(&format!("| {shown} |")), "{line}");
    }
}

#[test]
fn f8_a_missing_score_is_a_dash_with_its_reason_on_every_page() {
    let cells = scores("tide", &[None, Some(0.5)]);
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, &cells, None);
    let site = all(&warehouse);
    let run = page(&site, "runs/r1/README.md");
    assert!(
        run.contains("| faithfulness - (score_missing_or_null) |") && run.contains("| faithfulness 0.500 |"),
        "{run}"
    );
    let question = page(&site, "runs/r1/harbour-q0.md");
    assert!(question.contains("| faithfulness | error | - | score_missing_or_null |"), "{question}");
    let html = report(&cells);
    assert!(html.contains("<li>faithfulness - <span class=\"quiet\">(error: score_missing_or_null)</span></li>"));
    assert!(html.contains(">1/2</td>") && !html.contains(">NaN<") && !html.contains(">null<"));
    let [_, _, mean, coverage, bounds, _] = board(&cells, None, "faithfulness").remove(0);
    assert_eq!([mean, coverage, bounds], ["0.500", "1/2 scored, 1 failed", "0.250 and 0.750"]);
}
