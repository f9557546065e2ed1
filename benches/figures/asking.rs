//! The first answer of `ragsql sql` over the big run, start-up included; and `ragsql export` beside DuckDB's own `COPY` of
//! the same query in the same run.

use crate::machine::peak_memory_bytes;
use crate::project::Project;
use crate::report::{Report, median};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ASKED_N: usize = 7;
const ROUNDS_N: usize = 3;
const FIRST_MOST_MS: f64 = 200.0;
const LEAST_RATIO: f64 = 0.6;
const MOST_MB: f64 = 500.0;
/// What the engine may take for its own copy; without limits of ours it needs more than an export has.
const COPY_MEMORY: &str = "set memory_limit = '4GB'; set threads = 2;";
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Asks, exports, and has the engine copy.
pub fn measure(report: &mut Report, project: &Project) {
    report.section("ragsql sql and ragsql export");
    let first = (0..ASKED_N).map(|_| run(project, &["sql", include_str!("asking.sql")]).0 * 1e3).collect();
    report.at_most("milliseconds to the first answer, start-up included", median(first), FIRST_MOST_MS);
    let [mut ours, mut theirs, mut peaks] = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS_N {
        theirs.push(copy(project));
        let (elapsed_s, peak) = run(project, &["export", "cells", "--output", "export"]);
        ours.push(elapsed_s);
        peaks.extend(peak.map(|bytes| bytes as f64 / 1e6));
    }
    let (ours, theirs) = (median(ours), median(theirs));
    report.line("limit: COPY of DuckDB to Parquet with zstd", format!("{theirs:.2} s"));
    report.line("ragsql export, the whole command", format!("{ours:.2} s"));
    report.at_least("speed of the export over COPY", theirs / ours, LEAST_RATIO);
    match peaks.is_empty() {
        true => report.line("peak memory", "not told by this system"),
        false => report.at_most("peak memory of the export in MB", peaks.into_iter().fold(0.0, f64::max), MOST_MB),
    }
}

fn run(project: &Project, arguments: &[&str]) -> (f64, Option<u64>) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ragsql"))
        .args(arguments)
        .arg("--project")
        .arg(project.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("ragsql starts");
    let mut peak = None;
    let status = loop {
        peak = peak.max(peak_memory_bytes(child.id()));
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        std::thread::sleep(LOOK_EVERY);
    };
    assert!(status.success(), "ragsql {arguments:?} ended with {status}");
    (start.elapsed().as_secs_f64(), peak)
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
