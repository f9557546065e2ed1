//! The statements against the numbers of the contract (sections 1, 3.4, 4, 5.3 and 8).

use super::support::{all, cells, of_run};
use crate::statistics::support::{Cells, TOLERANCE, ask, assert_near, assert_steady, loaded, number, row, vectors};
use ragsql::warehouse::{Parameter, Row, Table};
use serde_json::{Value, json};

const METRIC: &str = "answer_relevancy";

fn gate(cells: &Cells, rule: &str, value: f64, more: &[(&str, Parameter)]) -> Row {
    let checks =
        json!([{"number": 1, "name": "c", "rule": rule, "metric": METRIC, "value": value, "has_coverage_rule": true}]);
    let mut values = vec![
        ("candidate_run_id", Parameter::from("new")),
        ("baseline_run_id", "old".into()),
        ("checks", Parameter::Text(checks.to_string())),
    ];
    values.extend(more.iter().cloned());
    let found = ask(&loaded(cells), "reports/gate", &values);
    row(&found, &[("rule", rule)]).clone()
}

/// Two runs whose scores differ by these.
fn two_runs(differences: &[f64]) -> Cells {
    let mut both = cells("new", "heron", METRIC, &all(differences));
    both.0.extend(cells("old", "heron", METRIC, &vec![Some(0.0); differences.len()]).0);
    both
}

fn texts(found: &Row, columns: &[&str]) -> String {
    columns.iter().map(|column| found.value(column).unwrap().to_string()).collect::<Vec<_>>().join(" ")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().filter_map(Value::as_f64).collect()
}

#[test]
fn a_margin_is_decided_as_in_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["5_noninferior"].as_array().unwrap() {
        let found = gate(&two_runs(&numbers(&case["d"])), "margin", case["margin"].as_f64().unwrap(), &[]);
        assert_near(&found, "observed", &case["mean"]);
        assert_near(&found, "lower", &case["lower95"]);
        assert_near(&found, "upper", &case["upper95"]);
        let verdict = case["verdict"].as_str().unwrap();
        assert_eq!(texts(&found, &["verdict", "total_verdict"]), format!("{verdict} {verdict}"));
        if case.get("note").is_some() {
            assert_eq!(found.text("note").unwrap(), "small_real_decline");
        }
    }
}

#[test]
fn a_threshold_is_decided_as_in_the_contract() {
    let scores = [0.9, 0.8, 1.0, 0.7, 0.6, 0.85];
    for (threshold, verdict) in [(0.65, "pass"), (0.70, "inconclusive"), (0.95, "fail")] {
        let found = gate(&cells("new", "heron", METRIC, &all(&scores)), "min_mean", threshold, &[]);
        assert_eq!(found.text("verdict").unwrap(), verdict);
        assert!((number(&found, "lower").unwrap() - 0.690_788_845).abs() < 1e-9);
        assert!((number(&found, "upper").unwrap() - 0.925_877_822).abs() < 1e-9);
    }
}

#[test]
fn coverage_is_counted_and_its_floor_is_included() {
    for (scored, verdict) in [(19, "fail"), (20, "pass")] {
        let scores: Vec<Option<f64>> = (0..24).map(|number| (number < scored).then_some(0.5)).collect();
        let found = gate(&cells("new", "heron", METRIC, &scores), "min_coverage", 0.8, &[]);
        assert_eq!(texts(&found, &["verdict", "scored_n", "eligible_n"]), format!("{verdict} {scored} 24"));
    }
    // A tenth of ten is one, though 0.1 has no exact double and 0.07 x 100 is more than 7 in doubles.
    for (floor, scored, of, verdict) in [(0.1, 1, 10, "pass"), (0.07, 7, 100, "pass"), (0.07, 6, 100, "fail")] {
        let scores: Vec<Option<f64>> = (0..of).map(|number| (number < scored).then_some(0.5)).collect();
        let found = gate(&cells("new", "heron", METRIC, &scores), "min_coverage", floor, &[]);
        assert_eq!(found.text("verdict").unwrap(), verdict, "{scored} of {of}");
    }
}

#[test]
fn a_mean_that_meets_its_threshold_exactly_passes_the_point_rule() {
    for (score, n, threshold, verdict) in [(0.7, 6, 0.7, "pass"), (0.1, 3, 0.1, "pass"), (0.699_999, 7, 0.7, "fail")] {
        let checks = json!([
            {"number": 1, "name": "c", "rule": "min_mean", "metric": METRIC, "value": threshold, "is_point": true}
        ]);
        let values = [("candidate_run_id", "new".into()), ("checks", Parameter::Text(checks.to_string()))];
        let found = ask(&loaded(&cells("new", "heron", METRIC, &vec![Some(score); n])), "reports/gate", &values);
        assert_eq!(texts(&found.rows[0], &["verdict", "note"]), format!("{verdict} point_rule"));
    }
}

