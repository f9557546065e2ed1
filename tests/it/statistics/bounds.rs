//! Bounds, rank ranges, rank status and the headline table.

use super::support::{Cells, ask, assert_near, assert_steady, loaded, number, pairs, row, vectors};
use ragsql::warehouse::{Parameter, Table, Warehouse};
use serde_json::{Value, json};

fn options(value: &Value) -> Vec<Option<f64>> {
    value.as_array().unwrap().iter().map(Value::as_f64).collect()
}

fn scored(metric: &str, rows: &[(&str, Vec<Option<f64>>)]) -> Warehouse<'static> {
    let mut cells = Cells::default();
    for (approach, scores) in rows {
        cells.scores("harbour", 1, approach, metric, scores);
    }
    loaded(&cells)
}

fn headline(warehouse: &Warehouse, metric: &str, floor: f64, questions_min: i64) -> Table {
    let values = [
        ("metric", metric.into()),
        ("coverage_floor", Parameter::Float(floor)),
        ("questions_min", questions_min.into()),
    ];
    ask(warehouse, "rankings/stat_headline", &values)
}

#[test]
fn bounds_of_means_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["1_mean_bounds"].as_array().unwrap() {
        let metric = match case["range"].to_string().as_str() {
            "[0,1]" => "faithfulness",
            "[-1,1]" => "answer_relevancy",
            "[1,5]" => "judge_score",
            other => panic!("no metric has the range {other}"),
        };
        let warehouse = scored(metric, &[("heron", options(&case["scores"]))]);
        let found = headline(&warehouse, metric, 0.0, 1);
        assert_near(&found.rows[0], "lower_bound", &case["bounds"][0]);
        assert_near(&found.rows[0], "upper_bound", &case["bounds"][1]);
        assert_near(&found.rows[0], "coverage", &case["coverage"]);
        let own = ask(&warehouse, "reports/stat_own_questions", &[("metric", metric.into())]);
        assert_near(&own.rows[0], "own_mean", &case["mean"]);
    }
}

#[test]
fn rank_ranges_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["1_rank_range"].as_array().unwrap() {
        let rows: Vec<_> = pairs(&case["rows"]).iter().map(|(name, scores)| (name.as_str(), options(scores))).collect();
        let found = headline(&scored("faithfulness", &rows), "faithfulness", 0.0, 1);
        for (approach, range) in pairs(&case["ranges"]) {
            let found = row(&found, &[("approach", approach)]);
            assert_near(found, "best_rank", &range[0]);
            assert_near(found, "worst_rank", &range[1]);
            let status = if range[0] == range[1] { "ranked" } else { "provisional" };
            assert_eq!(found.text("rank_status").unwrap(), status, "{approach}");
        }
    }
}

#[test]
fn bounds_of_differences_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let of = |name: &str| {
        let cases = vectors["1_mean_bounds"].as_array().unwrap();
        options(&cases.iter().find(|case| case["name"] == name).unwrap()["scores"])
    };
    for case in vectors["1_diff_bounds"].as_array().unwrap() {
        let (one, two) = case["pair"].as_str().unwrap().split_once('-').unwrap();
        let scores = |name: &str, key: &str| if case[key].is_array() { options(&case[key]) } else { of(name) };
        let warehouse = scored("faithfulness", &[(one, scores(one, "x")), (two, scores(two, "y"))]);
        let bounds =
            |both_missing: &str| ask(&warehouse, "metrics/stat_pair_bounds", &[("both_missing", both_missing.into())]);
        let free = bounds("free");
        let found = row(&free, &[("metric", "faithfulness")]);
        for (index, end) in ["lower", "upper"].iter().enumerate() {
            assert_near(found, end, &case["tight"][index]);
            // Extremes add up: pairing alone tightens nothing.
            assert_near(found, &format!("naive_{end}"), &json!(number(found, end)));
        }
        if case["both_missing_equal"].is_array() {
            let equal = bounds("equal");
            let found = row(&equal, &[("metric", "faithfulness")]);
            assert_near(found, "lower", &case["both_missing_equal"][0]);
            assert_near(found, "upper", &case["both_missing_equal"][1]);
        }
    }
}

