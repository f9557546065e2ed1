//! What statements may take: memory and time, and how more of it is given.

use super::support::{parquet, project, with_rows};
use crate::warehouse::rows::row;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{AdHoc, Error, Limits, Room, Warehouse};
use std::time::Duration;

/// Holds 550 MB of texts at once.
const HEAVY: &str = "select len(list(repeat('x', 1000) || range)) as n from range(550000)";
const BOUND: &str = "select memory_limit from pragma_database_size()";

#[test]
fn the_flag_that_lifts_the_limits_lifts_memory_too() {
    let project = project();
    let catalogue = Catalogue::embedded(None).unwrap();
    let (database, evidence) =
        (project.path("compare/results/warehouse.duckdb"), [project.path("compare/results/run.jsonl")]);
    {
        let open = AdHoc::open(&database, &evidence, &catalogue).unwrap();
        let refused = open.answer(HEAVY, Limits::default(), Room::ENDLESS).unwrap_err();
        assert!(matches!(refused, Error::Memory { query: None, .. }), "{refused}");
        let bound = open.answer(BOUND, Limits::default(), Room::ENDLESS).unwrap();
        assert_eq!(bound.rows[0].text("memory_limit").unwrap(), "305.1 MiB");
    }
    project.ragsql(&["sql", HEAVY]).ends_with(3).complains("needs more memory").complains("--unsafe");
    let told = project.ragsql(&["sql", "--unsafe", "--format", "csv", HEAVY]).ends_with(0);
    assert_eq!(told.out, "n\n550000\n");
    // Whoever has lifted everything is not told to lift it.
    let both = format!("set memory_limit = '100MB'; {HEAVY}");
    let told = project.ragsql(&["sql", "--unsafe", &both]).ends_with(3).complains("needs more memory");
    assert!(!told.err.contains("ragsql sql --unsafe"), "{}", told.err);
}

#[test]
fn time_that_a_slow_reader_takes_does_not_count() {
    let project = project();
    let catalogue = Catalogue::embedded(None).unwrap();
    let database = project.path("compare/results/warehouse.duckdb");
    let open = AdHoc::open(&database, &[project.path("compare/results/run.jsonl")], &catalogue).unwrap();
    let limits = Limits { rows_max: None, timeout_s: Some(2) };
    let mut answer = open.ask("select range as n from range(200000)", &[], limits).unwrap();
    let mut rows_n = answer.next().unwrap().unwrap().num_rows();
    // The reader of a page, who takes longer than the limit.
    std::thread::sleep(Duration::from_millis(2200));
    while let Some(batch) = answer.next().unwrap() {
        rows_n += batch.num_rows();
    }
    assert_eq!(rows_n, 200_000);
}

#[test]
fn a_table_whose_rows_are_too_long_is_written_with_more_memory_and_the_others_once() {
    let mut long = row("q1", "heron", 0.5.into());
    long["evidence"]["answer"] = "0123456789abcdef".repeat(1 << 20).into();
    let project = with_rows(&[long, row("q2", "heron", 0.25.into())]);
    let bound = |name: &str, memory: &str| {
        let script = format!(
            "-- name: engine/{name}\n-- purpose: A small machine.\n-- grain: none\n-- reads: none\n-- order: none\n\
             -- nulls: never\n-- since: 0.1.0\nset memory_limit = '{memory}';\n"
        );
        project.write(&format!("sql/engine/{name}.sql"), &script);
    };
    let export = ["export", "runs", "cells", "questions", "--output", "out"];
    bound("exporting", "64MB");
    bound("pages", "64MB");
    let told = project.ragsql(&export).ends_with(3).complains("`exports/cells@1` needs more memory");
    // Nobody typed a statement, and no flag changes anything.
    assert!(!told.err.contains("--unsafe") && !told.err.contains("fewer columns"), "{}", told.err);
    bound("pages", "768MB");
    let told = project.ragsql(&export).ends_with(0);
    for table in ["runs", "cells", "questions"] {
        let lines = told.err.lines().filter(|line| line.starts_with(table));
        assert_eq!(lines.count(), 1, "{}", told.err);
    }
    let (cells, _) = parquet(&project.path("out/cells.parquet"));
    assert_eq!(cells.num_rows(), 2);
}

#[test]
fn a_script_that_failed_is_run_again_on_the_next_call() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("engine")).unwrap();
    let own = "-- name: engine/own\n-- purpose: Needs a table.\n-- grain: none\n-- reads: none\n-- order: none\n\
               -- nulls: never\n-- since: 0.1.0\ncreate temporary table copied as select * from late;\n";
    std::fs::write(folder.path().join("engine/own.sql"), own).unwrap();
    let catalogue = Catalogue::embedded(Some(folder.path())).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    assert!(warehouse.prepare("engine/own").is_err());
    assert!(warehouse.prepare("engine/own").is_err(), "it did not run, so it is not done");
    warehouse.connection().execute_batch("create temporary table late as select 1 as n").unwrap();
    warehouse.prepare("engine/own").unwrap();
    // A second run would say that the table is there.
    warehouse.prepare("engine/own").unwrap();
}
