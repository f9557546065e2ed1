//! Exported files hold what the evidence holds, value for value, in shapes that never depend on it.

use super::support::{parquet, project, with_rows};
use crate::cli::project::Project;
use crate::golden;
use crate::warehouse::rows::{failed_row, lines, row};
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int64Type};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn column<'a>(batch: &'a RecordBatch, name: &str) -> &'a ArrayRef {
    batch.column_by_name(name).unwrap_or_else(|| panic!("no column `{name}`"))
}

fn text(batch: &RecordBatch, name: &str, index: usize) -> String {
    column(batch, name).as_string::<i32>().value(index).to_owned()
}

fn tables() -> Vec<String> {
    let files = std::fs::read_dir(golden::root().join("sql/exports")).unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().to_string_lossy().trim_end_matches("_v1.sql").to_owned()).collect();
    names.sort();
    names
}

/// Rows that are hard to keep: texts with everything, lists that are empty, missing and null, wide integers.
fn hard_rows() -> Vec<Value> {
    let mut full = row("007", "heron", 0.5.into());
    full["evidence"]["answer"] = "a\u{0}b\r\n\"c\",\u{1f33f}e\u{301}\u{2028} =1+1".into();
    full["evidence"]["contexts"] = json!(["one", "", "zwei\n"]);
    full["evidence"]["sources"] = json!([
        {"title": "t", "snippet": "s", "score": 0.1},
        {"title": "", "snippet": " ", "score": null},
        {"title": "x", "snippet": "y", "score": "0.3"},
        {"title": "big", "snippet": "z", "score": 7},
    ]);
    full["evidence"]["token_usage"] = json!({"total_tokens": 9007199254740993_u64, "prompt_tokens": i64::MAX});
    let mut empty = row("q2", "heron", 0.25.into());
    empty["evidence"]["contexts"] = json!([]);
    empty["evidence"]["sources"] = json!([]);
    let mut missing = failed_row("q3", "heron", "error");
    missing["evidence"]["sources"] = Value::Null;
    missing["metrics"]["ragas"]["scores"] = json!({});
    vec![full, empty, missing]
}

#[test]
fn parquet_holds_the_evidence_value_for_value() {
    let rows = hard_rows();
    let project = with_rows(&rows);
    project.ragsql(&["export", "--output", "out"]).ends_with(0).complains("3 rows in out/cells.parquet");
    let (cells, metadata) = parquet(&project.path("out/cells.parquet"));
    assert_eq!(cells.num_rows(), 3);
    assert_eq!(text(&cells, "question_id", 0), "007");
    assert_eq!(text(&cells, "answer", 0), rows[0]["evidence"]["answer"].as_str().unwrap());
    let integer = |name: &str| column(&cells, name).as_primitive::<Int64Type>().value(0);
    assert_eq!((integer("total_tokens"), integer("prompt_tokens")), (9007199254740993, i64::MAX));
    let contexts = column(&cells, "contexts").as_list::<i32>();
    let first: Vec<String> = contexts.value(0).as_string::<i32>().iter().flatten().map(str::to_owned).collect();
    assert_eq!(first, ["one", "", "zwei\n"]);
    assert!(contexts.value(1).is_empty() && !contexts.is_null(1) && contexts.is_null(2));
    let sources = column(&cells, "sources").as_list::<i32>();
    assert!(sources.value(1).is_empty() && !sources.is_null(1) && sources.is_null(2));
    let first = sources.value(0);
    let scores = first.as_struct().column_by_name("score").unwrap().as_primitive::<Float64Type>().clone();
    let scores: Vec<Option<f64>> = scores.iter().collect();
    assert_eq!(scores, [Some(0.1), None, None, Some(7.0)]);
    let titles = first.as_struct().column_by_name("title").unwrap().as_string::<i32>().clone();
    assert_eq!(titles.iter().flatten().collect::<Vec<_>>(), ["t", "", "x", "big"]);
    let measured = column(&cells, "scores").as_list::<i32>();
    assert_eq!((measured.value(0).len(), measured.value(2).len(), measured.is_null(2)), (1, 0, false));

    let (evidence, _) = parquet(&project.path("out/evidence.parquet"));
    let written: String = (0..3).map(|index| text(&evidence, "evidence", index) + "\n").collect();
    let file = project.read("compare/results/run.jsonl");
    assert_eq!(written, file, "every line to the byte, in the order of the file");

    let value = |key: &str| metadata.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone()).unwrap();
    let statement = std::fs::read(golden::root().join("sql/exports/cells_v1.sql")).unwrap();
    let hash = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(value("ragsql.query"), "exports/cells@1");
    assert_eq!(value("ragsql.query_sha256"), hash(&statement));
    assert_eq!(value("ragsql.layout_version"), "1");
    let sources: Value = serde_json::from_str(&value("ragsql.evidence")).unwrap();
    assert_eq!(
        (sources[0]["file"].as_str(), sources[0]["sha256"].as_str()),
        (Some("run.jsonl"), Some(&*hash(file.as_bytes())))
    );
    assert!(!value("ragsql.evidence").contains('/'), "no path of this machine");
}

