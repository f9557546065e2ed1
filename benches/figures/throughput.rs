//! Cells per second with every row synced, against the same client without any store.

use crate::gateway::Gateway;
use crate::machine;
use crate::project::{Project, RUN_ID};
use crate::report::{Report, median};
use ragsql::evidence::claim::{Claim, ClaimOutcome};
use ragsql::evidence::encoded::EncodedRow;
use ragsql::evidence::row::Reproducibility;
use ragsql::evidence::store::Store;
use ragsql::experiment::plan::Cell;
use ragsql::runner::{Asking, Claimed, RowSink, RunConfig, SinkError, run};
use ragsql::wire::call::Endpoint;
use ragsql::wire::retry::{Pace, RetryPolicy};
use std::collections::HashMap;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

const CONCURRENCY: usize = 16;
const CELLS_N: usize = 4_000;
const ROUNDS_N: usize = 7;

/// Runs the same cells with and without a store in turn.
pub fn measure(report: &mut Report, gateway: &Gateway, project: &Project) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    for (name, base) in [("small answers", gateway.small()), ("rows of 9 KB", gateway.large())] {
        report.section(&format!("runner, {name}, concurrency {CONCURRENCY}"));
        let cells = &project.cells[..CELLS_N.min(project.cells.len())];
        let (mut without, mut with) = (Vec::new(), Vec::new());
        let (mut bytes_n, mut requests, mut syncs) = (0, Vec::new(), Vec::new());
        for _ in 0..ROUNDS_N {
            requests.push(runtime.block_on(machine::requests_per_s(&base, CELLS_N, CONCURRENCY)));
            without.push(runtime.block_on(rate(&base, cells, &Nowhere)));
            let path = project.path().join("throughput.jsonl");
            let store = Store::open(&path).expect("a fresh evidence file");
            with.push(runtime.block_on(rate(&base, cells, &Stored(&store))));
            drop(store);
            bytes_n = std::fs::metadata(&path).expect("rows").len() as usize / cells.len();
            std::fs::remove_file(&path).expect("it can be removed");
            syncs.push(machine::sync_time(project.path(), bytes_n * CONCURRENCY).as_secs_f64());
        }
        let (without, with) = (median(without), median(with));
        report.line("bytes of a row", bytes_n.to_string());
        report.line("limit: write and sync of 16 rows", format!("{:.3} ms", median(syncs) * 1000.0));
        report.line("limit: bare HTTP client", format!("{:.0} requests/s", median(requests)));
        report.line("client without any store", format!("{without:.0} cells/s"));
        report.line("with the evidence store, synced", format!("{with:.0} cells/s"));
        report.at_least(&format!("share of the speed without a store, {name}"), with / without, 0.5);
    }
}

async fn rate<S: RowSink>(base: &str, cells: &[Cell], sink: &S) -> f64 {
    let config = RunConfig {
        run_id: RUN_ID.to_owned(),
        gateway: Asking {
            endpoint: Endpoint::new(&format!("{base}/v1/chat/completions")).expect("a URL"),
            provider: "openai-compatible".to_owned(),
            refuse_cache: true,
            connection: None,
        },
        approaches: HashMap::new(),
        timeout_s: 60.0,
        concurrency: CONCURRENCY,
        policy: RetryPolicy::new(0),
        pace: Pace::REAL,
        jitter_seed: 1,
        reproducibility: Reproducibility { seed: "bench".to_owned(), ..Reproducibility::default() },
        ragas: Vec::new(),
        scoring: None,
        judge_panel_enabled: false,
    };
    let start = Instant::now();
    let outcome = run(&config, cells, sink, &|_| {}, &CancellationToken::new()).await;
    let elapsed_s = start.elapsed().as_secs_f64();
    assert_eq!(outcome.counts.ok, cells.len(), "every cell is answered: {:?}", outcome.failure);
    cells.len() as f64 / elapsed_s
}

/// A store that keeps nothing.
struct Nowhere;

impl RowSink for Nowhere {
    type Claim = ();

    async fn claim(&self, _row_id: &str) -> Result<Claimed<()>, SinkError> {
        Ok(Claimed::Ours(()))
    }

    async fn append(&self, _row: EncodedRow) -> Result<(), SinkError> {
        Ok(())
    }
}

/// The evidence store, as `ragsql run` uses it.
struct Stored<'a>(&'a Store);

impl RowSink for Stored<'_> {
    type Claim = Claim;

    async fn claim(&self, row_id: &str) -> Result<Claimed<Claim>, SinkError> {
        match self.0.claim(row_id).await.map_err(told)? {
            ClaimOutcome::Claimed(claim) => Ok(Claimed::Ours(claim)),
            ClaimOutcome::AlreadyDone => Ok(Claimed::AlreadyStored),
        }
    }

    async fn append(&self, row: EncodedRow) -> Result<(), SinkError> {
        self.0.append(row).await.map(|_| ()).map_err(told)
    }
}

fn told(error: ragsql::evidence::Error) -> SinkError {
    SinkError { message: error.to_string(), hint: None }
}
