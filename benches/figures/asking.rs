//! The first answer of `ragsql sql` over the big run, start-up included; and `ragsql export` beside DuckDB's own `COPY` of
//! the same query in the same run.

use crate::machine::{ragsql, timed, watched};
use crate::project::Project;
use crate::report::{Report, median};
use std::time::Instant;

const ASKED_N: usize = 7;
const ROUNDS_N: usize = 3;
const FIRST_MOST_MS: f64 = 200.0;
const LEAST_RATIO: f64 = 0.6;
const MOST_BYTES: f64 = 500e6;
/// What the engine may take for its own copy; without limits of ours it needs more than an export has.
const COPY_MEMORY: &str = "set memory_limit = '4GB'; set threads = 2;";

/// Asks, exports, and has the engine copy.
pub fn measure(report: &mut Report, project: &Project) {
    report.section("ragsql sql and ragsql export");
    let ask = || timed(ragsql(project.path(), &["sql", include_str!("asking.sql")])).as_secs_f64() * 1e3;
    let first = (0..ASKED_N).map(|_| ask()).collect();
    report.at_most("milliseconds to the first answer, start-up included", median(first), FIRST_MOST_MS);
    let [mut ours, mut theirs] = [const { Vec::new() }; 2];
    let mut peak = None;
    for _ in 0..ROUNDS_N {
        theirs.push(copy(project));
        let (elapsed, peak_bytes) = watched(ragsql(project.path(), &["export", "cells", "--output", "export"]));
        ours.push(elapsed.as_secs_f64());
        peak = peak.max(peak_bytes);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    report.line("limit: COPY of DuckDB to Parquet with zstd", format!("{theirs:.2} s"));
    report.line("ragsql export, the whole command", format!("{ours:.2} s"));
    report.at_least("speed of the export over COPY", theirs / ours, LEAST_RATIO);
    report.peak("the export", peak, MOST_BYTES);
}

/// The query of the export with every parameter null, copied by the engine itself.
fn copy(project: &Project) -> f64 {
    let query = project.catalogue.query("exports/cells").expect("the query is there");
    let mut text = query.text.clone();
    for parameter in query.header().expect("a header").parameters {
        text = text.replace(&format!("${}", parameter.name), "null");
    }
    let target = project.path().join("copied.parquet");
    let database = project.results("warehouse.duckdb");
    let config = duckdb::Config::default().access_mode(duckdb::AccessMode::ReadOnly).expect("a mode");
    let start = Instant::now();
    let connection = duckdb::Connection::open_with_flags(database, config).expect("the warehouse");
    connection.execute_batch(COPY_MEMORY).expect("settings");
    connection
        .execute_batch(&format!("copy ({text}) to '{}' (format parquet, compression zstd)", target.display()))
        .expect("a copy");
    start.elapsed().as_secs_f64()
}
