//! Scores over complexity levels.

use super::support::{Cells, ask, assert_near, loaded, number, row, vectors};
use ragsql::warehouse::Warehouse;
use serde_json::{Value, json};

fn some(values: &Value) -> Vec<Option<f64>> {
    values.as_array().unwrap().iter().map(Value::as_f64).collect()
}

fn rungs(rungs: &[(i64, &Value)], metric: &str) -> Warehouse<'static> {
    let mut cells = Cells::default();
    for (level, scores) in rungs {
        cells.scores(&format!("d{level}"), *level, "heron", metric, &some(scores));
    }
    loaded(&cells)
}

#[test]
fn slopes_and_steps_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["6_slope"].as_array().unwrap() {
        let levels = case["levels"].as_array().unwrap().iter().map(|level| level.as_i64().unwrap());
        let levels: Vec<_> = levels.zip(case["rungs"].as_array().unwrap()).collect();
        let found =
            ask(&rungs(&levels, "faithfulness"), "metrics/stat_progression", &[("metric", "faithfulness".into())]);
        let slope = row(&found, &[("kind", "slope")]);
        for (column, key) in [("value", "slope"), ("se", "se"), ("df", "df")] {
            assert_near(slope, column, &case[key]);
        }
        assert_near(slope, "lower", &case["interval95"][0]);
        assert_near(slope, "upper", &case["interval95"][1]);
        assert_eq!(slope.text("mark").unwrap(), "falls");
        if case["levels"] == json!([1, 2, 3]) {
            for (level, step) in ["1", "2"].iter().zip(vectors["6_step"][0]["steps"].as_array().unwrap()) {
                let found = row(&found, &[("kind", "step"), ("from_level", level)]);
                assert_near(found, "value", &step["change"]);
                assert_near(found, "lower", &step["interval95"][0]);
                assert_near(found, "upper", &step["interval95"][1]);
                assert_eq!(found.text("mark").unwrap(), "no_clear_change");
            }
        }
    }
}

#[test]
fn the_gain_on_a_reference_is_that_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let case = &vectors["6_slope_gain"][0];
    let mut cells = Cells::default();
    for (index, level) in (1..).enumerate().take(3) {
        for (approach, key) in [("heron", "a"), ("wren", "ref")] {
            cells.scores(&format!("d{level}"), level, approach, "faithfulness", &some(&case[key][index]));
        }
    }
    let values = [("metric", "faithfulness".into()), ("reference", "wren".into())];
    let found = ask(&loaded(&cells), "metrics/stat_gain", &values);
    assert_eq!(found.rows.len(), 1, "the reference gains nothing on itself");
    for column in ["slope", "se", "df"] {
        assert_near(&found.rows[0], column, &case[column]);
    }
    assert_near(&found.rows[0], "lower", &case["interval95"][0]);
    assert_near(&found.rows[0], "upper", &case["interval95"][1]);
}

#[test]
fn trends_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["6_jonckheere"].as_array().unwrap() {
        let metric = if case["label"] == "judge ties" { "judge_score" } else { "faithfulness" };
        let levels: Vec<_> = (1..).zip(case["rungs"].as_array().unwrap()).collect();
        let found = ask(&rungs(&levels, metric), "metrics/stat_trend", &[("metric", metric.into())]);
        for (column, key) in [("s", "S"), ("jt", "JT"), ("tau_b", "tau_b"), ("p", "p")] {
            assert_near(&found.rows[0], column, &case[key]);
        }
        let reason = if case["p"].is_null() { "no_spread" } else { "-" };
        assert_eq!(found.rows[0].value("reason").unwrap().to_string(), reason);
    }
}

#[test]
fn one_level_and_thin_rungs_have_no_slope() {
    let scores = json!([0.1, 0.5, 0.9]);
    let found =
        ask(&rungs(&[(1, &scores)], "faithfulness"), "metrics/stat_progression", &[("metric", "faithfulness".into())]);
    assert_eq!(found.rows[0].text("reason").unwrap(), "one_level");
    assert_eq!(number(&found.rows[0], "value"), None);
    let thin = json!([0.1, 0.5, null, null]);
    let warehouse = rungs(&[(1, &scores), (2, &thin)], "faithfulness");
    let found = ask(&warehouse, "metrics/stat_progression", &[("metric", "faithfulness".into())]);
    for row in &found.rows {
        assert_eq!((row.text("mark").unwrap(), row.text("reason").unwrap()), ("not_estimable", "coverage"));
    }
    let found = ask(&warehouse, "metrics/stat_trend", &[("metric", "faithfulness".into())]);
    assert_eq!(found.rows[0].text("reason").unwrap(), "few_units");
}
