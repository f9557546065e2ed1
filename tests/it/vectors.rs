//! Where each vector TV-01 to TV-120 of `contract/gateway.md` is checked, and what a decision of its section 0 changes.
//!
//! The table is the proof that none was forgotten: every number stands in it once, with the test that checks it, and a test
//! that is renamed or removed fails here.
//!
//! These hold in another form, each by a decision of section 0:
//!
//! | vector | decision | how |
//! |---|---|---|
//! | TV-06 | 4 | answers are typed; a model's reply without text is the empty answer of TV-33 |
//! | TV-07 | 4 | metadata is typed and cannot replace the answer; a delegate's metadata stands below `adaptive` (decision 7) |
//! | TV-13 | 6 | two entries: a negative score no longer swallows its neighbour |
//! | TV-14 | 6 | only the entry of the source block is a source |
//! | TV-16 | 4 | a title of the number 0 is empty and 7 is `7`, as in the reference; `true` is no score |
//! | TV-23 | 4 | `"40"`, `" 4_0 "` and 4.9 are refused |
//! | TV-24 | 4 | `.inf` is refused like the others |
//! | TV-26 | 4 | `no` and `off` are text and are refused |
//! | TV-27 | 4 | a parameter that the base does not read is refused |
//! | TV-30 | 3 | every fault of a file is found before anything starts |
//! | TV-31 | 4 | an alias is text, a switch is true or false, `flavors: 0` is refused |
//! | TV-34 | 3 | the body is an OpenAI-style error |
//! | TV-37 | 3 | the body is an OpenAI-style error |
//! | TV-38 | 8 | our own graph is not asked; with a LightRAG endpoint the vector holds as it is |
//! | TV-39 | 3 | found at the start, not per request |
//! | TV-97 | 4 | the index `true` is no index |
//! | TV-116 | 7 | a denied complexity is simple |
//! | TV-120 | 11 | an empty answer is scored with reasons, not sent as a fault |

use std::collections::BTreeSet;

