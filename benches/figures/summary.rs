//! The summary of the big run out of an up-to-date warehouse, and how fast a warehouse is made.

use crate::project::Project;
use crate::report::{Report, median};
use ragsql::report::summary::{Scope, Summary};
use ragsql::warehouse::{Keep, Tail, Warehouse, file_key};
use std::time::Instant;

const ROUNDS_N: usize = 5;
const MOST_S: f64 = 1.0;

/// Makes the summary as `ragsql run` does, opening included, and a second warehouse from nothing.
pub fn measure(report: &mut Report, project: &Project) {
    report.section("summary and warehouse");
    let scope = Scope { source_file: Some(file_key(&project.evidence())), judgments_file: None };
    let mut open_s = Vec::new();
    let mut whole_s = Vec::new();
    let mut written_n = 0;
    for _ in 0..ROUNDS_N {
        let start = Instant::now();
        let database = project.results("warehouse.duckdb");
        let warehouse = Warehouse::open_read_only(&database, &project.catalogue).expect("a current warehouse");
        open_s.push(start.elapsed().as_secs_f64());
        let summary = Summary::read(&warehouse, &scope).expect("rows");
        written_n = summary.evaluation_json().expect("a text").len() + summary.csv().len();
        whole_s.push(start.elapsed().as_secs_f64());
    }
    report.line("limit: opening the warehouse", format!("{:.3} s", median(open_s)));
    report.line("bytes of JSON and CSV", written_n.to_string());
    report.at_most("seconds for the summary, opening included", median(whole_s), MOST_S);

    let start = Instant::now();
    let database = project.path().join("second.duckdb");
    let warehouse = Warehouse::open(&database, &project.catalogue).expect("a new warehouse");
    let ingested = warehouse.ingest_evidence(&project.evidence(), Tail::Wait, Keep::Everything).expect("whole rows");
    let elapsed_s = start.elapsed().as_secs_f64();
    assert_eq!(ingested.rows_n as usize, project.cells.len(), "every row is taken in");
    report.line("evidence into a new warehouse", format!("{elapsed_s:.1} s"));
    report.line("rows per second into a new warehouse", format!("{:.0}", project.cells.len() as f64 / elapsed_s));
}