const NONE: Option<f64> = None;

fn three() -> [(&'static str, Vec<Option<f64>>); 3] {
    [
        ("A", vec![Some(0.9), Some(0.8), NONE, Some(1.0), Some(0.7), Some(0.6)]),
        ("B", vec![Some(0.7), NONE, Some(0.5), Some(0.9), Some(0.8), NONE]),
        ("C", [0.2, 0.3, 0.1, 0.4, 0.2, 0.3].map(Some).to_vec()),
    ]
}

#[test]
fn an_approach_below_the_floor_is_unranked_and_leaves_no_gap() {
    let found = headline(&scored("faithfulness", &three()), "faithfulness", 0.8, 4);
    let show = |approach| {
        let found = row(&found, &[("approach", approach)]);
        let text = |column| found.value(column).unwrap().to_string();
        [text("rank_status"), text("status_reason"), text("rank"), text("common_n")].join(" ")
    };
    assert_eq!(show("A"), "ranked - 1 5");
    assert_eq!(show("B"), "unranked coverage - 5");
    assert_eq!(show("C"), "ranked - 2 5");
    assert_near(row(&found, &[("approach", "A")]), "common_mean", &json!(0.8));
    assert_near(row(&found, &[("approach", "C")]), "common_mean", &json!(0.28));
}

#[test]
fn a_small_common_set_withholds_the_headline_but_not_the_ranges() {
    let warehouse = scored("faithfulness", &three());
    let found = headline(&warehouse, "faithfulness", 0.5, 4);
    for (approach, status, best, worst, mean) in
        [("A", "provisional", 1, 2, 2.6 / 3.0), ("B", "provisional", 1, 2, 0.8), ("C", "ranked", 3, 3, 0.8 / 3.0)]
    {
        let found = row(&found, &[("approach", approach)]);
        assert_eq!(found.text("rank_status").unwrap(), status);
        assert_eq!((found.integer("best_rank").unwrap(), found.integer("worst_rank").unwrap()), (best, worst));
        assert_eq!(found.integer_or_null("rank").unwrap(), None);
        assert_eq!(found.text("headline_reason").unwrap(), "common_set_too_small");
        assert_near(found, "common_mean", &json!(mean));
    }
    let own = ask(&warehouse, "reports/stat_own_questions", &[("metric", "faithfulness".into())]);
    for (approach, mean, scored_n) in [("A", 0.8, 5), ("B", 0.725, 4), ("C", 0.25, 6)] {
        let found = row(&own, &[("approach", approach)]);
        assert_near(found, "own_mean", &json!(mean));
        assert_eq!(found.integer("scored_n").unwrap(), scored_n);
    }
}

#[test]
fn easy_questions_alone_win_nothing_on_the_common_set() {
    let rows = [("X", vec![Some(0.9), Some(0.9), NONE, NONE]), ("Y", [0.95, 0.95, 0.3, 0.3].map(Some).to_vec())];
    let warehouse = scored("faithfulness", &rows);
    let found = headline(&warehouse, "faithfulness", 0.5, 2);
    for (approach, rank, mean, lower, upper) in [("Y", 1, 0.95, 0.625, 0.625), ("X", 2, 0.9, 0.45, 0.95)] {
        let found = row(&found, &[("approach", approach)]);
        assert_eq!(found.integer("rank").unwrap(), rank);
        assert_near(found, "common_mean", &json!(mean));
        assert_near(found, "lower_bound", &json!(lower));
        assert_near(found, "upper_bound", &json!(upper));
        assert_eq!(found.text("rank_status").unwrap(), "provisional");
    }
}

#[test]
fn equal_scores_share_a_rank_and_zeros_are_scores() {
    let five = |score: f64| vec![Some(score); 5];
    for scores in [[0.8, 0.8, 0.7], [0.0, 0.0, 0.0]] {
        let rows = [("heron", five(scores[0])), ("wren", five(scores[1])), ("ibis", five(scores[2]))];
        let found = headline(&scored("faithfulness", &rows), "faithfulness", 0.8, 5);
        let ranks: Vec<_> = ["heron", "wren", "ibis"]
            .iter()
            .map(|approach| row(&found, &[("approach", approach)]).integer("rank").unwrap())
            .collect();
        assert_eq!(ranks, if scores[2] > 0.0 { [1, 1, 3] } else { [1, 1, 1] });
    }
}

#[test]
fn nothing_scored_is_unranked_with_a_reason_and_the_others_close_ranks() {
    let rows = [("heron", vec![Some(0.5); 5]), ("ibis", vec![NONE; 5])];
    let found = headline(&scored("faithfulness", &rows), "faithfulness", 0.8, 5);
    let ibis = row(&found, &[("approach", "ibis")]);
    assert_eq!((ibis.text("rank_status").unwrap(), ibis.text("status_reason").unwrap()), ("unranked", "no_scores"));
    assert_near(ibis, "lower_bound", &json!(0));
    assert_near(ibis, "upper_bound", &json!(1));
    assert_eq!(row(&found, &[("approach", "heron")]).integer("worst_rank").unwrap(), 1);
}

#[test]
fn questions_without_a_reference_leave_the_denominator_for_all() {
    let mut cells = Cells::default();
    cells.scores("harbour", 1, "heron", "context_recall", &[Some(1.0), Some(0.5), NONE]);
    cells.scores("harbour", 1, "wren", "context_recall", &[Some(1.0), Some(0.5), NONE]);
    for cell in cells.0.iter_mut().filter(|cell| cell["question"]["id"] == "q003") {
        cell["question"]["ground_truth"] = Value::Null;
    }
    let found = headline(&loaded(&cells), "context_recall", 0.8, 1);
    for found in &found.rows {
        assert_eq!((found.integer("scored_n").unwrap(), found.integer("eligible_n").unwrap()), (2, 2));
        assert_near(found, "upper_bound", &json!(0.75));
    }
}

#[test]
fn an_answer_only_approach_is_not_applicable_and_latency_has_no_upper_bound() {
    let mut cells = Cells::default();
    cells.scores("harbour", 1, "heron", "faithfulness", &[Some(1.0); 5]);
    cells.scores("harbour", 1, "mute", "faithfulness", &[NONE; 5]);
    for cell in cells.0.iter_mut().filter(|cell| cell["approach"]["model"] == "mute") {
        cell["approach"]["evidence_capability"] = "answer_only".into();
    }
    super::support::fail(&mut cells.0[0], "timeout");
    let warehouse = loaded(&cells);
    let found = headline(&warehouse, "faithfulness", 0.5, 1);
    let mute = row(&found, &[("approach", "mute")]);
    assert_eq!(mute.text("status_reason").unwrap(), "not_applicable");
    assert_eq!((number(mute, "lower_bound"), number(mute, "upper_bound")), (None, None));
    let found = headline(&warehouse, "latency_ms", 0.5, 1);
    let heron = row(&found, &[("approach", "heron")]);
    assert_eq!((number(heron, "upper_bound"), heron.text("bound_reason").unwrap()), (None, "unbounded"));
    assert_near(heron, "lower_bound", &json!(80));
    assert_eq!((heron.integer("best_rank").unwrap(), heron.integer("worst_rank").unwrap()), (1, 2));
}

#[test]
fn rows_in_any_order_on_any_threads_give_the_same_digits() {
    let mut cells = Cells::default();
    for (approach, scores) in three() {
        cells.scores("harbour", 1, approach, "faithfulness", &scores);
    }
    let names = ["rankings/stat_headline", "reports/stat_own_questions", "metrics/stat_pair_bounds"];
    assert_steady(&cells, |_| (), &names.map(|name| (name, &[][..])));
}
