//! Peak memory of the real binary over the big run: calls, scores, evidence, warehouse, matrix, summary, tables.

use crate::gateway::Gateway;
use crate::machine::peak_memory_bytes;
use crate::project::{Project, RUN_ID};
use crate::report::{Report, seconds};
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MOST_BYTES: f64 = 500e6;
/// The peak is read from the running process, so what happens in its last moments is not seen.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Runs every cell of the project.
pub fn measure(report: &mut Report, gateway: &Gateway, project: &Project) {
    report.section("ragsql run, the whole command");
    let (peak, elapsed) = run(gateway, project);
    let size = |name: &str| fs::metadata(project.results(name)).map_or(0, |found| found.len()) as f64;
    let (cells_n, evidence) = (project.cells.len() as f64, size("bench.jsonl"));
    report.line("cells, each called and scored", cells_n.to_string());
    report.line("wall time to the last artifact", seconds(elapsed));
    report.line("cells per second, artifacts included", format!("{:.0}", cells_n / elapsed.as_secs_f64()));
    report.line("evidence", format!("{:.0} MB, {:.0} bytes/row", evidence / 1e6, evidence / cells_n));
    report.line("matrix", format!("{:.0} MB", size("bench-matrix.json") / 1e6));
    report.line("warehouse", format!("{:.0} MB", size("warehouse.duckdb") / 1e6));
    match peak {
        Some(peak) => report.at_most("peak memory in MB", peak as f64 / 1e6, MOST_BYTES / 1e6),
        None => report.line("peak memory", "not told by this system"),
    }
    let (_, elapsed) = run(gateway, project);
    report.line("the same command again, nothing to call", seconds(elapsed));
}

fn run(gateway: &Gateway, project: &Project) -> (Option<u64>, Duration) {
    let log = project.path().join("run.log");
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ragsql"))
        .args(["run", "--run-id", RUN_ID, "--gateway", &gateway.large(), "--project"])
        .arg(project.path())
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log).expect("a log file"))
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
    let elapsed = start.elapsed();
    if !status.success() {
        let told = fs::read_to_string(&log).unwrap_or_default();
        let last: Vec<&str> = told.lines().rev().take(10).collect();
        panic!("ragsql run ended with {status}:\n{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
    (peak, elapsed)
}
