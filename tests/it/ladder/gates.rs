//! Each gate, with real results and with results that were tampered with.

use super::support::judged;
use crate::cli::project::Project;
use ragsql::json;
use ragsql::ladder::Error;
use ragsql::ladder::gates::{Expectation, Files, Gate, pass};
use ragsql::warehouse::catalogue::Catalogue;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::embedded(None).unwrap());
/// One real run of the harbour, judged; made once.
static REAL: LazyLock<(Project, Expectation)> = LazyLock::new(|| {
    let project = judged();
    project.ragsql(&["run", "--dataset", "harbour", "--run-id", "real"]).ends_with(0);
    project.ragsql(&["judge", "--dataset", "harbour", "--run-id", "real"]).ends_with(0);
    let rows = project.read("compare/results/real.jsonl");
    let row = json::parse_strict(rows.lines().next().unwrap()).unwrap();
    let hashes = row["reproducibility"]["config_hashes"].as_object().unwrap().clone();
    let facts = hashes.iter().map(|(key, hash)| (format!("config_hashes.{key}"), hash.as_str().unwrap().to_owned()));
    let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    let cells = ["ferry", "crane"]
        .into_iter()
        .flat_map(|question| ["vanilla-rag", "hybrid-rag"].map(|alias| (question.to_owned(), alias.to_owned())));
    let expectation = Expectation {
        run_id: "real".to_owned(),
        dataset_id: "harbour".to_owned(),
        cells: cells.collect(),
        metrics: texts(&["faithfulness", "answer_relevancy"]),
        judges: texts(&["builtin/judge-coverage", "builtin/judge-grounding"]),
        facts: facts.collect(),
    };
    (project, expectation)
});

fn real() -> Files {
    let file = |name: &str| REAL.0.path(&format!("compare/results/real{name}"));
    Files {
        matrix: file("-matrix.json"),
        evidence: file(".jsonl"),
        evaluation: file("-evaluation.json"),
        judgments: file("-judgments.json"),
    }
}

/// A copy of a file with other text in it.
fn copy(folder: &Path, file: &Path, change: impl FnOnce(String) -> String) -> PathBuf {
    let place = folder.join(file.file_name().unwrap());
    fs::write(&place, change(fs::read_to_string(file).unwrap())).unwrap();
    place
}

/// A copy of a JSON file in which something else stands.
fn changed(folder: &Path, file: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    copy(folder, file, |text| {
        let mut value = json::parse_strict(&text).unwrap();
        change(&mut value);
        json::pretty(&value).unwrap()
    })
}

/// Fails unless this gate, and none before it, refuses the files with these words.
#[track_caller]
fn refused(files: &Files, gate: Gate, words: &[&str]) {
    let told = pass(&CATALOGUE, &REAL.1, files, &Gate::ALL).expect_err("some gate must refuse it");
    let text = told.to_string();
    let Error::Refused { gate: found, messages, .. } = told else { panic!("{text}") };
    assert_eq!(found, gate, "{text}");
    for word in words {
        assert!(messages.iter().any(|message| message.contains(word)), "`{word}` is not in {messages:#?}");
    }
}

#[test]
fn what_a_real_run_leaves_passes_every_gate() {
    pass(&CATALOGUE, &REAL.1, &real(), &Gate::ALL).unwrap();
}

#[test]
fn a_plan_that_was_not_carried_out_is_refused_by_what_is_missing() {
    let mut plan = REAL.1.clone();
    plan.cells.push(("tide".to_owned(), "vanilla-rag".to_owned()));
    let told = pass(&CATALOGUE, &plan, &real(), &Gate::ALL).unwrap_err().to_string();
    assert_eq!(told, "gate 1 of 5 (matrix) found 1 fault in run `real`\n  question `tide`, `vanilla-rag` is missing");
}

#[test]
fn the_first_gate_refuses_matrices_with_failed_foreign_or_unreadable_cells() {
    let folder = tempfile::tempdir().unwrap();
    let with = |matrix: PathBuf| Files { matrix, ..real() };
    let failed = changed(folder.path(), &real().matrix, |matrix| {
        matrix["cells"][1]["ok"] = false.into();
        matrix["cells"][1]["error"] = "ReadTimeout: too late".into();
    });
    refused(&with(failed), Gate::Matrix, &["question `ferry`, `hybrid-rag` failed: ReadTimeout: too late"]);
    let foreign = changed(folder.path(), &real().matrix, |matrix| matrix["cells"][0]["model"] = "graph-rag".into());
    let words = ["`graph-rag` is unexpected", "question `ferry`, `vanilla-rag` is missing"];
    refused(&with(foreign), Gate::Matrix, &words);
    let torn = copy(folder.path(), &real().matrix, |text| text[..text.len() / 2].to_owned());
    refused(&with(torn), Gate::Matrix, &["`real-matrix.json`, line "]);
    refused(&with(folder.path().join("none.json")), Gate::Matrix, &["`none.json` cannot be read"]);
}

