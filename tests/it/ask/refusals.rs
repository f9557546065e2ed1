//! Read-only means it: whatever writes, reaches out, changes settings or never ends is refused, with the reason.

use super::support::project;
use ragsql::warehouse::catalogue::Catalogue;
use ragsql::warehouse::{AdHoc, Error, Limits, Room, Value};

const ONLY_READS: &str = "can read the warehouse only";
const NO_FILES: &str = "no other files";

/// Statement, and a part of the reason. OUT stands for a path that must not come to exist.
const REFUSED: &[(&str, &str)] = &[
    ("copy (select 1) to 'OUT'", ONLY_READS),
    ("delete from cells", "derived from the evidence"),
    ("delete from store.cell", "derived from the evidence"),
    ("attach 'OUT'", ONLY_READS),
    ("select * from read_text('/etc/hostname')", NO_FILES),
    ("copy store.cell to 'OUT' (format parquet)", ONLY_READS),
    ("copy store.cell from '/etc/passwd'", ONLY_READS),
    ("copy (select 1) to '/dev/stdout'", ONLY_READS),
    ("copy from database warehouse to memory", ONLY_READS),
    ("export database 'OUT'", ONLY_READS),
    ("import database 'OUT'", ONLY_READS),
    ("attach ':memory:' as aside", ONLY_READS),
    ("attach 'https://127.0.0.1:9/x.db'", ONLY_READS),
    ("detach warehouse", ONLY_READS),
    ("install httpfs", "no extensions"),
    ("force install httpfs", ONLY_READS),
    ("load httpfs", "no extensions"),
    ("update extensions", "no extensions"),
    ("pragma database_list", "settings"),
    ("pragma threads = 8", "settings"),
    ("pragma enable_profiling = 'json'", "settings"),
    ("pragma profiling_output = 'OUT'", "settings"),
    ("set enable_external_access = true", "settings"),
    ("set memory_limit = '8GB'", "settings"),
    ("set variable x = 1", "settings"),
    ("reset memory_limit", "settings"),
    ("select * from read_csv('/etc/passwd')", NO_FILES),
    ("select * from read_csv('http://127.0.0.1:9/x.csv')", NO_FILES),
    ("select * from read_json('/etc/passwd')", NO_FILES),
    ("select * from read_parquet('http://127.0.0.1:9/x.parquet')", NO_FILES),
    ("select * from read_blob('/etc/passwd')", NO_FILES),
    ("select * from read_text('/proc/self/environ')", NO_FILES),
    ("select * from read_duckdb('OUT')", NO_FILES),
    ("select * from sniff_csv('/etc/passwd')", NO_FILES),
    ("select * from parquet_metadata('OUT')", NO_FILES),
    ("select * from glob('/etc/*')", NO_FILES),
    ("select * from 'OUT.csv'", NO_FILES),
    ("select * from 'https://127.0.0.1:9/x.parquet'", NO_FILES),
    ("select * from duckdb_secrets()", NO_FILES),
    ("select getenv('HOME')", "getenv"),
    ("create secret (type s3)", ONLY_READS),
    ("create table t as select 1", ONLY_READS),
    ("create temp table t as select 1", ONLY_READS),
    ("create or replace view cells as select 1", ONLY_READS),
    ("create macro m(x) as x", ONLY_READS),
    ("drop view cells", ONLY_READS),
    ("alter table store.cell add column x integer", ONLY_READS),
    ("insert into store.cell select * from store.cell", ONLY_READS),
    ("update store.cell set status = 'ok'", ONLY_READS),
    ("merge into store.cell using (select 1) as s on false when matched then delete", ONLY_READS),
    ("truncate store.cell", ONLY_READS),
    ("comment on table store.cell is 'x'", ONLY_READS),
    ("checkpoint", ONLY_READS),
    ("vacuum", ONLY_READS),
    ("use memory", ONLY_READS),
    ("begin transaction", ONLY_READS),
    ("prepare p as delete from store.cell", ONLY_READS),
    ("select 1; delete from store.cell", ONLY_READS),
    ("/* a comment first */ delete from store.cell", ONLY_READS),
    ("explain analyze delete from store.cell", ONLY_READS),
    ("call enable_logging('QueryLog', storage = 'file', storage_path = 'OUT')", ONLY_READS),
    ("from Enable_Logging('QueryLog', storage = 'file', storage_path = 'OUT')", "enable_logging"),
    ("select * from query('from enable_logging()')", "query"),
    ("select * from json_execute_serialized_sql(json_serialize_sql('select 1'))", "json_execute_serialized_sql"),
    ("select write_log('x')", "write_log"),
    ("select * from checkpoint('warehouse')", "checkpoint"),
];

