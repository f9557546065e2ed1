//! Two approaches on the same questions, all pairs, and letters.

use super::intervals::store_topics;
use super::support::{Cells, ask, assert_near, assert_steady, loaded, number, pairs, row, vectors, warehouse};
use ragsql::warehouse::{Parameter, Row, Table, Warehouse};
use serde_json::{Value, json};
use std::path::Path;

const METRIC: &str = "answer_relevancy";

/// Approach `a` has these scores, `b` has none but zeros.
fn against_zero(cells: &mut Cells, dataset: &str, differences: &[f64]) {
    let scores: Vec<Option<f64>> = differences.iter().copied().map(Some).collect();
    cells.scores(dataset, 1, "a", METRIC, &scores);
    cells.scores(dataset, 1, "b", METRIC, &vec![Some(0.0); differences.len()]);
}

fn numbers(values: &Value, divisor: f64) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap() / divisor).collect()
}

fn tests(warehouse: &Warehouse, values: &[(&str, Parameter)]) -> Table {
    let mut all = vec![("metric", METRIC.into()), ("questions_min", 1.into())];
    all.retain(|(name, _)| values.iter().all(|(given, _)| given != name));
    all.extend_from_slice(values);
    ask(warehouse, "metrics/stat_pairs", &all)
}

fn only(cells: &Cells, values: &[(&str, Parameter)]) -> Row {
    tests(&loaded(cells), values).rows[0].clone()
}

#[test]
fn exact_sign_flips_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["4_signflip_exact"].as_array().unwrap() {
        let largest = numbers(&case["d"], 1.0).iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let mut cells = Cells::default();
        against_zero(&mut cells, "harbour", &numbers(&case["d"], if largest > 10.0 { 1e6 } else { 10.0 }));
        let found = only(&cells, &[]);
        assert_near(&found, "p", &case["p"]);
        // With one pair every correction leaves the p-value as it is.
        assert_near(&found, "p_holm", &case["p"]);
        assert_near(&found, "p_max", &case["p"]);
        assert_eq!(found.value("p_is_exact").unwrap().to_string(), "true");
    }
}

#[test]
fn whole_topics_flip_and_datasets_weigh_equally() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let case = &vectors["4_signflip_cluster"][0];
    let mut cells = Cells::default();
    against_zero(&mut cells, "harbour", &numbers(&case["d"], 10.0));
    let warehouse = loaded(&cells);
    let topics: Vec<String> = case["g"].as_str().unwrap().chars().map(String::from).collect();
    assert_near(&tests(&warehouse, &[]).rows[0], "p", &case["unclustered_p"]);
    store_topics(&warehouse, "harbour", &topics);
    assert_near(&tests(&warehouse, &[]).rows[0], "p", &case["p"]);

    let case = &vectors["4_signflip_overall"][0];
    let mut cells = Cells::default();
    for (index, differences) in case["datasets"].as_array().unwrap().iter().enumerate() {
        against_zero(&mut cells, &format!("d{index}"), &numbers(differences, 1e6));
    }
    let found = tests(&loaded(&cells), &[]);
    let overall = row(&found, &[("scope", "overall")]);
    assert_near(overall, "p", &case["p"]);
    assert_near(overall, "difference", &case["macro_difference"]);
}

#[test]
fn hashed_sign_flips_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let mut compared = 0;
    for case in vectors["4_signflip_mc"].as_array().unwrap() {
        let Some(differences) = case["d_micro"].as_array() else { continue };
        let differences: Vec<f64> = differences.iter().map(|value| value.as_f64().unwrap() / 1e6).collect();
        let mut cells = Cells::default();
        against_zero(&mut cells, "graph_native", &differences);
        let found = only(&cells, &[("exact_units_max", 0.into())]);
        assert_near(&found, "p", &case["p"]);
        assert_eq!(found.value("p_is_exact").unwrap().to_string(), "false");
        compared += 1;
    }
    assert_eq!(compared, 2);
}

#[test]
fn a_large_family_still_tests_a_pair_of_few_moving_units_exactly() {
    let mut cells = Cells::default();
    let mut differences = vec![0.0; 20];
    differences[..6].copy_from_slice(&[0.1, 0.2, 0.3, 0.1, 0.2, 0.4]);
    against_zero(&mut cells, "harbour", &differences);
    let spread: Vec<Option<f64>> = (0..20).map(|number| Some(f64::from(number % 5) / 10.0)).collect();
    cells.scores("harbour", 1, "c", METRIC, &spread);
    let found = tests(&loaded(&cells), &[]);
    let few = row(&found, &[("approach_a", "a"), ("approach_b", "b")]);
    assert_near(few, "p", &json!(0.031_25));
    assert_eq!(few.value("p_is_exact").unwrap().to_string(), "true");
}

