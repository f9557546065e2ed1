//! Evidence into tables: incremental, strict, rebuilt when it changed, the same in every order.

use super::rows::{failed_row, lines, row};
use crate::noise::Noise;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{Error, Keep, Parameter, Row, Tail, Value, Warehouse, import, sync};
use serde_json::json;
use std::path::PathBuf;

struct Project {
    folder: tempfile::TempDir,
    catalogue: Catalogue,
}

impl Project {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), catalogue: Catalogue::embedded(None).unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn database(&self) -> PathBuf {
        self.path("results/warehouse.duckdb")
    }

    /// Rows added by a sync, and whether older ones were forgotten.
    fn sync(&self, name: &str) -> Result<(u64, bool), Error> {
        let mut synced = sync(&self.database(), &[self.path(name)], &self.catalogue)?;
        synced.files.remove(0).1.map(|ingested| (ingested.rows_n, ingested.is_rebuilt))
    }

    fn row_ids(&self) -> Vec<String> {
        let warehouse = Warehouse::open_read_only(&self.database(), &self.catalogue).unwrap();
        let mut statement = warehouse.connection().prepare("select row_id from cells order by row_id").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }
}

#[test]
fn only_the_new_lines_of_a_grown_file_are_read() {
    let project = Project::new();
    let rows: Vec<_> = ["q1", "q2", "q3"].map(|question| row(question, "heron", 0.5.into())).to_vec();
    project.write("run.jsonl", lines(&rows[..1]));
    assert_eq!(project.sync("run.jsonl").unwrap(), (1, false));
    assert_eq!(project.sync("run.jsonl").unwrap(), (0, false));
    let torn = lines(&rows[..2]) + &lines(&rows[2..])[..40];
    project.write("run.jsonl", torn);
    assert_eq!(project.sync("run.jsonl").unwrap(), (1, false));
    project.write("run.jsonl", lines(&rows));
    assert_eq!(project.sync("run.jsonl").unwrap(), (1, false));
    assert_eq!(project.row_ids(), ["q1/heron", "q2/heron", "q3/heron"]);
}

#[test]
fn a_file_that_changed_under_its_rows_is_read_again_and_a_missing_one_is_forgotten() {
    let project = Project::new();
    let text = lines(&[row("q1", "heron", 0.5.into()), row("q2", "heron", 0.5.into())]);
    project.write("run.jsonl", &text);
    project.sync("run.jsonl").unwrap();
    project.write("run.jsonl", text.replace("q2/heron", "q9/heron"));
    assert_eq!(project.sync("run.jsonl").unwrap(), (2, true));
    assert_eq!(project.row_ids(), ["q1/heron", "q9/heron"]);
    project.write("run.jsonl", lines(&[row("q1", "heron", 0.5.into())]));
    assert_eq!(project.sync("run.jsonl").unwrap(), (1, true));
    std::fs::remove_file(project.path("run.jsonl")).unwrap();
    assert_eq!(project.sync("run.jsonl").unwrap(), (0, false));
    assert!(project.row_ids().is_empty());
}

#[test]
fn a_bad_line_is_named_and_leaves_the_rows_that_were_there() {
    let project = Project::new();
    let good = row("q1", "heron", 0.5.into());
    project.write("run.jsonl", lines(std::slice::from_ref(&good)));
    project.sync("run.jsonl").unwrap();
    let mut wrong = row("q3", "heron", 0.5.into());
    wrong["metrics"]["operational"]["latency_ms"] = true.into();
    let cases = [
        (lines(&[good.clone(), row("q2", "heron", 0.5.into()), wrong]), 3, "is true or false, expected an integer"),
        (lines(std::slice::from_ref(&good)) + "{\"run_id\":\"r1\"}oops\n", 2, "trailing characters"),
        (lines(&[good.clone(), good.clone()]), 2, "stands already in line 1"),
        (lines(std::slice::from_ref(&good)) + "{\"score\":NaN}\n", 2, "is not a JSON row"),
        (lines(std::slice::from_ref(&good)) + "\n\n[]\n", 4, "is not a JSON object"),
        (format!("\u{feff}{}", lines(&[row("q8", "heron", 0.5.into())])), 1, "byte order mark"),
    ];
    for (text, line, reason) in cases {
        project.write("run.jsonl", text);
        let message = project.sync("run.jsonl").unwrap_err().to_string();
        assert!(message.contains(&format!("line {line}: ")) && message.contains(reason), "{message}");
        assert_eq!(project.row_ids(), ["q1/heron"]);
    }
}

