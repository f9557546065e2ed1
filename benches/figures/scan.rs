//! Resume scan of the big file: index, then comparison of every row, against DuckDB's own reader of the same file.

use crate::project::Project;
use crate::report::{Report, median};
use ragsql::evidence::resume::{self, ExpectedCell};
use ragsql::evidence::row::Reproducibility;
use ragsql::evidence::store::Store;
use ragsql::json;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::time::Instant;

const ROUNDS_N: usize = 5;
const MOST_RATIO: f64 = 1.5;

/// Reads the file with both in turn.
pub fn measure(report: &mut Report, project: &Project) {
    report.section("resume scan of the whole evidence file");
    let path = project.evidence();
    let expected = project.expected(reproducibility(&path));
    let connection = duckdb::Connection::open_in_memory().expect("a database");
    let [mut plain, mut theirs, mut opening, mut ours] = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS_N {
        plain.push(timed(|| read_through(&path)));
        theirs.push(timed(|| read_json(&connection, &path, expected.len())));
        opening.push(timed(|| drop(Store::open(&path).expect("whole rows"))));
        ours.push(timed(|| resume_scan(&path, &expected)));
    }
    let (theirs, ours) = (median(theirs), median(ours));
    report.line("limit: reading the bytes", format!("{:.3} s", median(plain)));
    report.line("limit: read_json of DuckDB", format!("{theirs:.3} s"));
    report.line("opening alone", format!("{:.3} s", median(opening)));
    report.line("open and compare every row", format!("{ours:.3} s"));
    report.at_most("resume scan over read_json", ours / theirs, MOST_RATIO);
}

fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn resume_scan(path: &Path, expected: &[ExpectedCell]) {
    let store = Store::open(path).expect("whole rows");
    let stored = resume::check(&store, expected).expect("rows of this configuration");
    assert!(stored.iter().all(Option::is_some), "every cell is stored");
}

fn read_json(connection: &duckdb::Connection, path: &Path, rows_n: usize) {
    let text = path.to_str().expect("a UTF-8 path");
    let found: i64 =
        connection.query_row(include_str!("read_json.sql"), [text], |row| row.get(0)).expect("DuckDB reads the file");
    assert_eq!(found, rows_n as i64, "DuckDB finds every row");
}

fn read_through(path: &Path) {
    let mut file = File::open(path).expect("evidence");
    let mut block = vec![0; 1 << 20];
    while file.read(&mut block).expect("bytes") > 0 {}
}

/// What the rows were made from, as the first one says.
fn reproducibility(path: &Path) -> Reproducibility {
    let mut line = String::new();
    BufReader::new(File::open(path).expect("evidence")).read_line(&mut line).expect("a row");
    let row = json::parse_strict(line.trim_end()).expect("a row");
    let stored = &row["reproducibility"];
    let map = |key: &str| -> Map<String, Value> { stored[key].as_object().cloned().expect("a map") };
    Reproducibility {
        seed: stored["seed"].as_str().expect("a text").to_owned(),
        config_hashes: map("config_hashes"),
        ingestion: map("ingestion"),
        runtime: map("runtime"),
    }
}