#[test]
fn a_change_that_is_the_same_everywhere_has_an_interval_with_a_width() {
    // Section 3.4 with alpha in place of alpha / 2, on the range -2..2 of a difference.
    let found = gate(&two_runs(&[-0.5; 24]), "margin", 0.05, &[]);
    let kept = 0.05_f64.powf(1.0 / 24.0);
    assert!((number(&found, "lower").unwrap() - (-2.0 + 1.5 * kept)).abs() < TOLERANCE);
    assert!((number(&found, "upper").unwrap() - (2.0 - 2.5 * kept)).abs() < TOLERANCE);
    assert_eq!(found.text("verdict").unwrap(), "fail");
}

#[test]
fn looks_share_the_level_and_a_correction_divides_that_of_failing() {
    let differences = [-0.1, -0.02, -0.2, 0.0, -0.15, -0.05];
    let level = |more: &[(&str, Parameter)]| {
        let found = gate(&two_runs(&differences), "margin", 0.05, more);
        (number(&found, "pass_alpha").unwrap(), number(&found, "fail_alpha").unwrap())
    };
    assert_eq!(level(&[]), (0.05, 0.05));
    for (looks, alpha) in [(2, 0.025), (5, 0.01), (10, 0.005)] {
        let shared = level(&[("looks_max", Parameter::Integer(looks))]);
        assert!((shared.0 - alpha).abs() < TOLERANCE && shared.1 == shared.0, "{shared:?}");
    }
    // One test of two approaches each.
    let mut two = two_runs(&differences);
    let more: Vec<Value> = two.0.iter().map(|cell| renamed(cell.clone(), "wren")).collect();
    two.0.extend(more);
    let checks = json!([{"number": 1, "name": "c", "rule": "margin", "metric": METRIC, "value": 0.05}]);
    let values = [
        ("candidate_run_id", "new".into()),
        ("baseline_run_id", "old".into()),
        ("checks", Parameter::Text(checks.to_string())),
        ("fail_correction", "bonferroni".into()),
    ];
    let found = ask(&loaded(&two), "reports/gate", &values);
    assert_eq!(texts(&found.rows[0], &["pass_alpha", "fail_alpha"]), "0.05 0.025");
}

fn renamed(mut cell: Value, approach: &str) -> Value {
    cell["approach"]["model"] = approach.into();
    cell["approach"]["base_model"] = approach.into();
    cell["row_id"] = format!("{} {approach}", cell["row_id"].as_str().unwrap()).into();
    cell
}

#[test]
fn repeated_looks_pass_falsely_as_often_as_the_contract_says() {
    for (looks, ratio) in [(2, 0.0975), (3, 0.142_625), (5, 0.226_219_063), (10, 0.401_263_061), (20, 0.641_514_078)] {
        let earlier: Vec<String> = (1..looks).map(|number| format!("digest {number}")).collect();
        let more = [("attempts", Parameter::Text(json!(earlier).to_string()))];
        let found = gate(&two_runs(&[0.0; 6]), "margin", 0.05, &more);
        assert!((number(&found, "false_pass_ratio").unwrap() - ratio).abs() < 1e-9);
    }
}

#[test]
fn missing_scores_bound_a_change_as_in_the_contract() {
    let (x, y) = ([Some(0.9), None, Some(0.5), None], [Some(0.4), None, None, Some(0.6)]);
    let mut both = cells("new", "heron", "faithfulness", &x);
    both.0.extend(cells("old", "heron", "faithfulness", &y).0);
    let found = compared(&both, "faithfulness");
    assert!((number(&found.rows[0], "lower_bound").unwrap() + 0.4).abs() < TOLERANCE);
    assert!((number(&found.rows[0], "upper_bound").unwrap() - 0.6).abs() < TOLERANCE);
    let checks = json!([{"number": 1, "name": "c", "rule": "robust", "metric": "faithfulness", "value": 0.4},
               {"number": 2, "name": "c", "rule": "robust", "metric": "faithfulness", "value": 0.39}]);
    let values = [
        ("candidate_run_id", "new".into()),
        ("baseline_run_id", "old".into()),
        ("checks", Parameter::Text(checks.to_string())),
    ];
    let found = ask(&loaded(&both), "reports/gate", &values);
    let verdicts: Vec<&str> = found.rows.iter().map(|row| row.text("verdict").unwrap()).collect();
    assert_eq!(verdicts, ["pass", "pass", "not_robust"]);
    assert_eq!(found.rows[0].text("total_verdict").unwrap(), "inconclusive", "a note alone decides nothing");
}

fn compared(both: &Cells, metric: &str) -> Table {
    let values = [("baseline_run_id", "old".into()), ("candidate_run_id", "new".into()), ("metric", metric.into())];
    ask(&loaded(both), "metrics/stat_runs", &values)
}