#[test]
fn a_row_that_another_file_holds_is_refused_with_both_places() {
    let project = Project::new();
    let text = lines(&[row("q1", "heron", 0.5.into())]);
    project.write("one.jsonl", &text);
    project.write("two.jsonl", &text);
    project.sync("one.jsonl").unwrap();
    let message = project.sync("two.jsonl").unwrap_err().to_string();
    assert!(message.contains("two.jsonl`, line 1: row `q1/heron` stands already in") && message.contains("one.jsonl"));
}

#[test]
fn a_late_fraction_keeps_its_value_and_long_digits_stay_whole() {
    let project = Project::new();
    let mut rows: Vec<_> = (0..20_480).map(|index| row(&format!("q{index}"), "heron", 1.into())).collect();
    let mut late = row("007", "heron", 0.5.into());
    late["evidence"]["token_usage"] = json!({"id": 9007199254740993u64, "Lang": "en", "lang": "de"});
    late["reproducibility"]["seed"] = json!(18446744073709551615u64);
    rows.push(late);
    project.write("run.jsonl", lines(&rows));
    assert_eq!(project.sync("run.jsonl").unwrap().0, 20_481);
    let warehouse = Warehouse::open_read_only(&project.database(), &project.catalogue).unwrap();
    let table = warehouse.query("reports/cell", &[("row_id", "007/heron".into())]).unwrap();
    let found = &table.rows[0];
    assert_eq!(found.value("score").unwrap(), &Value::Float(0.5));
    assert_eq!(found.text("question_id").unwrap(), "007");
    assert_eq!(found.text("seed").unwrap(), "18446744073709551615");
    let body = found.text("evidence").unwrap();
    assert!(body.contains("9007199254740993") && body.contains("\"Lang\":\"en\"") && body.contains("\"lang\":\"de\""));
}

#[test]
fn i2_i6_types_do_not_depend_on_what_comes_first_and_texts_stay_as_they_are() {
    let answers =
        ["2025-11-02", "2025-11-02T18:05:09.5+02:00", "02.11.2025", "0123456789abcdef0123456789abcdef", "1e5"];
    let mut types = Vec::new();
    for nulls_n in [2, 25] {
        let project = Project::new();
        let mut rows: Vec<_> =
            (0..nulls_n).map(|index| failed_row(&format!("n{index:02}"), "heron", "error")).collect();
        for (index, answer) in answers.iter().enumerate() {
            let mut row = row(&format!("q{index}"), "heron", 0.5.into());
            row["evidence"]["answer"] = (*answer).into();
            row["evidence"]["approach_metadata"] = json!({"lang": "en"});
            rows.push(row);
        }
        project.write("run.jsonl", lines(&rows));
        project.sync("run.jsonl").unwrap();
        let warehouse = Warehouse::open_read_only(&project.database(), &project.catalogue).unwrap();
        for (index, answer) in answers.iter().enumerate() {
            let id = format!("q{index}/heron");
            let table = warehouse.query("reports/cell", &[("row_id", id.as_str().into())]).unwrap();
            assert_eq!(table.rows[0].text("answer").unwrap(), *answer);
        }
        let mut statement = warehouse.connection().prepare("describe cells").unwrap();
        let described = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
        types.push(described.unwrap().collect::<Result<Vec<_>, _>>().unwrap());
    }
    assert!(types[0] == types[1] && types[0].len() > 20);
}

#[test]
fn a_row_of_20_megabytes_loads_among_small_ones() {
    let project = Project::new();
    let mut rows: Vec<_> = (0..10).map(|index| row(&format!("q{index}"), "heron", 1.into())).collect();
    rows[4]["evidence"]["answer"] = "long ".repeat(4 << 20).into();
    project.write("run.jsonl", lines(&rows));
    assert_eq!(project.sync("run.jsonl").unwrap().0, 10);
    let warehouse = Warehouse::open_read_only(&project.database(), &project.catalogue).unwrap();
    let table = warehouse.query("reports/cell", &[("row_id", Parameter::from("q4/heron"))]).unwrap();
    assert_eq!(table.rows[0].text("answer").unwrap().len(), 20 << 20);
}

