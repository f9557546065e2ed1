//! The pool: a fixed number of workers over the missing cells.
//!
//! Holds one byte of state per cell and as many cells in flight as the concurrency allows, whatever the plan's size.
//! A worker has its turn from the claim until the row is complete. While rows wait for the disk, others take turns, so
//! a slow disk costs larger shared commits instead of idle calls; the number of rows that wait is bounded, too.
//! A cell counts as finished when its append returned. Source: `contract/evaluation.md` section 3.4.

use super::cell::{CellRunner, RunConfig, limiters};
use super::event::{CellName, Event};
use super::sink::{Claimed, RowSink, SinkError};
use super::spending::Overspent;
use crate::evidence;
use crate::evidence::encoded::EncodedRow;
use crate::evidence::row::{Status, row_id};
use crate::experiment::plan::Cell;
use crate::wire::call::{EndpointError, HttpClient};
use crate::wire::retry::Jitter;
use futures_util::future::join_all;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

/// Workers per turn: one in eight calls, the others may wait for the disk.
///
/// Half of the waiting rows are in the commit that is under way, half gather for the next. So a disk that needs 5 ms for
/// a commit keeps up with 10,000 cells per second at concurrency 16.
const WORKERS_PER_TURN: usize = 8;

/// What became of one cell in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellState {
    /// Stored with status `ok`.
    Ok,
    /// Stored with status `error`.
    Error,
    /// Stored with status `timeout`.
    Timeout,
    /// Stored by another process meanwhile.
    Reused,
    /// Started, then given up without a row; it stays open.
    Abandoned,
    /// Not started.
    Open,
}

/// How many cells ended how. A repeated alias counts as often as it was planned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cells stored with status `ok`.
    pub ok: usize,
    /// Cells stored with status `error`.
    pub error: usize,
    /// Cells stored with status `timeout`.
    pub timeout: usize,
    /// Cells stored by another process.
    pub reused: usize,
    /// Cells started without a row.
    pub abandoned: usize,
    /// Cells not started.
    pub open: usize,
}

