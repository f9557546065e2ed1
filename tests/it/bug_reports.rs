//! What others reported about judges and scores, entry by entry, and the case that shows it does not happen here.
//!
//! | entry | fault | case |
//! |---|---|---|
//! | A1 | a fence is rejected | `panel::reply::fenced_json_is_read_whatever_the_language_word` |
//! | A2 | backticks inside strings are cut | `panel::reply::backticks_inside_a_string_survive` |
//! | A3 | braces inside strings end the object | `panel::reply::braces_in_strings_and_nested_objects_do_not_confuse_the_scan` |
//! | A4 | the first of two verdicts wins | `panel::reply::two_different_verdicts_are_ambiguous_and_two_equal_ones_are_not` |
//! | A5 | a thought is taken for the verdict | `panel::reply::think_blocks_hold_no_verdict` |
//! | A6 | half a verdict is a bad model | `panel::reply::a_truncated_verdict_gives_no_partial_credit` |
//! | A7 | labels in another case map to zero | `panel::reply::labels_match_without_case_and_blanks_but_spelled_forms_do_not` |
//! | A8 | a number in prose becomes a score | `panel::reply::prose_is_never_searched` |
//! | A10 | fractions and text are misread | `panel::reply::numbers_in_text_count_and_other_fractions_do_not` |
//! | A11 | scores beyond the scale count | `panel::reply::scores_outside_the_scale_are_unscored_with_their_value` |
//! | A12 | NaN, booleans and null count | `panel::reply::nan_infinity_booleans_and_null_are_no_numbers` |
//! | A13 | a silent judge lowers an approach | `panel::run::a_failed_judge_leaves_the_mean_of_the_others_in_either_order` |
//! | A14 | a transport error is graded | `panel::run::failures_end_as_states_with_reasons_and_the_right_number_of_calls` |
//! | A15 | a missing label is 0 | `panel::reply::a_missing_label_is_unscored_and_an_invented_one_is_ignored` |
//! | A16 | every judge sees one order | `panel::run::a_bias_for_the_first_place_cancels_with_per_judge_and_swap_orders` |
//! | A17 | null becomes the word `None` | `panel::envelope::null_content_never_becomes_a_word` |
//! | A18 | a blank panel hides its cause | `panel::run::a_judge_that_only_says_ok_is_named_with_its_reason` |
//! | B1 | "I do not know" is NaN | `model_roles::evaluator::b1_an_answer_without_statements_has_no_claims_and_is_not_judged` |
//! | B2 | the mean rises as rows fail | `bug_reports::b2_b5_a_mean_travels_with_what_the_missing_scores_could_change` |
//! | B3 | nothing measured is a successful 0 | `bug_reports::b3_a_case_with_no_score_at_all_is_no_zero` |
//! | B4 | one NaN makes the run NaN | `warehouse::ingest::a_bad_line_is_named_and_leaves_the_rows_that_were_there` |
//! | B5 | NaN silently becomes 0 | `bug_reports::b2_b5_a_mean_travels_with_what_the_missing_scores_could_change` |
//! | B6 | timeouts vanish | `cli::rescored::b6_cells_that_time_out_are_there_with_their_reason_and_the_exit_code_says_so` |
//! | B7 | a hang at the last percent | `model_roles::evaluator::b7_a_provider_that_never_answers_is_a_timeout_of_that_metric_alone` |
//! | B8 | blank contexts score well | `model_roles::evaluator::b8_blank_contexts_and_missing_references_cost_no_call` |
//! | B9 | a null among the contexts | `gateway_models::evaluator::a_null_among_the_contexts_is_dropped_and_counted` |
//! | B10 | contexts as one text | `gateway_models::evaluate_limits::contexts_given_as_one_text_are_refused_at_the_door` |
//! | B12 | a perfect precision is not 1 | `gateway_models::evaluator::perfect_precision_is_one_and_order_matters` |

use crate::warehouse::rows::{lines, row};
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Keep, Tail, Warehouse};
use serde_json::json;
use std::path::Path;

