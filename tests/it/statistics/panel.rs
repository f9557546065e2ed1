//! The audit of the panel against numbers that libraries computed, and its edges.

use super::support::{Cells, ask, assert_near, assert_steady, loaded, number, pairs, row, vectors, warehouse};
use super::verdict_sidecar::{ingest, verdict};
use ragsql::warehouse::{Family, Subject, Warehouse};
use serde_json::{Value, json};

/// Judges by name, each with a row of digits per question; a dot is a missing score.
fn verdicts(scores: &Value, positions: Option<&Value>) -> Vec<Value> {
    let mut all = Vec::new();
    for (judge, rows) in pairs(scores) {
        for (index, digits) in rows.as_array().unwrap().iter().enumerate() {
            let digits: Vec<char> = digits.as_str().unwrap().chars().collect();
            let place = |answer: usize| match positions {
                Some(positions) => positions[index].as_str().unwrap().as_bytes()[answer] as usize,
                None => answer,
            };
            let mut order: Vec<usize> = (0..digits.len()).collect();
            order.sort_by_key(|answer| place(*answer));
            let names: Vec<String> = order.iter().map(|answer| char::from(b'a' + *answer as u8).to_string()).collect();
            let shown: Vec<(&str, Option<f64>)> = names
                .iter()
                .zip(&order)
                .map(|(name, answer)| (name.as_str(), digits[*answer].to_digit(10).map(f64::from)))
                .collect();
            all.push(verdict(&format!("q{:02}", index + 1), judge, &shown));
        }
    }
    all
}

fn fixture(vectors: &Value) -> &Value {
    let fixture = &vectors["7_panel_fixture"];
    if fixture.is_array() { &fixture[0] } else { fixture }
}

fn lengths(vectors: &Value) -> Cells {
    let mut cells = Cells::default();
    for (index, question) in vectors["7_length"][0]["lengths"].as_array().unwrap().iter().enumerate() {
        for (approach, length) in ["a", "b", "c"].iter().zip(question.as_array().unwrap()) {
            let cell = cells.ok(&format!("q{:02}", index + 1), approach);
            cell["evidence"]["answer"] = "x".repeat(usize::try_from(length.as_u64().unwrap()).unwrap()).into();
        }
    }
    cells
}

fn store_families(warehouse: &Warehouse) {
    let family = |subject, name: &str, family: &str| Family { subject, name: name.into(), family: family.into() };
    let declared: Vec<Family> = [("j1", "a", "F"), ("j2", "b", "G"), ("j3", "c", "H")]
        .iter()
        .flat_map(|(judge, approach, maker)| {
            [family(Subject::Judge, judge, maker), family(Subject::Approach, approach, maker)]
        })
        .collect();
    warehouse.store_families(&declared).unwrap();
}

fn audited(vectors: &Value) -> Warehouse<'static> {
    let warehouse = loaded(&lengths(vectors));
    let fixture = fixture(vectors);
    ingest(&warehouse, &verdicts(&fixture["scores"], Some(&fixture["positions"]))).unwrap();
    store_families(&warehouse);
    warehouse
}

#[test]
fn strictness_and_pair_agreement_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = audited(&vectors);
    let judges = ask(&warehouse, "metrics/audit_judges", &[]);
    for expected in vectors["7_strictness"].as_array().unwrap() {
        let found = row(&judges, &[("judge", expected["judge"].as_str().unwrap())]);
        for column in ["mean", "sd", "minus_others"] {
            assert_near(found, column, &expected[column]);
        }
        assert_near(found, "coverage", &json!(1));
    }
    let found = ask(&warehouse, "metrics/audit_pairs", &[]);
    for expected in vectors["7_pairwise"].as_array().unwrap() {
        let (one, two) = expected["pair"].as_str().unwrap().split_once(',').unwrap();
        let found = row(&found, &[("judge_a", one), ("judge_b", two)]);
        assert_near(found, "kappa", &expected["qwk"]);
        assert_near(found, "spearman", &expected["spearman"]);
        assert_near(found, "equal_ratio", &expected["exact_agreement"]);
        assert_near(found, "mean_distance", &expected["mean_abs_diff"]);
        let ends = ["kappa_lower", "kappa", "kappa_upper"].map(|column| number(found, column).unwrap());
        assert!(ends[0] < ends[1] && ends[1] < ends[2], "{ends:?}");
    }
}

