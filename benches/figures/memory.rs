//! Peak memory of the real binary over the big run: calls, scores, evidence, warehouse, matrix, summary, tables.

use crate::gateway::Gateway;
use crate::machine::{ragsql, timed, watched};
use crate::project::{Project, RUN_ID};
use crate::report::{Report, seconds};
use std::fs;
use std::process::Command;

const MOST_BYTES: f64 = 500e6;

/// Runs every cell of the project.
pub fn measure(report: &mut Report, gateway: &Gateway, project: &Project) {
    report.section("ragsql run, the whole command");
    let (elapsed, peak) = watched(run(gateway, project));
    let size = |name: &str| fs::metadata(project.results(name)).map_or(0, |found| found.len()) as f64;
    let (cells_n, evidence) = (project.cells.len() as f64, size("bench.jsonl"));
    report.line("cells, each called and scored", cells_n.to_string());
    report.line("wall time to the last artifact", seconds(elapsed));
    report.line("cells per second, artifacts included", format!("{:.0}", cells_n / elapsed.as_secs_f64()));
    report.line("evidence", format!("{:.0} MB, {:.0} bytes/row", evidence / 1e6, evidence / cells_n));
    report.line("matrix", format!("{:.0} MB", size("bench-matrix.json") / 1e6));
    report.line("warehouse", format!("{:.0} MB", size("warehouse.duckdb") / 1e6));
    report.peak("the run", peak, MOST_BYTES);
    report.line("the same command again, nothing to call", seconds(timed(run(gateway, project))));
}

fn run(gateway: &Gateway, project: &Project) -> Command {
    ragsql(project.path(), &["run", "--run-id", RUN_ID, "--gateway", &gateway.large()])
}
