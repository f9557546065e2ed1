//! What others reported about tools like this one, entry by entry, and the case that shows it does not happen here.
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
//! | C1 | a torn tail swallows the next row | `cli::resumed::a_torn_last_line_is_refused_then_moved_aside_and_its_cell_comes_back` |
//! | C3 | damage in the middle is a torn tail | `cli::resumed::rubbish_in_the_middle_is_refused_with_line_and_offset_and_rows_behind_it_are_kept` |
//! | C4 | appenders interleave | `evidence::appending::four_processes_give_one_whole_row_per_cell` |
//! | C5 | long rows are written in pieces | `processes::killing::runs_killed_at_fifty_random_moments_complete_with_no_row_lost_doubled_or_torn` |
//! | C6 | equal questions are one | `own::reports::two_questions_of_the_same_text_are_two_cells` |
//! | C7 | a position is an identity | `own::reports::a_question_put_first_shifts_nothing_and_the_changed_file_is_told` |
//! | C8 | a stale row is reused | `evidence::resuming::every_compared_field_is_named_with_both_values` |
//! | C9 | two rows for one cell | `evidence::quarantining::of_two_rows_for_one_cell_the_first_stays` |
//! | C10 | killed work stays claimed | `cli::interrupted::a_killed_run_loses_nothing_that_was_stored_and_its_claims_die_with_it` |
//! | C11 | a process id is a lock | `evidence::claiming::what_is_written_in_the_claims_file_means_nothing` |
//! | C12 | a full disk tears a row | `evidence::disk_full::a_full_disk_leaves_whole_rows_and_stops_the_run` |
//! | C13 | resume rewrites rows | `evidence::resuming::resuming_reads_and_changes_nothing` |
//! | C14 | counts are of this session | `own::reports::counts_after_a_resume_are_those_of_the_whole_run` |
//! | C15 | retries are not told | `own::reports::attempts_are_kept_so_that_scores_can_be_shown_by_them` |
//! | D1 | all return at once | `runner::limits::nobody_calls_before_the_floor_and_retries_are_spread` |
//! | D2 | a floor is a bound, 0 is never | `runner::limits::retry_after_is_a_floor_and_zero_means_the_minimum` |
//! | D4 | a crowd is taken for haste | `runner::limits::a_crowd_learns_the_limit_and_every_cell_succeeds` |
//! | D5 | a quota of a day is waited for | `runner::limits::a_quota_of_tomorrow_is_not_waited_for` |
//! | D6 | refused cells stay refused | `cli::resumed::only_failed_cells_are_called_again_on_request` |
//! | E1 | half a surrogate pair stops all | `model_roles::chat::e1_half_a_surrogate_pair_costs_one_character_and_is_marked` |
//! | E3 | a byte order mark joins a key | `own::questions_csv::a_byte_order_mark_crlf_and_line_breaks_inside_cells_change_nothing` |
//! | E4 | the locale decides | `ask::formats::the_locale_decides_nothing` |
//! | E5 | a cut inside a character | `gateway::chat::a_preview_is_cut_between_characters` |
//! | E6 | CRLF leaks into values | `experiment::hostile_yaml::e6_carriage_returns_do_not_leak_into_values` |
//! | F1 | formulas run | `ask::spreadsheets::f1_formulas_are_disarmed_for_spreadsheets_and_for_nobody_else` |
//! | F2 | protection breaks numbers | `ask::spreadsheets::f2_negative_numbers_stay_numbers_and_texts_that_look_like_them_do_not_run` |
//! | F3 | answers are live markup | `pages::html::hostile_text_is_text_in_body_attribute_title_and_picture` |
//! | F4 | escaping hides evidence | `pages::runs::f4_f6_markup_is_shown_to_the_letter_and_breaks_no_table_and_no_link` |
//! | F6 | tables and links break | `pages::runs::f4_f6_markup_is_shown_to_the_letter_and_breaks_no_table_and_no_link` |
//! | F7 | a quote splits a record | `ask::spreadsheets::f7_quotes_commas_and_line_breaks_come_back_and_split_no_record` |
//! | F8 | a missing score is printed | `pages::judged::f8_a_missing_score_is_a_dash_with_its_reason_on_every_page` |
//! | G1 | an export is one string | `ask::spreadsheets::g1_many_huge_answers_are_exported_whole_and_shown_in_part` |
//! | G2 | one row beyond the reader | `warehouse::ingest::a_row_of_20_megabytes_loads_among_small_ones` |
//! | G3 | a spreadsheet shifts columns | `ask::spreadsheets::g3_a_text_longer_than_a_cell_is_cut_with_a_mark_in_spreadsheets_alone` |
//! | G4 | wide rows run out of memory | `warehouse::ingest::g4_rows_too_large_for_the_usual_memory_are_loaded_all_the_same` |
//! | G6 | a deep value stops the file | `evidence::reading::a_row_nested_three_hundred_levels_does_not_stop_the_others_from_being_read` |
//! | H1 | `no` is false | `own::reports::words_that_other_parsers_take_for_booleans_are_names_of_approaches` |
//! | H2 | the last of two keys wins | `experiment::hostile_yaml::h2_a_duplicate_key_names_both_lines` |
//! | H3 | alias bombs | `experiment::hostile_yaml::h3_an_alias_bomb_is_refused_at_once` |
//! | H4 | merge keys are half read | `experiment::hostile_yaml::h4_a_merge_key_never_becomes_a_parameter` |
//! | H5 | ids become numbers | `own::questions_csv::ids_that_look_like_something_else_are_the_same_text_in_all_three_formats` |
//! | H6 | braces are templates | `experiment::questions::h6_braces_and_quotes_are_kept_as_typed` |
//! | I1 | a second process is locked out | `cli::interrupted::a_reader_gets_an_answer_while_a_run_is_writing` |
//! | I2 | types depend on leading nulls | `warehouse::ingest::i2_i6_types_do_not_depend_on_what_comes_first_and_texts_stay_as_they_are` |
//! | I3 | late values are cast | `warehouse::ingest::a_late_fraction_keeps_its_value_and_long_digits_stay_whole` |
//! | I5 | big integers lose digits | `evidence::appending::big_integers_and_long_floats_keep_every_digit` |
//! | I6 | hashes and dates change type | `warehouse::ingest::i2_i6_types_do_not_depend_on_what_comes_first_and_texts_stay_as_they_are` |
//! | I7 | texts of digits become numbers | `ask::formats::ids_and_wide_integers_keep_their_digits_and_joins_work` |
//! | I8 | keys that differ by case | `warehouse::ingest::a_late_fraction_keeps_its_value_and_long_digits_stay_whole` |
//! | I9 | rubbish behind a row is skipped | `warehouse::ingest::a_bad_line_is_named_and_leaves_the_rows_that_were_there` |
//! | I10 | NaN is the best score | `warehouse::ingest::a_bad_line_is_named_and_leaves_the_rows_that_were_there` |
//! | I11 | sums depend on the order | `warehouse::statements::rankings_give_what_their_cases_expect` |
//! | I12 | Parquet loses empty lists | `ask::exports::shapes_are_the_same_for_no_row_for_empty_lists_and_for_all_values` |
//! | I13 | the log holds NaN | `warehouse::ingest::a_bad_line_is_named_and_leaves_the_rows_that_were_there` |
//! | I14 | floats change when rewritten | `bug_reports::i14_doubles_are_the_same_bytes_after_reading_and_writing_again` |
//! | I16 | read-only that is not | `ask::refusals::every_statement_that_does_more_than_read_is_refused_with_its_reason` |
//! | J1 | usage ends the answer | `model_roles::chat_streams::j1_chunks_about_usage_end_no_answer` |
//! | J2 | keep-alives are text | `model_roles::chat_streams::j2_keep_alives_say_nothing_and_a_malformed_one_is_counted` |
//! | J3 | a chunk is a line | `model_roles::chat_streams::j3_a_stream_cut_anywhere_reads_like_one_in_a_single_piece` |
//! | J4 | missing usage is 0 | `own::costs::unknown_usage_is_unknown_and_never_free` |
//! | J5 | reasoning is the answer | `own::reports::a_refusal_and_a_thought_are_no_answers_whoever_sends_them` |
//! | J6 | null becomes a word | `own::reports::a_refusal_and_a_thought_are_no_answers_whoever_sends_them` |
//! | J7 | an error is an answer | `runner::normalisation::an_error_object_with_status_200_fails_as_the_status_it_names` |
//! | J8 | absent contexts are bad ones | `own::endpoints::missing_contexts_are_told_in_the_row_the_warehouse_and_the_table` |
//! | J10 | extra fields are refused | `own::endpoints::a_service_that_refuses_fields_it_does_not_know_is_asked_in_the_plainest_way` |
//! | J11 | the alias is the model | `own::endpoints::the_refusals_of_one_service_leave_the_others_alone_and_both_names_of_a_model_are_kept` |
//! | K1 | means over what is there | `pages::board::a_mean_over_the_easy_questions_alone_is_not_first` |
//! | K2 | a rank without a mean | `pages::board::nothing_scored_is_unranked_and_leaves_no_gap_in_the_ranks_of_others` |
//! | K3 | equal scores, other ranks | `pages::board::equal_means_share_a_rank_in_any_order_of_rows_and_stand_by_name` |
//! | K4 | zero is no score | `pages::board::zero_is_a_score_and_not_the_lack_of_one` |
//! | K5 | rounding hides failures | `pages::board::rounding_hides_no_failure_and_no_difference` |
//! | K6 | completed is passed | `pages::judged::k6_a_completed_cell_is_no_passed_one_and_five_failed_verdicts_are_five_errors` |
//! | K7 | a mean of means | `statistics::intervals::k7_the_mean_over_questions_and_the_mean_of_the_means_stand_apart` |
//! | K8 | the order of judges decides | `pages::judged::k8_two_judges_that_disagree_and_one_that_failed_give_a_mean_over_two_and_no_winner_in_any_order` |
//! | K9 | intervals from nothing | `statistics::intervals::k9_tiny_samples_and_single_clusters_have_no_interval_and_questions_without_a_topic_are_their_own` |
//! | K10 | bare pass rates | `statistics::intervals::k10_a_share_comes_with_an_interval_and_repeats_of_a_question_are_no_more_questions` |
//! | K11 | ties look like skill | `gate::decided::k11_a_scorer_that_knows_one_score_makes_nothing_better_than_the_baseline` |
//! | K13 | a gate reads two things | `gate::decided::k13_a_good_mean_with_half_the_scores_fails_on_coverage` |
//!
//! D7 (repeats answered from a cache): a cell is asked once in a run, and a repeat is another run. A gateway of ours is asked
//! with `cache: no-cache`, a service of somebody else only where its approach says `fresh: true`, because it may refuse the
//! field: `own::endpoints::only_a_service_that_is_said_to_know_the_field_is_asked_for_a_fresh_answer`.

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
    assert_eq!(entries, 106);
}

#[test]
fn i14_doubles_are_the_same_bytes_after_reading_and_writing_again() {
    let mut state = 7_u64;
    let mut share = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut numbers: Vec<f64> = (0..100_000).map(|_| share()).collect();
    numbers.extend((1..5_001).flat_map(|k| [f64::from(k) / 7.0, f64::from(k) / 13.0]));
    let first = ragsql::json::canonical(&json!(numbers)).unwrap();
    let read = ragsql::json::parse_strict(&first).unwrap();
    assert!(read.as_array().unwrap().iter().zip(&numbers).all(|(read, number)| read.as_f64() == Some(*number)));
    assert!(ragsql::json::canonical(&read).unwrap() == first, "the second writing differs");
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