#[test]
fn kappa_and_spearman_of_two_judges_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["7_kappa_spearman"].as_array().unwrap() {
        let digits = |key: &str| case[key].as_array().unwrap().iter().map(Value::to_string).collect::<String>();
        let warehouse = warehouse(2);
        ingest(&warehouse, &verdicts(&json!({"x": [digits("x")], "y": [digits("y")]}), None)).unwrap();
        let found = ask(&warehouse, "metrics/audit_pairs", &[]);
        assert_near(&found.rows[0], "kappa", &case["qwk"]);
        assert_near(&found.rows[0], "spearman", &case["spearman"]);
        assert_eq!(found.rows[0].text("kappa_reason").unwrap(), "few_units", "one question has no interval");
    }
}

#[test]
fn alpha_is_that_of_the_contract_with_gaps_and_without_spread() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    for case in vectors["7_alpha"].as_array().unwrap() {
        let judges = case["data"].as_array().unwrap().iter().enumerate();
        let scores: Value = judges
            .map(|(index, digits)| (format!("j{index}"), json!([digits])))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let warehouse = warehouse(2);
        ingest(&warehouse, &verdicts(&scores, None)).unwrap();
        let found = ask(&warehouse, "metrics/audit_alpha", &[]);
        // The contract writes a pair of nulls where there is no spread.
        let expected = |key: &str| if case[key].is_array() { Value::Null } else { case[key].clone() };
        assert_near(&found.rows[0], "alpha", &expected("interval"));
        assert_near(&found.rows[0], "alpha_ordinal", &expected("ordinal"));
        let reason = if case["interval"].is_array() { "no_spread" } else { "few_units" };
        assert_eq!(found.rows[0].text("reason").unwrap(), reason);
        assert_eq!((number(&found.rows[0], "lower"), number(&found.rows[0], "upper")), (None, None));
    }
}

#[test]
fn the_interval_of_alpha_is_that_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = audited(&vectors);
    let expected = &vectors["7_alpha_bootstrap"][0];
    let found = ask(&warehouse, "metrics/audit_alpha", &[("seed", expected["seed"].as_str().unwrap().into())]);
    assert_near(&found.rows[0], "alpha", &expected["interval"]);
    assert_near(&found.rows[0], "alpha_ordinal", &expected["ordinal"]);
    assert_near(&found.rows[0], "lower", &expected["expanded95"][0]);
    assert_near(&found.rows[0], "upper", &expected["expanded95"][1]);
    assert_near(&found.rows[0], "used_n", &expected["B"]);
}

#[test]
fn position_and_length_effects_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = audited(&vectors);
    let found = ask(&warehouse, "metrics/audit_effects", &[]);
    for (effect, key, slope) in [("position", "7_position", "beta"), ("length", "7_length", "beta_per_doubling")] {
        let expected = &vectors[key][0];
        let found = row(&found, &[("effect", effect), ("judge", "-")]);
        assert_near(found, "slope", &expected[slope]);
        assert_near(found, "se", &expected["se"]);
        assert_near(found, "lower", &expected["interval95"][0]);
        assert_near(found, "upper", &expected["interval95"][1]);
        assert_near(found, "df", &json!(11));
    }
    assert_eq!(found.rows.len(), 8, "the panel and three judges, for each effect");
}

#[test]
fn the_swap_contrast_is_that_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let expected = &vectors["7_swap"][0];
    let mut all = Vec::new();
    for (key, direction) in [("y_first", "forward"), ("y_reversed", "reverse")] {
        for mut verdict in verdicts(&json!({"j": expected[key]}), None) {
            if direction == "reverse" {
                for key in ["order", "labels"] {
                    verdict[key].as_array_mut().unwrap().reverse();
                }
            }
            verdict["direction"] = direction.into();
            verdict["order_rule"] = "swap".into();
            all.push(verdict);
        }
    }
    let warehouse = warehouse(2);
    ingest(&warehouse, &all).unwrap();
    let found = ask(&warehouse, "metrics/audit_swap", &[]);
    for judge in ["-", "j"] {
        let found = row(&found, &[("judge", judge)]);
        for (column, key) in [("slope", "beta"), ("se", "se"), ("df", "df")] {
            assert_near(found, column, &expected[key]);
        }
    }
}