#[test]
fn shapes_are_the_same_for_no_row_for_empty_lists_and_for_all_values() {
    let mut bare = row("q1", "heron", 0.5.into());
    bare["evidence"]["sources"] = json!([]);
    bare["evidence"]["token_usage"] = json!({});
    let projects = [Project::new(), with_rows(&[bare]), with_rows(&hard_rows())];
    for format in ["parquet", "arrow"] {
        for table in tables() {
            let mut schemas = Vec::new();
            for project in &projects {
                let file = format!("out/{table}.{format}");
                project.ragsql(&["export", &table, "--output", "out", "--format", format]).ends_with(0);
                let path = project.path(&file);
                schemas.push(match format {
                    "parquet" => parquet(&path).0.schema().fields().clone(),
                    _ => {
                        let file = std::fs::File::open(path).unwrap();
                        arrow::ipc::reader::FileReader::try_new(file, None).unwrap().schema().fields().clone()
                    }
                });
            }
            assert!(schemas[0].len() > 2 && schemas.iter().all(|schema| *schema == schemas[0]), "{table} {schemas:#?}");
        }
    }
}

#[test]
fn tables_are_laid_out_by_dataset_and_run_and_ids_stay_text() {
    let mut other = row("q1", "heron", 0.5.into());
    (other["run_id"], other["row_id"], other["dataset"]["id"]) = ("007".into(), "x".into(), "Hä/fen=1".into());
    let project = with_rows(&[row("q1", "heron", 0.5.into()), other]);
    let export = ["export", "cells", "runs", "--output", "out", "--partition", "dataset,run"];
    project.ragsql(&export).ends_with(0);
    let (cells, _) = parquet(&project.path("out/cells/dataset=H%C3%A4%2Ffen%3D1/run=007/data.parquet"));
    assert_eq!((cells.num_rows(), text(&cells, "run_id", 0)), (1, "007".to_owned()));
    assert_eq!(parquet(&project.path("out/cells/dataset=harbour/run=r1/data.parquet")).0.num_rows(), 1);
    assert_eq!(parquet(&project.path("out/runs.parquet")).0.num_rows(), 2, "what has no dataset is one file");
    // An export of one run replaces the folder: nothing of the other stays behind.
    project.ragsql(&[&export[..], &["--run", "007"]].concat()).ends_with(0);
    assert!(!project.path("out/cells/dataset=harbour").exists());
    project.write("out/cells/notes.txt", "mine");
    project.ragsql(&export).ends_with(2).complains("holds files that are no export");
    assert_eq!(project.read("out/cells/notes.txt"), "mine");
    std::fs::remove_file(project.path("out/cells/notes.txt")).unwrap();
    for foreign in ["data.xlsx", "data.csv", "dataset=harbour/data.xlsx", "dataset=harbour/other=1/data.csv"] {
        project.write(&format!("out/cells/{foreign}"), "mine");
        project.ragsql(&export).ends_with(2).complains("holds files that are no export");
        assert_eq!(project.read(&format!("out/cells/{foreign}")), "mine");
        let first = foreign.split('/').next().unwrap();
        let first = project.path(&format!("out/cells/{first}"));
        if first.is_dir() { std::fs::remove_dir_all(first).unwrap() } else { std::fs::remove_file(first).unwrap() }
    }
    let left: Vec<_> = std::fs::read_dir(project.path("out")).unwrap().flatten().collect();
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')), "{left:?}");
}

#[test]
fn an_export_of_one_run_holds_its_questions_and_reads_its_lines_alone() {
    let mut other = row("q9", "heron", 0.5.into());
    (other["run_id"], other["row_id"]) = ("r2".into(), "r2/q9".into());
    let project = with_rows(&[row("q1", "heron", 0.5.into()), row("q2", "heron", 0.5.into()), other]);
    project.ragsql(&["export", "questions", "--run", "r2", "--output", "q.csv"]).ends_with(0);
    let mut reader = csv::Reader::from_path(project.path("q.csv")).unwrap();
    let ids: Vec<String> = reader.records().map(|record| record.unwrap()[1].to_owned()).collect();
    assert_eq!(ids, ["q9"]);
    project.ragsql(&["export", "evidence", "--run", "r2", "--output", "e.jsonl"]).ends_with(0).complains("1 rows in");

    let database = project.path("compare/results/warehouse.duckdb");
    let catalogue = ragsql::warehouse::catalogue::Catalogue::embedded(None).unwrap();
    let warehouse = ragsql::warehouse::Warehouse::open_read_only(&database, &catalogue).unwrap();
    let first_lines = |run: &str| -> Vec<i64> {
        let values = [("portion_bytes", 1.into()), ("runs", run.into()), ("dataset_id", None::<&str>.into())];
        let cut = warehouse.query("asking/portions", &values).unwrap();
        cut.rows.iter().map(|row| row.integer("first_line").unwrap()).collect()
    };
    assert_eq!(first_lines("[\"r1\"]"), [1, 2]);
    assert_eq!(first_lines("[\"r2\"]"), [3]);
    assert!(first_lines("[\"nobody\"]").is_empty());
}

