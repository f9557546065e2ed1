//! Every validation of published files refuses the page and names what is missing or unexpected.

use super::tree::{edit, own, warehouse};
use ragsql::report::Error;
use ragsql::report::page::Pages;
use ragsql::report::site::{SiteInputs, given};
use serde_json::{Value, json};

/// The check that refuses the page and what it says.
fn refusal(inputs: &SiteInputs) -> (String, String) {
    let warehouse = warehouse(inputs);
    let pages = Pages::load(None).unwrap();
    match pages.render(&warehouse, "evaluation-results", &given(inputs, "evaluation-results")) {
        Err(Error::Check { check, messages }) => (check, messages.join("\n")),
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("the page was made"),
    }
}

fn assert_refused(inputs: &SiteInputs, check: &str, message: &str) {
    let (found, messages) = refusal(inputs);
    assert_eq!(found, format!("checks/fail_leaderboard_{check}@1"), "{messages}");
    assert!(messages.contains(message), "{messages}");
}

/// One changed file of the own tree, and what it is refused with.
fn assert_edit_refused(file: &str, change: impl FnOnce(&mut Value), check: &str, message: &str) {
    let folder = tempfile::tempdir().unwrap();
    let inputs = own(folder.path());
    edit(folder.path(), file, change);
    assert_refused(&inputs, check, message);
}

fn tree(change: impl FnOnce(&mut SiteInputs)) -> (tempfile::TempDir, SiteInputs) {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = own(folder.path());
    change(&mut inputs);
    (folder, inputs)
}

/// What is broken, and two texts that the failure must hold.
type Mutation = (fn(&mut SiteInputs), &'static str, &'static str);

#[test]
fn the_own_tree_passes_every_validation() {
    let (_folder, inputs) = tree(|_| {});
    let warehouse = warehouse(&inputs);
    let rendered =
        Pages::load(None).unwrap().render(&warehouse, "evaluation-results", &given(&inputs, "evaluation-results"));
    assert!(rendered.unwrap()[0].1.contains("<td data-sort-value=\"3.75\">3.750</td>"));
}

#[test]
fn catalogue_and_manifests_are_checked_before_any_snapshot() {
    let mutations: [Mutation; 9] = [
        (|inputs| inputs.datasets[0].id = "reef".to_owned(), "dataset_ids", "dataset `reef` stands 2 times"),
        (|inputs| inputs.datasets[0].id = " ".to_owned(), "dataset_ids", "has a blank id"),
        (
            |inputs| inputs.datasets[1].flavors.judgments = None,
            "snapshots_named",
            "measured dataset `reef` names no flavor judgment snapshot",
        ),
        (|inputs| inputs.base_approaches.clear(), "approach_lists", "the evaluation manifest lists no approach"),
        (
            |inputs| inputs.base_approaches.push("tide".to_owned()),
            "approach_lists",
            "approach `tide` is listed 2 times",
        ),
        (|inputs| inputs.flavors[0].base.clear(), "approach_lists", "flavor `tide-fast` names no base approach"),
        (|inputs| inputs.flavors[0].alias = "tide".to_owned(), "aliases", "flavor `tide` has the name of a base"),
        (|inputs| inputs.flavors[0].base = "eddy".to_owned(), "aliases", "rests on `eddy`, which is no base approach"),
        (
            |inputs| inputs.datasets[0].complexity_level = Some(0),
            "complexity_levels",
            "dataset `abyss` has the complexity level `0`",
        ),
    ];
    for (change, check, message) in mutations {
        let (_folder, inputs) = tree(change);
        assert_refused(&inputs, check, message);
    }
}

#[test]
fn snapshots_must_load_as_objects() {
    for (content, message) in [("[]", "is not a JSON object"), ("{\"a\":1,\"a\":2}", "line 1"), ("", "line 1")] {
        let (folder, inputs) = tree(|_| {});
        std::fs::write(folder.path().join("reef-flavor-judgments.json"), content).unwrap();
        assert_refused(&inputs, "snapshots_load", message);
    }
    let (folder, inputs) = tree(|_| {});
    std::fs::remove_file(folder.path().join("reef-base-evaluation.json")).unwrap();
    assert_refused(&inputs, "snapshots_load", "cannot read `reef-base-evaluation.json`");
}

