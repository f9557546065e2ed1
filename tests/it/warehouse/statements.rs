//! Every statement against its cases under `tests/sql`.
//!
//! A case is a folder `tests/sql/<path of the statement>/<case>/`. It starts from the tables of a world under
//! `tests/sql/worlds` (named in the file `world`; without it, the world called like the case), replaces those in `given/`,
//! runs the statement with `params.json` and compares the rows with `expect.jsonl` (`RAGSQL_BLESS=1` rewrites it). Then it
//! runs again with the given rows in other orders. Statements under `sql/staging` are views; all their rows are compared.

use crate::golden;
use arrow::datatypes::DataType;
use ragsql::json::{compact, parse_strict};
use ragsql::warehouse::catalogue::{Catalogue, Query};
use ragsql::warehouse::{Parameter, Table, Value as Cell, Warehouse};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 6] = ["staging", "metrics", "rankings", "reports", "checks", "exports"];

fn root() -> PathBuf {
    golden::root().join("tests/sql")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeSet::new() };
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The given tables of a case by name, each as its lines.
fn given(case: &Path) -> BTreeMap<String, Vec<String>> {
    let own_name = case.file_name().unwrap().to_str().unwrap().to_owned();
    let world = std::fs::read_to_string(case.join("world")).map_or(own_name, |text| text.trim().to_owned());
    let mut tables = BTreeMap::new();
    for folder in [root().join("worlds").join(world), case.join("given")] {
        for name in names(&folder) {
            let text = std::fs::read_to_string(folder.join(&name)).unwrap();
            let lines = text.lines().map(str::to_owned).collect();
            tables.insert(name.strip_suffix(".jsonl").unwrap().to_owned(), lines);
        }
    }
    assert!(!tables.is_empty(), "{} names no world", case.display());
    tables
}