#[test]
fn for_outcomes_the_test_is_that_of_mcnemar() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["4_mcnemar"].as_array().unwrap() {
        let mut cells = Cells::default();
        let counts = [case["a_only"].as_u64().unwrap(), case["b_only"].as_u64().unwrap()];
        for number in 0..counts[0] + counts[1] {
            for (approach, fails) in [("a", number >= counts[0]), ("b", number < counts[0])] {
                let cell = cells.ok(&format!("q{number:02}"), approach);
                if fails {
                    super::support::fail(cell, "error");
                }
            }
        }
        assert_near(&only(&cells, &[("metric", "ok".into())]), "p", &case["statsmodels"]);
    }
}

#[test]
fn effects_stand_beside_the_test() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["4_effect"].as_array().unwrap() {
        let mut cells = Cells::default();
        against_zero(&mut cells, "harbour", &numbers(&case["d"], 10.0));
        let found = only(&cells, &[]);
        for (column, key) in [
            ("wins_n", "win"),
            ("ties_n", "tie"),
            ("losses_n", "loss"),
            ("superiority", "superiority"),
            ("d_z", "dz"),
            ("d_z_corrected", "hedges_gz"),
        ] {
            assert_near(&found, column, &case[key]);
        }
        assert_near(&found, "difference", &json!(case["mean"].as_f64().unwrap() / 10.0));
    }
}

#[test]
fn the_detectable_difference_is_that_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["4_mdd"].as_array().unwrap() {
        let (n, alpha) = (case["n"].as_i64().unwrap(), case["alpha"].as_f64().unwrap());
        if n > 100 {
            continue;
        }
        // Half of the differences above and half below nothing, so that their standard deviation is 0.2.
        let size = 0.2 * ((n - 1) as f64 / n as f64).sqrt();
        let differences: Vec<f64> = (0..n).map(|number| if number % 2 == 0 { size } else { -size }).collect();
        let mut cells = Cells::default();
        against_zero(&mut cells, "harbour", &differences);
        let found = only(&cells, &[("alpha", Parameter::Float(alpha)), ("replicates", 1.into())]);
        // Scores are rounded to millionths before they are compared.
        let difference = number(&found, "detectable").unwrap() - case["mdd"].as_f64().unwrap();
        assert!(difference.abs() < 1e-5, "{n}: {difference}");
    }
}

#[test]
fn corrections_of_three_pairs_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let case = &vectors["5_maxt"][0];
    let mut cells = Cells::default();
    for (index, approach) in ["a", "b", "c"].iter().enumerate() {
        let scores: Vec<Option<f64>> =
            case["scores"].as_array().unwrap().iter().map(|question| question[index].as_f64()).collect();
        cells.scores("harbour", 1, approach, "judge_score", &scores);
    }
    let found = tests(&loaded(&cells), &[("metric", "judge_score".into())]);
    for (index, pair) in case["pairs"].as_array().unwrap().iter().enumerate() {
        let (one, two) = pair.as_str().unwrap().split_at(1);
        let found = row(&found, &[("approach_a", one), ("approach_b", two)]);
        for (column, key) in [("p", "raw"), ("p_holm", "holm"), ("p_max", "maxt")] {
            assert_near(found, column, &case[key][index]);
        }
    }
}

#[test]
fn published_judgments_give_the_groups_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let case = if vectors["5_published_example"].is_array() {
        &vectors["5_published_example"][0]
    } else {
        &vectors["5_published_example"]
    };
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/rag-showcase/results"));
    let judgments = folder.join(case["file"].as_str().unwrap());
    let text = ragsql::json::parse_strict(&std::fs::read_to_string(&judgments).unwrap()).unwrap();
    // The historical run has no evidence file; its cells are the questions and approaches that were judged.
    let mut cells = Cells::default();
    for question in text["queries"].as_array().unwrap() {
        for approach in pairs(&question["mean_by_approach"]).keys() {
            cells.at("graph_native", 2, question["query_id"].as_str().unwrap(), approach);
        }
    }
    let warehouse = loaded(&cells);
    warehouse.ingest_judgments(&judgments, None).unwrap();
    let order: Vec<&str> = case["order"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for (correction, key) in [("max", "maxt_letters"), ("holm", "holm_letters")] {
        let found = tests(&warehouse, &[("metric", "judge_mean".into()), ("correction", correction.into())]);
        assert_eq!(found.rows.len(), 21);
        let below = |column: &str| found.rows.iter().filter(|row| number(row, column).unwrap() <= 0.05).count();
        assert_eq!(below("p"), 12);
        assert_eq!(below("p_max"), case["maxt_significant"].as_array().unwrap().len());
        let least = |column: &str| found.rows.iter().map(|row| number(row, column).unwrap()).fold(1.0, f64::min);
        assert_eq!(least("p"), case["min_raw"].as_f64().unwrap());
        assert_eq!(least("p_holm"), case["min_holm"].as_f64().unwrap());
        assert_eq!(least("p_max"), case["maxt_min"].as_f64().unwrap());
        let letters = warehouse.letters(&order, &found).unwrap();
        for (approach, expected) in pairs(&case[key]) {
            let found = row(&letters, &[("approach", approach)]);
            assert_eq!(found.text("letters").unwrap(), expected.as_str().unwrap(), "{correction}: {approach}");
        }
        if correction == "holm" {
            assert!(found.rows.iter().all(|row| row.text("verdict").unwrap() == "could_not"));
        }
    }
}