#[test]
fn the_approaches_of_a_snapshot_are_exactly_those_configured() {
    let file = "reef-base-evaluation.json";
    let check = "approach_sets";
    assert_edit_refused(
        file,
        |root| {
            let approaches = root["datasets"]["reef"]["approaches"].as_object_mut().unwrap();
            let shape = approaches.remove("current").unwrap();
            approaches.insert("undertow".to_owned(), shape);
        },
        check,
        "missing: `current`; unexpected: `undertow`",
    );
    assert_edit_refused(
        file,
        |root| root["datasets"]["wreck"] = json!({}),
        check,
        "holds the unexpected dataset `wreck`",
    );
    assert_edit_refused(file, |root| root["datasets"] = json!({"wreck": {}}), check, "unexpected dataset `wreck`");
    assert_edit_refused(file, |root| root["datasets"] = json!({}), check, "lacks that dataset");
    assert_edit_refused(file, |root| root["datasets"] = json!(3), check, "`datasets` is missing or no map");
    assert_edit_refused(
        file,
        |root| root["datasets"]["reef"]["approaches"] = json!({}),
        check,
        "`approaches` is empty",
    );
}

#[test]
fn counters_means_and_rates_must_agree() {
    let cases: [(&[&str], Value, &str); 14] = [
        (&["ragas", "faithfulness"], Value::Null, "`faithfulness` is missing or no map"),
        (&["ragas", "faithfulness", "evaluated"], json!(true), "`evaluated` is `true`, expected an integer"),
        (&["ragas", "faithfulness", "evaluated"], json!(2.0), "`evaluated` is `2.0`, expected an integer"),
        (&["ragas", "faithfulness", "errors"], json!(-1), "`errors` is `-1`, expected an integer of 0 or more"),
        (&["ragas", "faithfulness", "evaluated"], json!(3), "3 evaluated of 2"),
        (&["ragas", "faithfulness", "timeouts"], json!(1), "the counters add up to 3, not to the total 2"),
        (&["ragas", "faithfulness", "mean"], Value::Null, "the mean is null with 2 evaluated"),
        (&["ragas", "faithfulness", "mean"], json!(1.5), "the mean 1.5 lies outside 0 to 1"),
        (&["ragas", "faithfulness", "coverage"], json!(0.9), "the coverage 0.9 is not evaluated / total"),
        (&["operational", "errors"], json!(1), "successful, errors and timeouts add up to 3, not to 2 attempted"),
        (&["operational", "mean_latency_ms"], Value::Null, "the mean latency is null with 2 successful"),
        (&["operational", "mean_latency_ms"], json!(-1.0), "the mean latency -1.0 is negative"),
        (&["operational", "error_rate"], json!(0.5), "the error rate 0.5 is not (errors + timeouts) / attempted"),
        (&["operational", "attempted"], json!("2"), "`attempted` is `2`, expected an integer"),
    ];
    for (path, value, message) in cases {
        let change = |root: &mut Value| {
            let mut place = &mut root["datasets"]["reef"]["approaches"]["tide"];
            for key in path {
                place = &mut place[*key];
            }
            *place = value;
        };
        assert_edit_refused("reef-base-evaluation.json", change, "measures", message);
    }
}