/// Why a run could not go on. What was stored before stays stored.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The HTTP client could not be made.
    #[error(transparent)]
    Client(#[from] EndpointError),
    /// A claim or an append failed.
    #[error("cell `{row_id}` cannot be stored: {source}")]
    Sink {
        /// The cell's row.
        row_id: String,
        /// What the store said.
        source: SinkError,
    },
    /// The budget is spent, or nobody can say how much of it is.
    #[error(transparent)]
    Budget(#[from] Overspent),
    /// A row has no canonical text.
    #[error(transparent)]
    Encode(#[from] evidence::Error),
}

/// How a run ended. Rows are in the store, not here.
#[derive(Debug)]
pub struct RunOutcome {
    /// One state per given cell, in the given order.
    pub states: Vec<CellState>,
    /// The states, counted.
    pub counts: Counts,
    /// The first failure of the machinery; cells that failed are not one.
    pub failure: Option<RunError>,
    /// Whether the run was cancelled.
    pub cancelled: bool,
}

impl RunOutcome {
    /// The outcome of a run of `cells_n` cells that was cancelled before it could start.
    pub fn interrupted_before(cells_n: usize) -> Self {
        finish(vec![CellState::Open; cells_n], None, true)
    }
}

/// Runs the missing cells of a plan.
///
/// Cells start in order. The same row id twice makes one call and gives both cells its state. When `cancel` fires, no
/// cell starts, calls in flight are abandoned at once and rows that are being written are finished. When the store
/// fails, no cell starts, and cells in flight still finish.
pub async fn run<S: RowSink>(
    config: &RunConfig,
    cells: &[Cell],
    sink: &S,
    events: &(dyn Fn(Event) + Send + Sync),
    cancel: &CancellationToken,
) -> RunOutcome {
    let client = match HttpClient::new(config.timeout_s) {
        Ok(client) => client,
        Err(error) => return finish(vec![CellState::Open; cells.len()], Some(error.into()), false),
    };
    let concurrency = config.concurrency.max(1);
    let pool = Pool {
        runner: CellRunner {
            config,
            client,
            limiters: limiters(config),
            jitter: Jitter::new(config.jitter_seed.rotate_left(32)),
            events,
        },
        cells,
        first_of: first_of(cells),
        sink,
        cancel,
        turns: Semaphore::new(concurrency),
        next: AtomicUsize::new(0),
        broken: AtomicBool::new(false),
        failure: Mutex::new(None),
        states: Mutex::new(vec![CellState::Open; cells.len()]),
    };
    let workers_n = concurrency.saturating_mul(WORKERS_PER_TURN).min(cells.len());
    join_all((0..workers_n).map(|_| pool.work())).await;
    let mut states = pool.states.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (index, first) in pool.first_of {
        states[index] = states[first];
    }
    let failure = pool.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    finish(states, failure, cancel.is_cancelled())
}

struct Pool<'a, S> {
    runner: CellRunner<'a>,
    cells: &'a [Cell],
    /// Repeated cells, by index, with the index of their first occurrence.
    first_of: HashMap<usize, usize>,
    sink: &'a S,
    cancel: &'a CancellationToken,
    turns: Semaphore,
    next: AtomicUsize,
    broken: AtomicBool,
    failure: Mutex<Option<RunError>>,
    states: Mutex<Vec<CellState>>,
}

impl<S: RowSink> Pool<'_, S> {
    async fn work(&self) {
        // Nobody closes the semaphore.
        while let Ok(turn) = self.turns.acquire().await {
            if self.cancel.is_cancelled() || self.broken.load(Ordering::Relaxed) {
                return;
            }
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(cell) = self.cells.get(index) else { return };
            if self.first_of.contains_key(&index) {
                continue;
            }
            let name = Arc::new(name(&self.runner.config.run_id, cell));
            let state = self.one(cell, &name, turn).await.unwrap_or_else(|error| {
                self.start_no_more(error);
                CellState::Abandoned
            });
            match state {
                CellState::Reused => (self.runner.events)(Event::CellReused { cell: name }),
                CellState::Abandoned => (self.runner.events)(Event::CellAbandoned { cell: name }),
                _ => {}
            }
            self.states.lock().unwrap_or_else(PoisonError::into_inner)[index] = state;
        }
    }

    /// No cell starts any more; the first reason is kept.
    fn start_no_more(&self, error: RunError) {
        self.broken.store(true, Ordering::Relaxed);
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    async fn one(&self, cell: &Cell, name: &Arc<CellName>, turn: SemaphorePermit<'_>) -> Result<CellState, RunError> {
        let refuse = |source| RunError::Sink { row_id: name.row_id.clone(), source };
        let claim = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return Ok(CellState::Abandoned),
            claimed = self.sink.claim(&name.row_id) => match claimed.map_err(refuse)? {
                Claimed::Ours(claim) => claim,
                Claimed::AlreadyStored => return Ok(CellState::Reused),
            },
        };
        (self.runner.events)(Event::CellStarted { cell: Arc::clone(name) });
        let row = tokio::select! {
            // A row that is complete is stored, even when the run is being stopped.
            biased;
            row = self.runner.run(cell, name) => row,
            () = self.cancel.cancelled() => return Ok(CellState::Abandoned),
        };
        let encoded = EncodedRow::new(&row)?;
        // Before anybody else gets the turn, so that a spent budget starts nothing more.
        if let Some(Err(overspent)) = self.runner.config.spending.as_ref().map(|spending| spending.count(&row)) {
            self.start_no_more(overspent.into());
        }
        drop(turn);
        self.sink.append(encoded).await.map_err(refuse)?;
        drop(claim);
        (self.runner.events)(Event::CellFinished {
            cell: Arc::clone(name),
            status: row.status,
            latency_ms: row.metrics.operational.latency_ms,
            attempts: row.metrics.operational.attempts,
        });
        Ok(match row.status {
            Status::Ok => CellState::Ok,
            Status::Error => CellState::Error,
            Status::Timeout => CellState::Timeout,
        })
    }
}

fn name(run_id: &str, cell: &Cell) -> CellName {
    CellName {
        row_id: row_id(run_id, &cell.dataset.id, &cell.question.id, &cell.profile.alias),
        dataset: cell.dataset.id.clone(),
        model: cell.profile.alias.clone(),
        question: cell.question.id.clone(),
    }
}

/// Finds repeated cells. Texts are borrowed, so a million cells cost no copies.
fn first_of(cells: &[Cell]) -> HashMap<usize, usize> {
    let mut seen = HashMap::with_capacity(cells.len());
    let mut repeats = HashMap::new();
    for (index, cell) in cells.iter().enumerate() {
        let key = (cell.dataset.id.as_str(), cell.question.id.as_str(), cell.profile.alias.as_str());
        let first = *seen.entry(key).or_insert(index);
        if first != index {
            repeats.insert(index, first);
        }
    }
    repeats
}

fn finish(states: Vec<CellState>, failure: Option<RunError>, cancelled: bool) -> RunOutcome {
    let mut counts = Counts::default();
    for state in &states {
        *match state {
            CellState::Ok => &mut counts.ok,
            CellState::Error => &mut counts.error,
            CellState::Timeout => &mut counts.timeout,
            CellState::Reused => &mut counts.reused,
            CellState::Abandoned => &mut counts.abandoned,
            CellState::Open => &mut counts.open,
        } += 1;
    }
    RunOutcome { states, counts, failure, cancelled }
}