#[test]
fn letters_are_all_maximal_groups_without_a_difference() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = warehouse(2);
    for case in vectors["5_letters"].as_array().unwrap() {
        let split = |text: &Value| -> Vec<String> { text.as_str().unwrap().chars().map(String::from).collect() };
        let different: Vec<Vec<String>> = case["significant"].as_array().unwrap().iter().map(split).collect();
        let values = [
            ("approaches", Parameter::Text(json!(split(&case["order"])).to_string())),
            ("different", Parameter::Text(json!(different).to_string())),
        ];
        let found = ask(&warehouse, "rankings/stat_letters", &values);
        for (approach, letters) in pairs(&case["letters"]) {
            assert_eq!(row(&found, &[("approach", approach)]).text("letters").unwrap(), letters.as_str().unwrap());
        }
    }
}

#[test]
fn rank_intervals_count_who_is_better_and_who_is_worse() {
    let warehouse = warehouse(2);
    let values =
        [("approaches", r#"["A","B","C","D","E"]"#.into()), ("different", r#"[["A","C"],["C","B"],["A","E"]]"#.into())];
    let found = ask(&warehouse, "rankings/stat_letters", &values);
    let ranges: Vec<_> =
        found.rows.iter().map(|row| (row.integer("best_rank").unwrap(), row.integer("worst_rank").unwrap())).collect();
    assert_eq!(ranges, [(1, 3), (1, 4), (3, 5), (1, 5), (2, 5)]);
}

#[test]
fn identical_approaches_never_differ_and_have_an_interval_with_a_width() {
    let mut cells = Cells::default();
    against_zero(&mut cells, "harbour", &[0.0; 24]);
    let found = only(&cells, &[("questions_min", 5.into())]);
    assert_near(&found, "p", &json!(1));
    assert_eq!((found.text("reason").unwrap(), found.text("verdict").unwrap()), ("identical", "not_separable"));
    assert!(number(&found, "lower").unwrap() < -0.1 && number(&found, "upper").unwrap() > 0.1);
}

#[test]
fn pairs_without_enough_shared_questions_are_not_tested_and_not_counted() {
    let mut cells = Cells::default();
    cells.scores("harbour", 1, "a", METRIC, &[Some(0.9), Some(0.8), Some(0.7), Some(0.9), Some(0.8), None, None]);
    cells.scores("harbour", 1, "b", METRIC, &[Some(0.1), Some(0.2), Some(0.1), Some(0.3), Some(0.2), None, None]);
    cells.scores("harbour", 1, "c", METRIC, &[None, None, None, None, None, Some(0.5), Some(0.5)]);
    let found = tests(&loaded(&cells), &[("questions_min", 5.into())]);
    let verdict = |one: &str, two: &str| {
        let found = row(&found, &[("approach_a", one), ("approach_b", two)]);
        let text = |column: &str| found.value(column).unwrap().to_string();
        [text("verdict"), text("reason"), text("p"), text("tested_n")].join(" ")
    };
    assert_eq!(verdict("a", "c"), "not_estimable no_shared_questions - -");
    assert_eq!(verdict("a", "b"), "could_not - 0.0625 1");
}

#[test]
fn a_lower_latency_is_better() {
    let mut cells = Cells::default();
    for number in 0..8 {
        for (approach, latency) in [("a", 100 + number), ("b", 300 + 7 * number)] {
            cells.ok(&format!("q{number}"), approach)["metrics"]["operational"]["latency_ms"] = latency.into();
        }
    }
    let found = only(&cells, &[("metric", "latency_ms".into())]);
    assert_eq!(found.text("better_approach").unwrap(), "a");
    assert!(number(&found, "difference").unwrap() < 0.0 && number(&found, "ratio").unwrap() < 0.4);
    assert!(number(&found, "upper").unwrap() < 0.0);
}

#[test]
fn rows_in_any_order_on_any_threads_give_the_same_digits() {
    let mut cells = Cells::default();
    for (approach, step) in [("a", 3), ("b", 5), ("c", 7)] {
        let scores: Vec<Option<f64>> =
            (0..20).map(|number| (number % 11 != step).then_some(f64::from(number * step % 13) / 13.0)).collect();
        cells.scores("harbour", 1, approach, METRIC, &scores);
    }
    let values = [("metric", METRIC.into()), ("replicates", 999.into())];
    assert_steady(&cells, |_| (), &[("metrics/stat_pairs", &values)]);
}