#[test]
fn sign_flips_of_a_comparison_give_the_shares_of_the_contract() {
    for (differences, patterns) in [
        (vec![1, 2, 3, 1, 2, 4], 2.0 / 64.0),
        (vec![3, -1, 2, 5, -2, 4], 14.0 / 64.0),
        (vec![0, 0, 3, -1, 2, 5], 16.0 / 64.0),
        (vec![1, 1, 0, -1, 2, 1, 0, 1, 3, -1], 184.0 / 1024.0),
    ] {
        let found = compared(&two_runs(&differences.iter().map(|d| f64::from(*d) / 10.0).collect::<Vec<_>>()), METRIC);
        assert!((number(&found.rows[0], "p").unwrap() - patterns).abs() < TOLERANCE, "{differences:?}");
    }
}

#[test]
fn hashed_signs_are_those_of_the_contract() {
    let differences = [0.12, -0.03, 0.05, 0.0, 0.21, -0.01, 0.04, 0.09, 0.0, -0.06, 0.15, 0.02];
    let mut both = two_runs(&differences);
    for cell in &mut both.0 {
        cell["dataset"]["id"] = "graph_native".into();
    }
    let values = [("baseline_run_id", "old".into()), ("candidate_run_id", "new".into()), ("metric", METRIC.into())];
    let exact = ask(&loaded(&both), "metrics/stat_runs", &values);
    assert!((number(&exact.rows[0], "p").unwrap() - 272.0 / 4096.0).abs() < TOLERANCE);
    assert_eq!(exact.rows[0].text("seed").unwrap(), "s", "the seed of the later run");
    let more = [("seed", Parameter::from("rag-showcase-v1")), ("exact_units_max", Parameter::Integer(0))];
    let hashed = ask(&loaded(&both), "metrics/stat_runs", &[&values[..], &more].concat());
    assert_eq!(texts(&hashed.rows[0], &["p", "p_max", "p_is_exact"]), "0.0692 0.0692 false");
}

#[test]
fn identical_runs_are_identical_with_an_interval_and_few_questions_could_not_tell() {
    let found = compared(&two_runs(&[0.0; 24]), METRIC);
    assert_eq!(texts(&found.rows[0], &["verdict", "method", "p", "ties_n"]), "identical no_spread 1.0 24");
    // 3.4 for 24 zeros on [-1, 1] is 0.142473598; answer relevancy allows differences in [-2, 2].
    assert!((number(&found.rows[0], "upper").unwrap() - 2.0 * 0.142_473_598).abs() < 1e-8);
    let found = compared(&two_runs(&[0.1, 0.2, 0.1, 0.3, 0.1]), METRIC);
    assert_eq!(texts(&found.rows[0], &["verdict", "attainable_p", "wins_n"]), "could_not 0.0625 5");
    let found = compared(&two_runs(&[0.1, 0.2, 0.1, 0.3]), METRIC);
    assert_eq!(texts(&found.rows[0], &["verdict", "reason", "p"]), "not_estimable few_questions -");
}

#[test]
fn a_longer_time_is_worse_and_told_as_a_ratio() {
    let mut both = two_runs(&[0.0; 8]);
    for (number, cell) in both.0.iter_mut().enumerate() {
        let is_new = cell["run_id"] == "new";
        cell["metrics"]["operational"]["latency_ms"] = ((if is_new { 200 } else { 100 }) + number % 8).into();
    }
    let found = compared(&both, "latency_ms");
    assert_eq!(texts(&found.rows[0], &["verdict", "better_run", "losses_n"]), "different baseline 8");
    let ratio = number(&found.rows[0], "ratio").unwrap();
    assert!(ratio > 1.9 && ratio < 2.0, "{ratio}");
}

#[test]
fn threads_and_the_order_of_rows_change_no_digit() {
    let mut both = Cells::default();
    for (run, shift) in [("old", 0.0), ("new", 0.013)] {
        for approach in ["heron", "wren", "tern"] {
            let scores: Vec<Option<f64>> = (0..40)
                .map(|n| {
                    (n % 7 != 3 || run == "old")
                        .then(|| f64::from(n * 37 % 101) / 101.0 * 0.9 + shift * f64::from(n % 5))
                })
                .collect();
            let mut one = Cells::default();
            one.scores("harbour", 1, approach, METRIC, &scores);
            both.0.extend(of_run(run, one).0);
        }
    }
    let runs = [("baseline_run_id", Parameter::from("old")), ("candidate_run_id", "new".into())];
    let checks = json!([{"number": 1, "name": "c", "rule": "margin", "metric": METRIC, "value": 0.05}]).to_string();
    let gated = [&runs[..], &[("checks", Parameter::Text(checks))]].concat();
    assert_steady(&both, |_| {}, &[("metrics/stat_runs", &runs), ("reports/gate", &gated)]);
}
