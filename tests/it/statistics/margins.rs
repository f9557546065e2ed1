//! Margins, thresholds and coverage floors: what a gate is made of.

use super::support::{Cells, ask, assert_near, loaded, number, vectors};
use ragsql::warehouse::{Parameter, Row};
use serde_json::{Value, json};

const METRIC: &str = "answer_relevancy";

fn judged(differences: &[Option<f64>], margin: Parameter) -> Row {
    let mut cells = Cells::default();
    cells.scores("harbour", 1, "new", METRIC, differences);
    cells.scores("harbour", 1, "old", METRIC, &vec![Some(0.0); differences.len()]);
    let values = [("metric", METRIC.into()), ("margin", margin), ("run_id", "r1".into()), ("reference", "old".into())];
    let found = ask(&loaded(&cells), "metrics/stat_noninferiority", &values);
    assert_eq!(found.rows.len(), 1);
    found.rows[0].clone()
}

#[test]
fn margins_are_judged_as_in_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["5_noninferior"].as_array().unwrap() {
        let differences: Vec<Option<f64>> = case["d"].as_array().unwrap().iter().map(Value::as_f64).collect();
        let found = judged(&differences, Parameter::Float(case["margin"].as_f64().unwrap()));
        for (column, key) in [("difference", "mean"), ("lower", "lower95"), ("upper", "upper95")] {
            assert_near(&found, column, &case[key]);
        }
        assert_eq!(found.text("verdict").unwrap(), case["verdict"].as_str().unwrap());
        let is_equivalent = case.get("tost_p").and_then(Value::as_f64).map(|p| p <= 0.05);
        if let Some(is_equivalent) = is_equivalent {
            assert_eq!(found.value("is_equivalent").unwrap().to_string(), is_equivalent.to_string());
        }
        if case.get("note").is_some() {
            assert_eq!(found.text("note").unwrap(), "small_real_decline");
        }
    }
}

#[test]
fn nothing_changed_passes_and_nothing_known_is_inconclusive() {
    let show = |found: &Row| {
        let text = |column: &str| found.value(column).unwrap().to_string();
        [text("verdict"), text("note"), text("reason")].join(" ")
    };
    let margin = || Parameter::Float(0.05);
    assert_eq!(show(&judged(&[Some(0.0); 24], margin())), "pass identical -");
    assert_eq!(show(&judged(&[Some(0.0), Some(0.1)], Parameter::Null)), "inconclusive - no_margin");
    assert_eq!(show(&judged(&[Some(0.0), Some(0.1)], Parameter::Float(0.0))), "inconclusive - no_margin");
    assert_eq!(show(&judged(&[None, None], margin())), "inconclusive - no_shared_questions");
    assert_eq!(show(&judged(&[Some(0.1), None], margin())), "inconclusive - one_question");
    assert_eq!(show(&judged(&[Some(-0.5); 6], margin())), "inconclusive - no_spread");
    assert_eq!(show(&judged(&[Some(0.1), Some(0.2), None, None], margin())), "inconclusive - coverage");
}

#[test]
fn the_baseline_can_be_another_run() {
    let mut cells = Cells::default();
    for (run, scores) in [("r1", [0.9, 0.8, 0.9, 0.7, 0.8, 0.9]), ("r2", [0.5, 0.3, 0.6, 0.2, 0.3, 0.5])] {
        let mut one = Cells::default();
        one.scores("harbour", 1, "heron", METRIC, &scores.map(Some));
        for mut cell in one.0 {
            cell["run_id"] = run.into();
            cell["row_id"] = format!("{run}/{}", cell["row_id"].as_str().unwrap()).into();
            cells.0.push(cell);
        }
    }
    let values = [
        ("metric", METRIC.into()),
        ("margin", Parameter::Float(0.1)),
        ("run_id", "r2".into()),
        ("baseline_run_id", "r1".into()),
    ];
    let found = ask(&loaded(&cells), "metrics/stat_noninferiority", &values);
    assert_eq!((found.rows.len(), found.rows[0].text("verdict").unwrap()), (1, "fail"));
}

#[test]
fn thresholds_are_judged_as_in_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["8_absolute"].as_array().unwrap() {
        let mut cells = Cells::default();
        let scores: Vec<Option<f64>> = case["y"].as_array().unwrap().iter().map(Value::as_f64).collect();
        cells.scores("harbour", 1, "heron", METRIC, &scores);
        let values = [("metric", METRIC.into()), ("threshold", Parameter::Float(case["threshold"].as_f64().unwrap()))];
        let found = ask(&loaded(&cells), "metrics/stat_absolute", &values);
        assert_near(&found.rows[0], "lower", &case["lower95"]);
        assert_near(&found.rows[0], "upper", &case["upper95"]);
        assert_eq!(found.rows[0].text("verdict").unwrap(), case["verdict"].as_str().unwrap());
    }
}

#[test]
fn coverage_is_a_count_and_its_floor_is_included() {
    for (scored, verdict) in [(19, "fail"), (20, "pass")] {
        let scores: Vec<Option<f64>> = (0..24).map(|number| (number < scored).then_some(0.5)).collect();
        let mut cells = Cells::default();
        cells.scores("harbour", 1, "heron", METRIC, &scores);
        let found = ask(&loaded(&cells), "metrics/stat_absolute", &[("metric", METRIC.into())]);
        assert_eq!(found.rows[0].text("coverage_verdict").unwrap(), verdict);
        assert_eq!((number(&found.rows[0], "lower"), found.rows[0].text("reason").unwrap()), (None, "no_threshold"));
        assert_near(&found.rows[0], "mean", &json!(0.5));
    }
}