#[test]
fn family_preference_is_that_of_the_contract_and_undeclared_families_are_not_guessed() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = audited(&vectors);
    let found = ask(&warehouse, "metrics/audit_families", &[]);
    for expected in vectors["7_family"].as_array().unwrap() {
        let found = row(&found, &[("judge", expected["judge"].as_str().unwrap())]);
        for column in ["own", "other", "preference"] {
            assert_near(found, column, &expected[column]);
        }
        assert_near(found, "joint_n", &json!(0));
    }
    warehouse.store_families(&[]).unwrap();
    let found = ask(&warehouse, "metrics/audit_families", &[]);
    assert!(found.rows.iter().all(|row| row.text("reason").unwrap() == "no_family"));
}

#[test]
fn one_generator_for_all_answers_has_no_family_preference_to_measure() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = audited(&vectors);
    let same = |subject, name: &str| Family { subject, name: name.into(), family: "F".into() };
    let judges = ["j1", "j2", "j3"].map(|name| same(Subject::Judge, name));
    let answers = ["a", "b", "c"].map(|name| same(Subject::Approach, name));
    warehouse.store_families(&[judges, answers].concat()).unwrap();
    for found in &ask(&warehouse, "metrics/audit_families", &[]).rows {
        assert_eq!((number(found, "preference"), found.text("reason").unwrap()), (None, "no_variation"));
        assert_near(found, "joint_n", &json!(36));
    }
}

#[test]
fn leaving_out_each_judge_gives_the_means_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = audited(&vectors);
    let found = ask(&warehouse, "rankings/audit_leave_one_out", &[]);
    let expected = &vectors["7_leave_one_out"][0];
    let check = |judge: &str, means: &Value| {
        for (approach, mean) in ["a", "b", "c"].iter().zip(means.as_array().unwrap()) {
            let found = row(&found, &[("without_judge", judge), ("approach", approach)]);
            assert_near(found, "mean", mean);
            assert_near(found, "kendall_tau", &json!(1));
            assert_eq!(found.value("winner_changes").unwrap().to_string(), "false");
        }
    };
    check("-", &expected["full"]);
    for (judge, without) in pairs(&expected["without"]) {
        check(judge, &without["means"]);
    }
}

#[test]
fn a_winner_that_one_judge_makes_is_found() {
    let warehouse = warehouse(2);
    let scores = json!({"j1": ["51", "51"], "j2": ["34", "34"], "j3": ["34", "34"]});
    ingest(&warehouse, &verdicts(&scores, None)).unwrap();
    let found = ask(&warehouse, "rankings/audit_leave_one_out", &[]);
    let rank = |judge: &str| {
        let found = row(&found, &[("without_judge", judge), ("approach", "a")]);
        (found.integer("rank").unwrap(), found.value("winner_changes").unwrap().to_string())
    };
    assert_eq!(rank("-"), (1, "false".to_owned()));
    assert_eq!(rank("j1"), (2, "true".to_owned()));
    assert_eq!(rank("j2"), (1, "false".to_owned()));
    assert_near(row(&found, &[("without_judge", "j1"), ("approach", "b")]), "kendall_tau", &json!(-1));
}

#[test]
fn a_judge_that_favours_the_first_place_shows_an_effect_of_its_size() {
    // Answers are equally good; each judge adds two points to whatever stands first, in an order of its own.
    let mut all = Vec::new();
    for judge in ["j1", "j2"] {
        for question in 0..40 {
            let mut names = ["a", "b", "c"];
            names.rotate_left((question * 7 + judge.len() + usize::from(judge == "j2")) % 3);
            let shown = [(names[0], Some(4.0)), (names[1], Some(2.0)), (names[2], Some(2.0))];
            all.push(verdict(&format!("q{question:02}"), judge, &shown));
        }
    }
    let warehouse = warehouse(2);
    ingest(&warehouse, &all).unwrap();
    let found = ask(&warehouse, "metrics/audit_effects", &[]);
    for judge in ["-", "j1", "j2"] {
        let found = row(&found, &[("effect", "position"), ("judge", judge)]);
        // From the first to the third place two points are lost over two places: one a place.
        assert!((number(found, "slope").unwrap() + 1.0).abs() < 0.05, "{:?}", found.values);
        assert!(number(found, "upper").unwrap() < -0.8);
    }
    let panel = ask(&warehouse, "rankings/audit_leave_one_out", &[]);
    for approach in ["a", "b", "c"] {
        let mean = number(row(&panel, &[("without_judge", "-"), ("approach", approach)]), "mean").unwrap();
        assert!((mean - 8.0 / 3.0).abs() < 0.1, "{approach}: {mean}, the bias cancels over places");
    }
}