#[test]
fn every_entry_names_a_case_that_exists() {
    let mut entries = 0;
    for line in include_str!("bug_reports.rs").lines().filter_map(|line| line.strip_prefix("//! | ")) {
        let Some((_, case)) = line.rsplit_once("| `") else { continue };
        let case = case.trim_end_matches("` |");
        let (module, name) = case.rsplit_once("::").unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(module.replace("::", "/") + ".rs");
        let source = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(source.contains(&format!("fn {name}(")), "{case}");
        entries += 1;
    }
    assert_eq!(entries, 28);
}

/// Approach, mean, scored, eligible, lower and upper bound.
type Standing = (String, Option<f64>, i64, i64, Option<f64>, Option<f64>);

/// What the standings say about a metric.
fn standings(rows: &[serde_json::Value]) -> Vec<Standing> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    std::fs::write(&file, lines(rows)).unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    warehouse.ingest_evidence(&file, Tail::Take, Keep::Numbers).unwrap();
    let found = warehouse.query("rankings/standings", &[]).unwrap();
    let of_metric = |row: &&ragsql::warehouse::Row| row.text("metric").unwrap() == "faithfulness";
    let number = |row: &ragsql::warehouse::Row, column: &str| {
        row.float_or_null(column).unwrap().map(|number| (number * 1000.0).round() / 1000.0)
    };
    let told = |row: &ragsql::warehouse::Row| {
        (
            row.text("approach").unwrap().to_owned(),
            number(row, "mean"),
            row.integer("scored_n").unwrap(),
            row.integer("eligible_n").unwrap(),
            number(row, "lower_bound"),
            number(row, "upper_bound"),
        )
    };
    found.rows.iter().filter(of_metric).map(told).collect()
}

/// Answered cells of one approach; a missing score timed out.
fn scored(approach: &str, scores: &[Option<f64>]) -> Vec<serde_json::Value> {
    let cell = |(number, score): (usize, &Option<f64>)| {
        let mut cell = row(&format!("q{number}"), approach, json!(score));
        if score.is_none() {
            cell["metrics"]["ragas"] = json!({
                "status": "error", "requested": ["faithfulness"], "scores": {},
                "metric_errors": {"faithfulness": "timeout"},
            });
        }
        cell
    };
    scores.iter().enumerate().map(cell).collect()
}

#[test]
fn b2_b5_a_mean_travels_with_what_the_missing_scores_could_change() {
    let rows = [
        scored("lark", &[Some(0.9), Some(0.1), Some(0.4)]),
        scored("wren", &[Some(0.9), None, None]),
        scored("ibis", &[Some(0.9), None, Some(0.9)]),
    ]
    .concat();
    let mut found = standings(&rows);
    found.sort_by(|left, right| left.0.cmp(&right.0));
    assert_eq!(
        found,
        [
            // Missing counted as 0 is the lower bound, in plain sight.
            ("ibis".to_owned(), Some(0.9), 2, 3, Some(0.6), Some(0.933)),
            ("lark".to_owned(), Some(0.467), 3, 3, Some(0.467), Some(0.467)),
            ("wren".to_owned(), Some(0.9), 1, 3, Some(0.3), Some(0.967)),
        ]
    );
}

#[test]
fn b3_a_case_with_no_score_at_all_is_no_zero() {
    let found = standings(&scored("lark", &[Some(0.65), None]));
    assert_eq!(found, [("lark".to_owned(), Some(0.65), 1, 2, Some(0.325), Some(0.825))]);
    let found = standings(&scored("wren", &[None, None]));
    assert_eq!(found[0].1, None);
}

#[test]
fn a_metric_that_timed_out_beside_one_that_did_not_is_counted_as_a_timeout() {
    let mut cell = row("q1", "lark", json!(0.5));
    cell["metrics"]["ragas"] = json!({
        "status": "partial", "requested": ["faithfulness", "answer_relevancy"], "scores": {"faithfulness": 0.5},
        "metric_errors": {"answer_relevancy": "timeout"},
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    std::fs::write(&file, lines(&[cell])).unwrap();
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    warehouse.ingest_evidence(&file, Tail::Take, Keep::Everything).unwrap();
    warehouse.run_checks().unwrap();
    let mut statement =
        warehouse.connection().prepare("select metric, state, reason from scores order by metric").unwrap();
    let states: Vec<(String, String, Option<String>)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(states[0], ("answer_relevancy".to_owned(), "timeout".to_owned(), Some("timeout".to_owned())));
    assert_eq!(states[1].1, "scored");
}