#[test]
fn a_file_longer_than_a_portion_loads_whole_and_keeps_whole_portions_before_a_bad_line() {
    let project = Project::new();
    // 165 MB: more than one portion of 128 MiB, and less than two.
    let mut rows: Vec<_> = (0..330).map(|index| row(&format!("q{index:03}"), "heron", 1.into())).collect();
    for row in &mut rows {
        row["evidence"]["answer"] = "long ".repeat(100_000).into();
    }
    let text = lines(&rows);
    project.write("run.jsonl", format!("{text}[]\n"));
    let message = project.sync("run.jsonl").unwrap_err().to_string();
    assert!(message.contains("line 331: "), "{message}");
    let kept = project.row_ids();
    assert!((200..330).contains(&kept.len()), "{} rows", kept.len());
    project.write("run.jsonl", text);
    assert_eq!(project.sync("run.jsonl").unwrap(), (330 - kept.len() as u64, false));
    let found = project.row_ids();
    assert!(found.len() == 330 && found.is_sorted() && found.first() == Some(&"q000/heron".to_owned()));
}

#[test]
fn g4_rows_too_large_for_the_usual_memory_are_loaded_all_the_same() {
    let project = Project::new();
    // 230 MB of words that do not repeat: a checkpoint holds more of them at once than 160 MB.
    let mut noise = Noise(1);
    let mut word = || format!("{:016x} ", noise.below(usize::MAX));
    let mut text = String::new();
    for index in 0..640 {
        let mut row = row(&format!("q{index:03}"), "heron", 1.into());
        row["evidence"]["answer"] = (0..21_000).map(|_| word()).collect::<String>().into();
        text.push_str(&lines(&[row]));
    }
    project.write("run.jsonl", text);
    project.sync("run.jsonl").unwrap();
    assert_eq!(project.row_ids().len(), 640);
    let warehouse = Warehouse::open_read_only(&project.database(), &project.catalogue).unwrap();
    let table = warehouse.query("reports/cell", &[("row_id", Parameter::from("q639/heron"))]).unwrap();
    assert_eq!(table.rows[0].text("answer").unwrap().len(), 21_000 * 17);
}

#[test]
fn every_cell_has_one_of_five_states_for_every_metric_of_its_dataset() {
    let project = Project::new();
    let mut other = row("q4", "heron", 0.5.into());
    other["metrics"]["ragas"] = json!({
        "status": "partial", "requested": ["faithfulness", "recall"], "scores": {"recall": 1.0},
        "not_evaluable": {"faithfulness": "retrieved_contexts_required"},
    });
    let mut slow = row("q5", "heron", 0.5.into());
    slow["metrics"]["ragas"] =
        json!({"status": "error", "requested": ["faithfulness"], "error_type": "ReadTimeout", "error": "slow"});
    let rows = [
        row("q1", "heron", 0.5.into()),
        row("q2", "heron", "0.5".into()),
        failed_row("q3", "heron", "timeout"),
        other,
        slow,
    ];
    let file = project.write("run.jsonl", lines(&rows));
    import(&project.database(), &[file], &[], &project.catalogue).unwrap();
    let warehouse = Warehouse::open_read_only(&project.database(), &project.catalogue).unwrap();
    let table = warehouse.query("exports/scores", &[]).unwrap();
    let told = |row: &Row| {
        ["row_id", "metric", "state", "score", "reason"].map(|name| row.value(name).unwrap().to_string()).join(" ")
    };
    let found: Vec<String> = table.rows.iter().map(told).collect();
    assert_eq!(
        found,
        [
            "q1/heron faithfulness scored 0.5 -",
            "q1/heron recall not_run - not_requested",
            "q2/heron faithfulness error - score_not_numeric",
            "q2/heron recall not_run - not_requested",
            "q3/heron faithfulness not_run - cell_timeout",
            "q3/heron recall not_run - cell_timeout",
            "q4/heron faithfulness not_evaluable - retrieved_contexts_required",
            "q4/heron recall scored 1.0 -",
            "q5/heron faithfulness timeout - ReadTimeout",
            "q5/heron recall timeout - ReadTimeout",
        ]
    );
}

#[test]
fn a_file_that_is_no_warehouse_is_left_alone() {
    let project = Project::new();
    let text = lines(&[row("q1", "heron", 0.5.into())]);
    project.write("run.jsonl", text);
    let database = project.write("notes.duckdb", "these are notes, not a database".repeat(1000));
    let error = sync(&database, &[project.path("run.jsonl")], &project.catalogue).unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
    assert!(std::fs::read_to_string(&database).unwrap().starts_with("these are notes"));
}