#[test]
fn csv_is_safe_for_spreadsheets_and_raw_is_not_and_jsonl_keeps_all() {
    let mut formula = row("q1", "heron", 0.5.into());
    formula["evidence"]["answer"] = "=1+1".into();
    let project = with_rows(&[formula]);
    project.ragsql(&["export", "cells", "--output", "c.csv"]).ends_with(0).complains("apostrophe");
    let answer = |text: &str| {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let index = reader.headers().unwrap().iter().position(|name| name == "answer").unwrap();
        reader.records().next().unwrap().unwrap()[index].to_owned()
    };
    assert_eq!(answer(&project.read("c.csv")), "'=1+1");
    project.ragsql(&["export", "cells", "--output", "c.csv", "--raw"]).ends_with(0);
    assert_eq!(answer(&project.read("c.csv")), "=1+1");
    project.ragsql(&["export", "cells", "--output", "c.jsonl"]).ends_with(0);
    let line: Value = serde_json::from_str(&project.read("c.jsonl")).unwrap();
    assert_eq!((line["answer"].as_str(), line["sources"][0]["title"].as_str()), (Some("=1+1"), Some("timetable")));
}

#[test]
fn wrong_names_and_places_are_told_and_write_nothing() {
    let project = project();
    for (arguments, expected) in [
        (&["export", "cels", "--output", "out"][..], "there are cells, evidence"),
        (&["export", "--output", "all.parquet"], "holds one table"),
        (&["export", "--output", "out", "--run", "nobody"], "runs there are: r1"),
        (&["export", "cells", "--output", "c.parquet", "--partition", "run"], "--partition lays out folders"),
        (&["export", "cells", "--format", "csv", "--output", "all.parquet"], "--format says csv"),
        (&["export", "cells", "--output", "c.html"], "no format to export to"),
    ] {
        project.ragsql(arguments).ends_with(2).complains(expected);
    }
    assert!(!project.path("out").exists() && !project.path("all.parquet").exists());
}

/// Rows of `size_bytes` bytes in one project.
fn long_rows(rows_n: usize, size_bytes: usize) -> (Project, Vec<Value>) {
    let long = |number: usize| {
        let mut long = row(&format!("q{number:03}"), "heron", 0.5.into());
        long["evidence"]["answer"] = format!("{number:03} ").repeat(size_bytes / 4).into();
        long
    };
    let rows: Vec<Value> = (0..rows_n).map(long).collect();
    let project = Project::new();
    project.write("compare/results/run.jsonl", &lines(&rows));
    (project, rows)
}

const AGAIN: &str = "written again with more memory";

#[test]
fn rows_that_are_too_long_together_are_exported_in_order_with_more_memory() {
    // The engine unpacks up to 2048 rows at once, whatever range of lines is asked for: 200 MB, and 176 MB is the usual bound.
    let (project, rows) = long_rows(200, 1_000_000);
    let export = ["export", "cells", "--output", "out", "-v"];
    project.ragsql(&export).ends_with(0).complains(AGAIN);
    let (cells, _) = parquet(&project.path("out/cells.parquet"));
    let ids: Vec<String> = (0..cells.num_rows()).map(|index| text(&cells, "question_id", index)).collect();
    assert_eq!(ids, (0..200).map(|number| format!("q{number:03}")).collect::<Vec<_>>());
    assert_eq!(text(&cells, "answer", 199), rows[199]["evidence"]["answer"].as_str().unwrap());
    let first = std::fs::read(project.path("out/cells.parquet")).unwrap();
    project.ragsql(&export).ends_with(0);
    assert!(first == std::fs::read(project.path("out/cells.parquet")).unwrap(), "equal evidence gives equal bytes");
}

#[test]
fn rows_of_usual_length_are_exported_in_the_usual_memory() {
    let told = with_rows(&hard_rows()).ragsql(&["export", "--output", "out", "-v"]).ends_with(0);
    assert!(!told.err.contains(AGAIN), "{}", told.err);
}

#[test]
fn a_single_row_that_is_too_long_for_the_usual_memory_is_exported_with_more() {
    let (project, rows) = long_rows(1, 32_000_000);
    project.ragsql(&["export", "cells", "--output", "out", "-v"]).ends_with(0).complains(AGAIN);
    let (cells, _) = parquet(&project.path("out/cells.parquet"));
    assert!(text(&cells, "answer", 0) == rows[0]["evidence"]["answer"].as_str().unwrap());
}