#[test]
fn the_second_gate_refuses_rows_that_are_missing_doubled_foreign_or_made_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let with = |change: &dyn Fn(String) -> String| {
        let evidence = copy(folder.path(), &real().evidence, change);
        Files { evidence, ..real() }
    };
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    refused(&with(&|text| lines(&text)[..3].join("\n")), Gate::Evidence, &["has no row"]);
    refused(&with(&|text| format!("{text}{}\n", lines(&text)[0])), Gate::Evidence, &["stands already in line 1"]);
    refused(
        &with(&|text| text.replace("\"id\":\"harbour\"", "\"id\":\"lake\"")),
        Gate::Evidence,
        &["unexpected dataset `lake`"],
    );
    let renamed = |text: String| text.replace("\"run_id\":\"real\"", "\"run_id\":\"other\"");
    refused(&with(&renamed), Gate::Evidence, &["unexpected run `other`"]);
    refused(
        &with(&|text| text.replacen("\"project\":\"ragsql\"", "\"project\":\"x\"", 1)),
        Gate::Evidence,
        &["`runtime.project` is not the same in all rows"],
    );
    let unscored = |text: String| text.replacen("\"faithfulness\"", "\"context_recall\"", 100);
    refused(
        &with(&unscored),
        Gate::Evidence,
        &["unexpected metric `context_recall`", "`faithfulness`: the metric is missing"],
    );
    let mut plan = REAL.1.clone();
    plan.facts[0].1 = "another hash".to_owned();
    plan.facts.push(("config_hashes.approaches".to_owned(), "h".to_owned()));
    let told = pass(&CATALOGUE, &plan, &real(), &Gate::ALL).unwrap_err().to_string();
    assert!(
        told.contains("expected `another hash`") && told.contains("`config_hashes.approaches` is missing"),
        "{told}"
    );
}

#[test]
fn the_third_gate_refuses_summaries_of_other_rows() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = changed(folder.path(), &real().evaluation, |summary| {
        summary["schema_version"] = 2.into();
        summary["datasets"]["harbour"]["coverage"]["ok"] = 3.into();
    });
    let words = ["`schema_version` is 2, expected 1", "`ok` of `harbour` is 3, the evidence gives 4"];
    refused(&Files { evaluation, ..real() }, Gate::Summary, &words);
    let evaluation = copy(folder.path(), &real().evaluation, |text| text.replace("\"harbour\": {", "\"lake\": {"));
    let words = ["the dataset `harbour` is missing", "the dataset `lake` is unexpected"];
    refused(&Files { evaluation, ..real() }, Gate::Summary, &words);
}

#[test]
fn the_fourth_gate_refuses_judgments_with_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |change: &dyn Fn(&mut Value), words: &[&str]| {
        let judgments = changed(folder.path(), &real().judgments, change);
        refused(&Files { judgments, ..real() }, Gate::Judgments, words);
    };
    refused(&|panel| panel["status"] = "disabled".into(), &["the status is `disabled`, expected `ok`"]);
    refused(&|panel| panel["judges"].as_array_mut().unwrap().reverse(), &["judge 1 is `builtin/judge-grounding`"]);
    let failed = json::parse_strict("{\"error\": \"no valid verdict: HTTPStatusError\"}").unwrap();
    let words = ["judge `builtin/judge-coverage` scored nobody: no valid verdict: HTTPStatusError"];
    refused(&|panel| panel["queries"][0]["per_judge"]["builtin/judge-coverage"] = failed.clone(), &words);
    let drop = |panel: &mut Value| {
        let scores = &mut panel["queries"][1]["per_judge"]["builtin/judge-grounding"]["scores"];
        scores.as_object_mut().unwrap().remove("hybrid-rag");
        panel["queries"][1]["mean_by_approach"].as_object_mut().unwrap().remove("vanilla-rag");
    };
    let words = ["judge `builtin/judge-grounding` did not score `hybrid-rag`", "the mean of `vanilla-rag` is missing"];
    refused(&drop, &words);
    refused(&|panel| drop_first(&mut panel["queries"]), &["question `ferry` is missing"]);
    refused(&|panel| panel["runtime"] = Value::Null, &["the endpoint of the judges is not recorded"]);
}

fn drop_first(list: &mut Value) {
    list.as_array_mut().unwrap().remove(0);
}

#[test]
fn the_fifth_gate_refuses_summaries_without_all_judges_and_questions() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = changed(folder.path(), &real().evaluation, |summary| {
        let panel = &mut summary["datasets"]["harbour"]["judge_panel"];
        panel["evaluated_queries"] = 1.into();
        drop_first(&mut panel["models"]);
    });
    let words = [
        "judge 1 is `builtin/judge-grounding`, expected `builtin/judge-coverage`",
        "judge 2 is missing, expected `builtin/judge-grounding`",
        "1 of 2 questions are judged, expected 2 of 2",
    ];
    refused(&Files { evaluation, ..real() }, Gate::JudgedSummary, &words);
}

#[test]
fn the_first_five_faults_are_shown_and_the_others_counted() {
    let mut plan = REAL.1.clone();
    plan.cells.extend((0..7).map(|number| (format!("q{number}"), "vanilla-rag".to_owned())));
    let told = pass(&CATALOGUE, &plan, &real(), &Gate::ALL).unwrap_err().to_string();
    assert!(told.starts_with("gate 1 of 5 (matrix) found 7 faults in run `real`\n  question `q0`"), "{told}");
    assert!(told.ends_with("`q4`, `vanilla-rag` is missing\n  ... and 2 more"), "{told}");
}