#[test]
fn numbers_alone_can_be_kept_in_memory() {
    let project = Project::new();
    let file = project.write("run.jsonl", lines(&[row("q1", "heron", 0.5.into())]).trim_end());
    let warehouse = Warehouse::in_memory(&project.catalogue).unwrap();
    assert_eq!(warehouse.ingest_evidence(&file, Tail::Wait, Keep::Numbers).unwrap().rows_n, 0);
    assert_eq!(warehouse.ingest_evidence(&file, Tail::Take, Keep::Numbers).unwrap().rows_n, 1);
    assert!(warehouse.query("reports/cell", &[("row_id", "q1/heron".into())]).unwrap().rows.is_empty());
}

#[test]
fn a_copied_warehouse_follows_its_files_and_does_not_stand_in_the_way_of_itself() {
    let project = Project::new();
    let rows: Vec<_> = ["q1", "q2", "q3"].map(|question| row(question, "heron", 0.5.into())).to_vec();
    for folder in ["old", "new"] {
        std::fs::create_dir(project.path(folder)).unwrap();
    }
    let judgments = json!({"status": "ok", "dataset_id": "harbour", "judges": ["j"], "queries": []}).to_string();
    let (old, new) = (project.path("old/warehouse.duckdb"), project.path("new/warehouse.duckdb"));
    let (before, after) = (project.write("old/run.jsonl", lines(&rows[..2])), project.path("new/run.jsonl"));
    let panel = project.write("old/run-judgments.json", &judgments);
    sync(&old, std::slice::from_ref(&before), &project.catalogue).unwrap();
    Warehouse::open(&old, &project.catalogue).unwrap().ingest_judgments(&panel, None).unwrap();

    std::fs::copy(&old, &new).unwrap();
    std::fs::write(&after, lines(&rows)).unwrap();
    let read = sync(&new, std::slice::from_ref(&after), &project.catalogue).unwrap().files.remove(0).1.unwrap();
    assert_eq!((read.rows_n, read.is_rebuilt), (1, false), "the known rows came along");
    let warehouse = Warehouse::open_read_only(&new, &project.catalogue).unwrap();
    let found = warehouse.query("exports/cells", &[]).unwrap();
    let row_ids: Vec<&str> = found.rows.iter().map(|row| row.text("row_id").unwrap()).collect();
    assert_eq!(row_ids, ["q1/heron", "q2/heron", "q3/heron"]);
    assert_eq!(warehouse.source_files().unwrap(), [ragsql::warehouse::file_key(&after)]);
    let known = warehouse.query("ingest/known_files", &[]).unwrap();
    // The panel's file was not copied, so it is forgotten, not left with the other project.
    assert_eq!(known.rows.len(), 1);
    let again = sync(&old, &[before], &project.catalogue).unwrap().files.remove(0).1.unwrap();
    assert_eq!((again.rows_n, again.is_rebuilt), (0, false));
}

#[test]
fn the_judges_of_one_run_say_nothing_about_another() {
    let project = Project::new();
    let of_run = |run_id: &str| {
        let mut row = row("q1", "heron", 0.5.into());
        row["run_id"] = run_id.into();
        row["row_id"] = format!("{run_id}/q1/heron").into();
        project.write(&format!("{run_id}.jsonl"), lines(&[row]))
    };
    let evidence = [of_run("night"), of_run("noon")];
    sync(&project.database(), &evidence, &project.catalogue).unwrap();
    let judgments = json!({"status": "ok", "dataset_id": "harbour", "judges": ["j"], "queries": [{
        "query_id": "q1", "per_judge": {"j": {"scores": {"heron": 4.0}, "best": "heron", "reason": "Plain."}},
        "mean_by_approach": {"heron": 4.0},
    }]});
    let warehouse = Warehouse::open(&project.database(), &project.catalogue).unwrap();
    for (file, run_id) in [
        ("night-judgments.json", Some("night")),
        ("noon-judgments.json", Some("noon")),
        ("midday-judgments.json", None),
        ("night.json", None),
    ] {
        assert_eq!(warehouse.judged_run(&project.path(file)).unwrap().as_deref(), run_id, "{file}");
    }
    let file = project.write("night-judgments.json", judgments.to_string());
    warehouse.ingest_judgments(&file, warehouse.judged_run(&file).unwrap().as_deref()).unwrap();
    let judged = |run_id: &str| {
        let found = warehouse.query("reports/question_verdicts", &[("run_id", run_id.into())]).unwrap();
        found.rows.len()
    };
    assert_eq!((judged("night"), judged("noon")), (1, 0));
}