#[test]
fn one_judge_one_question_and_one_order_say_why_there_is_nothing() {
    let warehouse = warehouse(2);
    ingest(&warehouse, &verdicts(&json!({"j1": ["54"]}), None)).unwrap();
    let judge = ask(&warehouse, "metrics/audit_judges", &[]);
    assert_eq!(judge.rows[0].text("reason").unwrap(), "one_judge");
    assert!(ask(&warehouse, "metrics/audit_pairs", &[]).rows.is_empty());
    let alpha = ask(&warehouse, "metrics/audit_alpha", &[]);
    assert_eq!((number(&alpha.rows[0], "alpha"), alpha.rows[0].text("reason").unwrap()), (None, "no_scores"));
    let effect = ask(&warehouse, "metrics/audit_effects", &[]);
    let found = row(&effect, &[("effect", "position"), ("judge", "-")]);
    assert_eq!((number(found, "slope"), found.text("reason").unwrap()), (None, "no_variation"));
    let found = row(&effect, &[("effect", "length"), ("judge", "-")]);
    assert_eq!(found.text("reason").unwrap(), "no_scores", "the answers are not in this database");
}

#[test]
fn failures_are_counted_by_reason_and_planted_answers_stay_apart() {
    let warehouse = warehouse(2);
    let mut late = verdict("q1", "j2", &[("a", None), ("b", None)]);
    (late["state"], late["reason"], late["scores"]) = ("unscored".into(), "timeout".into(), json!([]));
    let mut canary =
        verdict("q1", "j1", &[("a", Some(5.0)), ("canary/empty", Some(2.0)), ("canary/orders_full_marks", Some(5.0))]);
    canary["direction"] = "canary".into();
    canary["best"] = "canary/orders_full_marks".into();
    ingest(&warehouse, &[verdict("q1", "j1", &[("a", Some(3.0)), ("b", None)]), late, canary]).unwrap();
    let judges = ask(&warehouse, "metrics/audit_judges", &[]);
    let counts = |judge| {
        let found = row(&judges, &[("judge", judge)]);
        (found.integer("answers_n").unwrap(), found.integer("scored_n").unwrap())
    };
    assert_eq!((counts("j1"), counts("j2")), ((2, 1), (2, 0)));
    let reasons = ask(&warehouse, "reports/audit_reasons", &[]);
    assert_eq!(row(&reasons, &[("judge", "j2")]).text("reason").unwrap(), "timeout");
    assert_eq!(row(&reasons, &[("judge", "j1")]).text("reason").unwrap(), "judge_missing_label");
    let ranking = ask(&warehouse, "rankings/audit_leave_one_out", &[]);
    assert!(ranking.rows.iter().all(|row| !row.text("approach").unwrap().starts_with("canary")));
    let canaries = ask(&warehouse, "metrics/audit_canaries", &[]);
    let passed = |canary| row(&canaries, &[("canary", canary)]).integer("passed_n").unwrap();
    assert_eq!((passed("empty"), passed("orders_full_marks")), (1, 0));
    let orders = row(&canaries, &[("canary", "orders_full_marks")]);
    assert_eq!(orders.value("fails_most").unwrap().to_string(), "true");
    assert_near(orders, "upper", &json!(0.793_450_685_623));
}

#[test]
fn rows_in_any_order_on_any_threads_give_the_same_digits() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let fixture = fixture(&vectors);
    let verdicts = verdicts(&fixture["scores"], Some(&fixture["positions"]));
    let turn = std::cell::Cell::new(0);
    let prepare = |warehouse: &Warehouse| {
        let mut verdicts = verdicts.clone();
        verdicts.rotate_left(turn.get());
        turn.set(turn.get() + 5);
        super::support::write_and(
            &verdicts.iter().map(|verdict| ragsql::json::canonical(verdict).unwrap() + "\n").collect::<String>(),
            "x.verdicts.jsonl",
            |path| warehouse.ingest_verdicts(path).unwrap(),
        );
        store_families(warehouse);
    };
    // The file stands in another folder each time, so it is left out of what is compared.
    let names = [
        "metrics/audit_judges",
        "metrics/audit_pairs",
        "metrics/audit_alpha",
        "metrics/audit_effects",
        "metrics/audit_families",
        "rankings/audit_leave_one_out",
    ];
    let statements = names.map(|name| (name, &[][..]));
    assert_steady(&lengths(&vectors), prepare, &statements);
}