#[test]
fn every_statement_that_does_more_than_read_is_refused_with_its_reason() {
    let project = project();
    let catalogue = Catalogue::embedded(None).unwrap();
    let database = project.path("compare/results/warehouse.duckdb");
    let open = AdHoc::open(&database, &[project.path("compare/results/run.jsonl")], &catalogue).unwrap();
    let before = std::fs::read(&database).unwrap();
    let out = project.path("stolen");
    for (statement, expected) in REFUSED {
        let statement = statement.replace("OUT", &out.display().to_string());
        match open.answer(&statement, Limits::default(), Room::ENDLESS) {
            Err(Error::AdHoc { reason, .. }) => {
                assert!(reason.contains(expected), "{statement}: {reason}");
            }
            Err(other) => panic!("{statement}: {other}"),
            Ok(table) => panic!("{statement} was answered: {table:?}"),
        }
        // The connection is as good as before.
        let count = open.answer("select count(*) as n from cells", Limits::default(), Room::ENDLESS).unwrap();
        assert_eq!(count.rows[0].value("n").unwrap(), &Value::Integer(2), "after {statement}");
    }
    assert!(!out.exists());
    assert_eq!(std::fs::read(&database).unwrap(), before, "not a byte of the warehouse has changed");
}

#[test]
fn a_recursion_without_end_is_stopped_in_time_or_by_its_memory() {
    let project = project();
    let catalogue = Catalogue::embedded(None).unwrap();
    let database = project.path("compare/results/warehouse.duckdb");
    let open = AdHoc::open(&database, &[project.path("compare/results/run.jsonl")], &catalogue).unwrap();
    let endless = "with recursive n as (select 1 as i union all select i + 1 from n) select count(*) from n";
    let limits = Limits { timeout_s: Some(1), ..Limits::default() };
    let message = open.answer(endless, limits, Room::ENDLESS).unwrap_err().to_string();
    assert!(message.contains("longer than 1 s") || message.contains("memory"), "{message}");
    let wide =
        "select list(left_side.range || right_side.range) from range(100000) as left_side, range(100000) as right_side";
    let message =
        open.answer(wide, Limits { timeout_s: Some(60), ..Limits::default() }, Room::ENDLESS).unwrap_err().to_string();
    assert!(message.contains("memory") || message.contains("longer than"), "{message}");
    let deep = format!("select {}1", "1 + ".repeat(5000));
    assert!(open.answer(&deep, Limits::default(), Room::ENDLESS).unwrap_err().to_string().contains("depth"));
    assert_eq!(open.answer("select 1 as n", Limits::default(), Room::ENDLESS).unwrap().rows.len(), 1);
}

#[test]
fn statements_that_only_read_are_answered_in_all_their_forms() {
    let project = project();
    let catalogue = Catalogue::embedded(None).unwrap();
    let database = project.path("compare/results/warehouse.duckdb");
    let open = AdHoc::open(&database, &[project.path("compare/results/run.jsonl")], &catalogue).unwrap();
    for statement in [
        "from cells",
        "values (1)",
        "with x as (select 1) from x",
        "describe cells",
        "show tables",
        "summarize cells",
        "explain select 1",
        "-- first\nexplain analyze select count(*) from cells",
        "pivot cells on status in ('ok', 'error') using count(*)",
        "select 'delete from enable_logging()' as words",
        "select $$a;b$$",
        "(select 1) union all (select 2)",
    ] {
        if let Err(error) = open.answer(statement, Limits::default(), Room::ENDLESS) {
            panic!("{statement}: {error}");
        }
    }
}

#[test]
fn the_flag_that_lifts_the_limits_says_so_and_lifts_them() {
    let project = project();
    let out = project.path("mine.csv");
    let statement = format!("copy (select count(*) as n from cells) to '{}'", out.display());
    project.ragsql(&["sql", &statement]).ends_with(2).complains("no other files");
    project.ragsql(&["sql", "--unsafe", &statement]).ends_with(0).complains("--unsafe: statements may change");
    assert_eq!(std::fs::read_to_string(out).unwrap(), "n\n2\n");
    project.ragsql(&["sql", "--unsafe", "create table aside as select 1 as n; from aside"]).ends_with(0);
}

#[test]
fn the_statement_is_shown_with_the_place_and_the_nearest_name() {
    let project = project();
    let told = project.ragsql(&["sql", "select 1\nfrom cells where statu = 'ok'"]).ends_with(2);
    for text in ["(line 2, column 18)", "  2 | from cells where statu = 'ok'", "    |                  ^", "`status`"] {
        assert!(told.err.contains(text), "`{text}` is not in:\n{}", told.err);
    }
}