#[test]
fn judgments_must_follow_from_their_scores() {
    let cases: [(&[&str], Value, &str); 16] = [
        (&["dataset_id"], json!("wreck"), "judgments of `reef` are for the dataset `wreck`"),
        (&["judges"], json!(["judge-a", "judge-a"]), "judge `judge-a` is listed twice"),
        (&["judges"], json!(["judge-a"]), "judge `judge-b` is unexpected"),
        (&["judges"], json!(["judge-a", "judge-b", "judge-c"]), "the verdict of judge `judge-c` is missing"),
        (&["queries"], json!({}), "`queries` is missing or no list"),
        (&["0", "mean_by_approach"], Value::Null, "`mean_by_approach` is missing or no map"),
        (&["0", "mean_by_approach", "tide"], json!(4.4), "the mean of `tide` is 4.4, but its scores give 4.5"),
        (&["0", "mean_by_approach", "eddy"], json!(4.5), "the means cover 2 of the 2 configured approaches and 1 unex"),
        (&["0", "mean_by_approach"], json!({}), "the mean of `tide` is missing, but its scores give 4.5"),
        (&["0", "per_judge", "judge-a", "scores", "tide"], json!(5.5), "scores `tide` 5.5, outside 1 to 5"),
        (&["0", "per_judge", "judge-a", "scores", "tide"], json!("4"), "scores `tide` `4`, expected a number"),
        (&["0", "per_judge", "judge-a", "scores", "eddy"], json!(4), "2 configured approaches and 1 unexpected"),
        (&["0", "per_judge", "judge-a"], json!({"error": ""}), "the error of judge `judge-a` is ``"),
        (&["0", "per_judge", "judge-a"], json!({}), "judge `judge-a` has neither scores nor an error"),
        (&["0", "observed_winner"], json!("current"), "the winner `current` has the mean 2.0, the highest is 4.5"),
        (&["0", "observed_winner"], json!(""), "`observed_winner` is ``"),
    ];
    for (path, value, message) in cases {
        let change = |root: &mut Value| {
            let mut place = root;
            for key in path {
                place = if *key == "0" { &mut place["queries"][0] } else { &mut place[*key] };
            }
            *place = value;
        };
        assert_edit_refused("reef-base-judgments.json", change, "judgments", message);
    }
    let remove_winner = |root: &mut Value| {
        root["queries"][1].as_object_mut().unwrap().remove("observed_winner");
    };
    assert_edit_refused("reef-base-judgments.json", remove_winner, "judgments", "`observed_winner` is missing");
}

#[test]
fn the_judge_block_must_follow_from_the_judgments() {
    let cases = [
        ("mean", json!(3.7), "the mean is 3.7, but the judgments give 3.75"),
        ("mean", Value::Null, "the mean is null, but the judgments give 3.75"),
        ("evaluated", json!(1), "1 evaluated, but 2 judged questions have scores"),
        ("evaluated", json!(3), "3 evaluated of 2"),
        ("total", json!(4), "the total is 4, but 2 questions were judged"),
        ("coverage", json!(0.5), "the coverage 0.5 is not evaluated / total"),
        ("coverage", Value::Null, "`coverage` is `null`, expected a number"),
    ];
    for (field, value, message) in cases {
        let change = |root: &mut Value| {
            root["datasets"]["reef"]["approaches"]["tide"]["judge_panel"][field] = value;
        };
        assert_edit_refused("reef-base-evaluation.json", change, "judge_summary", message);
    }
}

#[test]
fn totals_are_the_number_of_judged_questions() {
    let change = |root: &mut Value| {
        let operational = &mut root["datasets"]["reef"]["approaches"]["tide"]["operational"];
        operational["attempted"] = json!(3);
        operational["successful"] = json!(3);
    };
    let message = "dataset `reef`, `tide`, attempted rows: 3, but 2 questions were judged";
    assert_edit_refused("reef-base-evaluation.json", change, "totals", message);
}

#[test]
fn a_bad_line_of_evidence_is_named_with_its_place() {
    for bad in ["{", "[]", "3"] {
        let (folder, inputs) = tree(|_| {});
        std::fs::write(folder.path().join("reef-base-evidence.jsonl"), format!("{{}}\n\n{bad}\n")).unwrap();
        let warehouse = ragsql::warehouse::Warehouse::in_memory(&super::tree::CATALOGUE).unwrap();
        let message = ragsql::report::site::load(&warehouse, &inputs).unwrap_err().to_string();
        assert!(message.starts_with("`reef-base-evidence.jsonl`:3: "), "{message}");
    }
}
