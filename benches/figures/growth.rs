//! Time of one cell in the store at the end of a long file, against the same behind a thousand rows.

use crate::machine::processor_s;
use crate::project::Project;
use crate::report::{Report, median};
use futures_util::future::join_all;
use ragsql::evidence::claim::ClaimOutcome;
use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::row::row_id;
use ragsql::evidence::store::Store;
use ragsql::json;
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

const SHORT_ROWS_N: usize = 1_000;
/// Cells that are claimed and appended together, as with concurrency 16.
const BATCH_N: usize = 16;
const BATCHES_N: usize = 1_000;
const MOST_RATIO: f64 = 1.10;

/// Appends to both files in turn, so that whatever else the machine does meets both alike.
pub fn measure(report: &mut Report, project: &Project) {
    report.section("store, claim and append of one cell, sixteen at a time");
    let (short, long) = (project.path().join("short.jsonl"), project.path().join("long.jsonl"));
    let template = copy_rows(&project.evidence(), &short, SHORT_ROWS_N);
    copy_rows(&project.evidence(), &long, usize::MAX);
    let stores = [Store::open(&short).expect("rows"), Store::open(&long).expect("rows")];
    let long_rows_n = stores[1].len();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let mut times = [Vec::new(), Vec::new()];
    let mut processor = [0.0; 2];
    for batch in 0..BATCHES_N {
        let rows = new_rows(&template, batch);
        // Whoever goes first in a round changes, too.
        for place in if batch % 2 == 0 { [0, 1] } else { [1, 0] } {
            let (start, start_s) = (Instant::now(), processor_s());
            runtime.block_on(store_all(&stores[place], &rows));
            times[place].push(start.elapsed().as_secs_f64() / BATCH_N as f64);
            processor[place] += (processor_s() - start_s) / (BATCHES_N * BATCH_N) as f64;
        }
    }
    drop(stores);
    let raw = raw_appends([&short, &long], template.to_string().len() * BATCH_N);
    let [short_s, long_s] = times.map(median);
    let figure = format!("{:.1} and {:.1} us", raw[0] * 1e6, raw[1] * 1e6);
    report.line("limit: share of a plain write and sync of 16 rows", figure);
    report.line("limit: the same, end over beginning", format!("{:.2}", raw[1] / raw[0]));
    for (rows_n, time_s, processor_s) in [(SHORT_ROWS_N, short_s, processor[0]), (long_rows_n, long_s, processor[1])] {
        let figure = format!("{:.1} us/cell, {:.1} us processor", time_s * 1e6, processor_s * 1e6);
        report.line(&format!("from row {}", rows_n + 1), figure);
    }
    report.at_most("time at the end over time at the beginning", long_s / short_s, MOST_RATIO);
    report.line("processor time, the same", format!("{:.2}", processor[1] / processor[0]));
    for path in [short, long] {
        fs::remove_file(path).expect("it can be removed");
    }
}

/// Seconds per row of plain synced appends to both files in turn: what the file system makes of their length.
fn raw_appends(paths: [&Path; 2], bytes_n: usize) -> [f64; 2] {
    let mut files = paths.map(|path| OpenOptions::new().append(true).open(path).expect("the file"));
    let bytes = vec![b'x'; bytes_n];
    let mut times = [Vec::new(), Vec::new()];
    for batch in 0..BATCHES_N {
        for place in if batch % 2 == 0 { [0, 1] } else { [1, 0] } {
            let start = Instant::now();
            files[place].write_all(&bytes).and_then(|()| files[place].sync_data()).expect("an append");
            times[place].push(start.elapsed().as_secs_f64() / BATCH_N as f64);
        }
    }
    times.map(median)
}

/// Copies the first rows; returns the first as a template.
///
/// Both files are written alike, so that they differ in length and not in how they lie on the disk.
fn copy_rows(from: &Path, to: &Path, rows_n: usize) -> Value {
    let mut out = BufWriter::new(File::create(to).expect("a file"));
    let lines = BufReader::new(File::open(from).expect("evidence")).lines();
    let mut first = None;
    for line in lines.take(rows_n) {
        let line = line.expect("a row");
        writeln!(out, "{line}").expect("a copy");
        first.get_or_insert(line);
    }
    out.into_inner().expect("a copy").sync_all().expect("the copy is on disk");
    json::parse_strict(&first.expect("a row at least")).expect("a row")
}

fn new_rows(template: &Value, batch: usize) -> Vec<EncodedRow> {
    let row = |place: usize| {
        let question = format!("new-{batch}-{place}");
        let mut row = template.clone();
        row["row_id"] = row_id("growth", "bench", &question, "vanilla-rag").into();
        row["run_id"] = "growth".into();
        row["question"]["id"] = question.into();
        EncodedRow::from_line(json::canonical(&row).expect("a line")).expect("a row")
    };
    (0..BATCH_N).map(row).collect()
}

async fn store_all(store: &Store, rows: &[EncodedRow]) {
    join_all(rows.iter().map(async |row| {
        let claim = store.claim(row.row_id()).await.expect("a claim");
        assert!(matches!(claim, ClaimOutcome::Claimed(_)), "the cell is new");
        store.append(row.clone()).await.expect("room on the disk");
    }))
    .await;
}