/// First and last vector, the file, the test in it.
const CHECKED: &[(u8, u8, &str, &str)] = &[
    (1, 5, "tests/it/gateway/chat.rs", "rendering_vectors_hold"),
    (6, 6, "tests/it/gateway/chat.rs", "an_empty_answer_is_an_answer_and_usage_is_what_the_provider_said"),
    (7, 7, "tests/it/gateway_agentic/webhook.rs", "a_full_reply_is_passed_on_and_the_classifier_counted"),
    (8, 8, "tests/it/runner/normalisation.rs", "what_the_gateway_renders_is_read_back"),
    (9, 11, "tests/it/runner/normalisation.rs", "the_last_footer_gives_the_numbers_and_the_first_ends_the_answer"),
    (12, 12, "tests/it/runner/normalisation.rs", "answers_lose_footer_rule_and_outer_blanks"),
    (13, 13, "tests/it/runner/normalisation.rs", "a_negative_score_keeps_its_own_entry"),
    (14, 14, "tests/it/runner/normalisation.rs", "source_looking_text_counts_only_when_there_is_no_source_block"),
    (15, 15, "tests/it/runner/normalisation.rs", "a_footer_or_score_that_is_no_number_makes_the_answer_unusable"),
    (16, 16, "tests/it/runner/normalisation.rs", "source_entries_of_the_extension_are_kept_when_their_snippet_is_text"),
    (17, 17, "tests/it/runner/normalisation.rs", "only_schema_one_is_read"),
    (18, 18, "tests/it/runner/normalisation.rs", "payloads_without_a_text_answer_cannot_be_normalised"),
    (19, 22, "src/gateway/server/request.rs", "the_question_is_the_last_user_message"),
    (23, 23, "tests/it/experiment/vectors.rs", "tv_23_integers_are_whole_numbers_without_quotes"),
    (24, 24, "tests/it/experiment/vectors.rs", "tv_24_what_is_no_positive_integer_is_refused"),
    (25, 25, "tests/it/experiment/vectors.rs", "tv_25_alpha_lies_between_zero_and_one"),
    (26, 26, "tests/it/experiment/vectors.rs", "tv_26_rerank_is_true_or_false"),
    (27, 27, "tests/it/experiment/vectors.rs", "tv_27_a_parameter_is_one_that_the_base_reads"),
    (28, 28, "tests/it/experiment/vectors.rs", "tv_28_names_are_exact"),
    (29, 29, "tests/it/gateway/chat.rs", "the_base_route_takes_its_own_aliases_only"),
    (30, 30, "tests/it/experiment/vectors.rs", "tv_30_any_fault_is_found_when_the_file_is_read"),
    (31, 31, "tests/it/experiment/vectors.rs", "tv_31_aliases_are_trimmed_text_and_everything_else_is_strict"),
    (32, 32, "tests/it/experiment/selection.rs", "tv_32_words_expand_in_order_and_each_alias_once"),
    (33, 33, "tests/it/gateway/chat.rs", "an_empty_answer_is_an_answer_and_usage_is_what_the_provider_said"),
    (34, 34, "tests/it/gateway/chat.rs", "a_failing_model_is_a_500_with_an_error_body_also_when_streaming"),
    (35, 35, "tests/it/gateway/chat.rs", "a_streamed_answer_is_one_chunk_with_the_extension_twice_and_done"),
    (36, 36, "tests/it/gateway/surface.rs", "sampling_fields_have_no_effect_and_are_named"),
    (37, 37, "tests/it/gateway/surface.rs", "malformed_requests_are_refused_by_field"),
    (38, 38, "tests/it/gateway_graph/graph_questions.rs", "a_question_that_is_too_short_is_not_asked"),
    (39, 39, "tests/it/gateway_graph/lightrag_server.rs", "an_alias_without_a_profile_is_refused_at_the_start"),
    (40, 40, "tests/it/gateway_graph/lightrag_server.rs", "odd_replies_are_empty_answers_and_refusals_are_errors"),
    (41, 51, "tests/it/gateway_models/concepts.rs", "concepts_of_the_documented_texts"),
    (52, 52, "tests/it/gateway_models/lazy_graph_index.rs", "chunk_ids_separate_title_from_text"),
    (53, 58, "tests/it/gateway_models/lazy_graph_index.rs", "sizes_follow_the_concept_density"),
    (59, 70, "tests/it/gateway_models/lazy_graph_expansion.rs", "expansions_of_the_documented_questions"),
    (71, 71, "tests/it/gateway_models/lazy_graph_cache.rs", "a_namespace_cannot_leave_the_cache_folder"),
    (
        72,
        72,
        "tests/it/gateway_models/lazy_graph_cache.rs",
        "a_cache_file_counts_only_when_it_is_whole_and_of_this_corpus",
    ),
    (73, 73, "tests/it/gateway_models/lazy_graph_cache.rs", "flavors_share_a_collection_but_not_an_index"),
    (74, 76, "tests/it/gateway_models/lazy_graph_on_real_files.rs", "scores_of_the_published_fast_answers"),
    (77, 78, "tests/it/gateway_models/lazy_graph_on_real_files.rs", "scores_of_a_published_balanced_answer"),
    (79, 86, "tests/it/gateway_graph/contextual_windows.rs", "windows_are_those_of_the_vectors"),
    (87, 87, "tests/it/gateway_graph/contextual_windows.rs", "windows_are_counted_in_code_points"),
    (88, 89, "tests/it/gateway_graph/contextual_windows.rs", "texts_are_those_of_the_contextual_vectors"),
    (90, 93, "tests/it/model_roles/rerank.rs", "scores_order_the_hits_and_hits_without_a_row_follow"),
    (94, 96, "tests/it/model_roles/rerank.rs", "the_batch_that_fails_and_all_later_ones_keep_their_order"),
    (97, 97, "tests/it/model_roles/rerank.rs", "scores_order_the_hits_and_hits_without_a_row_follow"),
    (98, 102, "tests/it/gateway_graph/lightrag_bodies.rs", "later_sources_win_over_earlier_ones"),
    (103, 103, "tests/it/gateway_agentic/agent_loop.rs", "an_answer_without_tools_has_an_empty_trace"),
    (104, 104, "tests/it/gateway_agentic/agent_loop.rs", "a_search_is_observed_and_its_thought_is_shown"),
    (
        105,
        105,
        "tests/it/gateway_agentic/agent_loop.rs",
        "two_calls_of_one_turn_get_ids_and_one_thought_and_long_observations_are_cut_in_the_trace_alone",
    ),
    (106, 106, "tests/it/gateway_agentic/agent_loop.rs", "a_model_that_never_stops_is_stopped"),
    (107, 107, "tests/it/gateway_agentic/agent_loop.rs", "bad_calls_are_answered_and_count_nothing"),
    (108, 108, "tests/it/gateway_agentic/agent_loop.rs", "a_tool_that_fails_is_an_observation"),
    (
        109,
        110,
        "tests/it/gateway_agentic/agent_loop.rs",
        "a_silent_model_ends_the_conversation_and_a_failing_one_the_request",
    ),
    (111, 111, "tests/it/gateway_agentic/webhook.rs", "a_full_reply_is_passed_on_and_the_classifier_counted"),
    (112, 112, "tests/it/gateway_agentic/webhook.rs", "an_empty_answer_gives_way_to_that_of_the_extension"),
    (113, 114, "tests/it/gateway_agentic/webhook.rs", "a_reply_of_any_other_shape_is_an_empty_answer_of_nobody"),
    (115, 115, "tests/it/gateway_agentic/webhook.rs", "counts_that_are_no_numbers_are_zero"),
    (116, 116, "tests/it/gateway_agentic/routing.rs", "the_words_of_a_classifier_choose_the_route"),
    (117, 117, "tests/it/wire/ingestion.rs", "tv_117_looks_that_fail_are_repeated_and_the_record_comes_back_as_it_is"),
    (118, 118, "tests/it/wire/ingestion.rs", "tv_118_a_failed_job_says_phase_service_file_and_message_of_every_error"),
    (
        119,
        119,
        "tests/it/wire/ingestion.rs",
        "tv_119_strange_statuses_are_waited_out_a_cancelled_job_is_an_error_and_a_blank_token_makes_no_call",
    ),
    (120, 120, "tests/it/scoring.rs", "a_bad_score_does_not_take_the_good_one_along"),
];

#[test]
fn every_vector_of_the_gateway_contract_has_its_test() {
    let mut seen = BTreeSet::new();
    for &(first, last, file, name) in CHECKED {
        for number in first..=last {
            assert!(seen.insert(number), "TV-{number:02} stands in the table twice");
        }
        let text = std::fs::read_to_string(crate::golden::root().join(file)).unwrap_or_default();
        assert!(text.contains(&format!("fn {name}(")), "`{file}` has no test `{name}`");
    }
    assert_eq!(seen, (1..=120).collect(), "TV-01 to TV-120, each once");
}