/// Puts the given rows in the place of a table or view of the same name and column types.
fn load(warehouse: &Warehouse, table: &str, lines: &[String]) {
    let connection = warehouse.connection();
    let (schema, name) = table.split_once('.').unwrap_or(("main", table));
    let mut statement = connection
        .prepare("select column_name, data_type from duckdb_columns() where schema_name = ? and table_name = ? order by column_index")
        .unwrap();
    let columns: Vec<(String, String)> = statement
        .query_map([schema, name], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(!columns.is_empty(), "no table or view is called `{table}`");
    let known: BTreeSet<&str> = columns.iter().map(|(column, _)| column.as_str()).collect();
    for line in lines {
        let row = parse_strict(line).unwrap();
        let unknown = row.as_object().unwrap().keys().find(|key| !known.contains(key.as_str()));
        assert!(unknown.is_none(), "`{table}` has no column {unknown:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.jsonl");
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let types: Vec<String> = columns.iter().map(|(column, kind)| format!("'{column}': '{kind}'")).collect();
    let kind = if ["store", "site", "ladder"].contains(&schema) { "table" } else { "view" };
    let limit = if lines.is_empty() { 0 } else { usize::MAX >> 1 };
    connection
        .execute_batch(&format!(
            "drop {kind} {table}; create table {table} as select * from read_json('{}', columns = {{{}}}, \
             format = 'newline_delimited') limit {limit}",
            file.display(),
            types.join(", ")
        ))
        .unwrap();
}

fn parameters(case: &Path) -> Vec<(String, Parameter)> {
    let text = std::fs::read_to_string(case.join("params.json")).unwrap_or_else(|_| "{}".to_owned());
    let values = parse_strict(&text).unwrap();
    let value = |value: &Value| match value {
        Value::Null => Parameter::Null,
        Value::String(text) => Parameter::Text(text.clone()),
        Value::Number(number) => Parameter::Integer(number.as_i64().unwrap()),
        other => panic!("{other} cannot be bound"),
    };
    values.as_object().unwrap().iter().map(|(name, given)| (name.clone(), value(given))).collect()
}

fn run(warehouse: &Warehouse, query: &Query, parameters: &[(String, Parameter)]) -> Vec<String> {
    if let Some(view) = query.name.strip_prefix("staging/") {
        let qualified = if query.text.contains(&format!("view staging.{view} ")) { "staging." } else { "" };
        let text = format!("select * from {qualified}{view} order by all");
        let view = Query { text, ..query.clone() };
        return lines(&warehouse.run(&view, &[]).unwrap());
    }
    let values: Vec<(&str, Parameter)> =
        parameters.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let table = warehouse.run(query, &values).unwrap();
    let header = query.header().unwrap();
    let promised: Vec<&str> = header.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(*table.columns, promised, "{} promises other columns", query.file);
    lines(&table)
}

fn lines(table: &Table) -> Vec<String> {
    let cell = |cell: &Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Bool(flag) => (*flag).into(),
        Cell::Integer(number) => (*number).into(),
        Cell::Float(number) => (*number).into(),
        Cell::Text(text) => text.as_str().into(),
    };
    let row = |values: &[Cell]| -> Map<String, Value> {
        table.columns.iter().cloned().zip(values.iter().map(cell)).collect()
    };
    table.rows.iter().map(|found| compact(&row(&found.values).into()).unwrap()).collect()
}

/// The same rows in another order; which one depends on the turn only.
fn reordered(tables: &BTreeMap<String, Vec<String>>, turn: usize) -> BTreeMap<String, Vec<String>> {
    let mut tables = tables.clone();
    for lines in tables.values_mut() {
        match turn {
            0 => {}
            1 => lines.reverse(),
            _ => lines.sort_by_key(|line| line.bytes().map(u64::from).fold(7, |hash, byte| hash * 31 % 65_521 + byte)),
        }
    }
    tables
}

fn check_case(shared: &Warehouse, query: &Query, case: &Path) {
    let tables = given(case);
    let parameters = parameters(case);
    for turn in 0..3 {
        // A case that replaces a view leaves a table in its place, so it gets a warehouse of its own.
        let replaces_a_view =
            |table: &String| !["store.", "site.", "ladder."].iter().any(|schema| table.starts_with(schema));
        let own = tables.keys().any(replaces_a_view);
        let own = own.then(|| Warehouse::in_memory(shared.catalogue()).unwrap());
        let warehouse = own.as_ref().unwrap_or(shared);
        for (table, lines) in reordered(&tables, turn) {
            load(warehouse, &table, &lines);
        }
        let found: String = run(warehouse, query, &parameters).into_iter().map(|line| line + "\n").collect();
        if turn == 0 {
            golden::check(case.strip_prefix(golden::root()).unwrap().join("expect.jsonl"), &found);
        } else {
            let expected = std::fs::read_to_string(case.join("expect.jsonl")).unwrap();
            assert_eq!(found, expected, "{}: rows in another order change the result", case.display());
        }
    }
}

fn check_folder(folder: &str) {
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    for query in catalogue.iter().filter(|query| query.name.starts_with(&format!("{folder}/"))) {
        let cases = root().join(query.file.strip_suffix(".sql").unwrap());
        let found = names(&cases);
        let mut needed = vec!["usual", "empty", "missing_values"];
        needed.extend((folder == "rankings").then_some("tie"));
        for name in needed {
            assert!(found.contains(name), "{} has no case `{name}`", query.file);
        }
        for name in found {
            check_case(&warehouse, query, &cases.join(name));
        }
    }
}

#[test]
fn staging_views_give_what_their_cases_expect() {
    check_folder("staging");
}

#[test]
fn metrics_give_what_their_cases_expect() {
    check_folder("metrics");
}

#[test]
fn rankings_give_what_their_cases_expect() {
    check_folder("rankings");
}

#[test]
fn reports_give_what_their_cases_expect() {
    check_folder("reports");
}

#[test]
fn exports_give_what_their_cases_expect() {
    check_folder("exports");
}

#[test]
fn checks_find_what_their_cases_expect() {
    check_folder("checks");
}

#[test]
fn every_case_belongs_to_a_statement() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let files: BTreeSet<String> = catalogue.iter().map(|query| query.file.clone()).collect();
    for folder in FOLDERS {
        for name in names(&root().join(folder)) {
            assert!(files.contains(&format!("{folder}/{name}.sql")), "tests/sql/{folder}/{name} has no statement");
        }
    }
}

#[test]
fn columns_have_the_types_that_headers_promise() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    for query in catalogue.iter().filter(|query| !query.header().unwrap().columns.is_empty()) {
        if query.name.starts_with("retrieval/") {
            continue;
        }
        let mut statement = warehouse.connection().prepare(&query.text).unwrap();
        for index in 1..=statement.parameter_count() {
            statement.raw_bind_parameter(index, Parameter::Null).unwrap();
        }
        statement.raw_execute().unwrap();
        for (field, column) in statement.schema().fields().iter().zip(query.header().unwrap().columns) {
            let kind = match field.data_type() {
                DataType::Utf8 => "varchar",
                DataType::Int32 => "integer",
                DataType::Int64 => "bigint",
                DataType::Float64 => "double",
                DataType::Boolean => "boolean",
                DataType::List(item) if item.data_type() == &DataType::Utf8 => "varchar[]",
                DataType::List(item) => {
                    let DataType::Struct(parts) = item.data_type() else { panic!("{}: a list of {item}", query.file) };
                    let parts: Vec<String> = parts
                        .iter()
                        .map(|part| match part.data_type() {
                            DataType::Utf8 => format!("{} varchar", part.name()),
                            DataType::Float64 => format!("{} double", part.name()),
                            DataType::Boolean => format!("{} boolean", part.name()),
                            other => panic!("{}: a structure with {other}", query.file),
                        })
                        .collect();
                    assert_eq!(column.kind, format!("struct({})[]", parts.join(", ")), "{}", query.file);
                    continue;
                }
                other => panic!("{}: column `{}` has the type {other}", query.file, field.name()),
            };
            assert_eq!((field.name().as_str(), kind), (column.name.as_str(), column.kind.as_str()), "{}", query.file);
        }
    }
}
