//! The figures of `make bench`, each beside the limit of this machine that was measured in the same run.
//!
//! One run of the real binary over an instant gateway fills an evidence file and a warehouse (100,000 cells unless
//! `--rows` says otherwise); the other figures are taken on them, but for judges and retrieval, which have inputs of their
//! own and can be measured alone. Writes below cargo's folder for temporary files and
//! removes it again. Exit code 1 when a figure misses its requirement.

mod asking;
mod gateway;
mod growth;
mod judges;
mod machine;
mod memory;
mod pages;
mod project;
mod report;
mod retrieval;
mod scan;
mod summary;
mod throughput;

use gateway::Gateway;
use project::Project;
use report::Report;
use std::process::ExitCode;

/// Rows of the big run.
const ROWS_N: usize = 100_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rows_n = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [gateway::SERVE] => return gateway::serve(),
        [] => ROWS_N,
        ["--rows", number] => number.parse().expect("--rows takes a number"),
        ["judges"] => return only_judges(),
        ["retrieval"] => return only_retrieval(retrieval::CHUNKS_N),
        ["retrieval", "--chunks", number] => return only_retrieval(number.parse().expect("--chunks takes a number")),
        _ => panic!("usage: figures [--rows N | judges | retrieval [--chunks N]]"),
    };
    let gateway = Gateway::start();
    let project = Project::create(rows_n);
    let mut report = Report::new(&format!("{rows_n} rows in the big run"));
    throughput::measure(&mut report, &gateway, &project);
    memory::measure(&mut report, &gateway, &project);
    growth::measure(&mut report, &project);
    scan::measure(&mut report, &project);
    summary::measure(&mut report, &project);
    judges::measure(&mut report, &gateway);
    asking::measure(&mut report, &project);
    pages::measure(&mut report, &project);
    retrieval::measure(&mut report, retrieval::CHUNKS_N);
    report.finish()
}

/// Measures nothing but a panel and its audit.
fn only_judges() -> ExitCode {
    let gateway = Gateway::start();
    let mut report = Report::new("judges alone");
    judges::measure(&mut report, &gateway);
    report.finish()
}

/// Measures nothing but the search of the gateway.
fn only_retrieval(chunks_n: usize) -> ExitCode {
    let mut report = Report::new("retrieval alone");
    retrieval::measure(&mut report, chunks_n);
    report.finish()
}
