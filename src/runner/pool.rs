//! The pool: a fixed number of workers over the missing cells.
//!
//! Holds one byte of state per cell and as many cells in flight as the concurrency allows, whatever the plan's size.
//! Every service has a lane of its own: its cells start in order, and as many as the concurrency has places are begun at
//! a time. All lanes share the turns, of which a worker has one from the claim until the row is complete, except while
//! its cell can only wait for the service; so a service that is closed keeps its own lane waiting and no other.
//! While rows wait for the disk, others take places and turns, so a slow disk costs larger shared commits instead of
//! idle calls; the number of rows that wait is bounded, too. A cell counts as finished when its append returned.
//! Source: `contract/evaluation.md` section 3.4.

use super::cell::{CellRunner, RunConfig, limiters};
use super::event::{CellName, Event};
use super::sink::{Claimed, RowSink, SinkError};
use super::spending::Overspent;
use super::turn::Turn;
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

/// Workers per place: one in eight calls, the others may wait for the disk.
///
/// Half of the waiting rows are in the commit that is under way, half gather for the next. So a disk that needs 5 ms for
/// a commit keeps up with 10,000 cells per second at concurrency 16.
const WORKERS_PER_PLACE: usize = 8;

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
/// Cells of a service start in order. The same row id twice makes one call and gives both cells its state. When `cancel` fires, no
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
        broken: AtomicBool::new(false),
        failure: Mutex::new(None),
        states: Mutex::new(vec![CellState::Open; cells.len()]),
    };
    let lanes = lanes(config, cells, concurrency);
    let workers_n = |lane: &Lane| concurrency.saturating_mul(WORKERS_PER_PLACE).min(lane.cells_n);
    let workers = lanes.iter().flat_map(|lane| (0..workers_n(lane)).map(|_| pool.work(lane)));
    join_all(workers).await;
    let mut states = pool.states.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (index, first) in pool.first_of {
        states[index] = states[first];
    }
    let failure = pool.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut outcome = finish(states, failure, cancel.is_cancelled());
    outcome.failure = outcome.failure.and_then(|failure| match (failure, &config.spending) {
        // A budget stands in the way of what is missing, and of nothing else.
        (RunError::Budget(_), _) if outcome.counts.open + outcome.counts.abandoned == 0 => None,
        (RunError::Budget(overspent), Some(spending)) => Some(spending.brought_up_to_date(overspent).into()),
        (failure, _) => Some(failure),
    });
    outcome
}

/// The cells of one service.
struct Lane<'a> {
    /// Its URL.
    service: &'a str,
    cells_n: usize,
    /// One for each cell that is begun and not complete.
    places: Semaphore,
    /// Index of the next cell to look at.
    next: AtomicUsize,
}

/// One lane for each service, in the order in which the plan asks them.
fn lanes<'a>(config: &'a RunConfig, cells: &[Cell], concurrency: usize) -> Vec<Lane<'a>> {
    let mut lanes: Vec<Lane> = Vec::new();
    for cell in cells {
        let service = config.asking(&cell.profile.alias).endpoint.shown();
        match lanes.iter_mut().find(|lane| lane.service == service) {
            Some(lane) => lane.cells_n += 1,
            None => {
                let places = Semaphore::new(concurrency);
                lanes.push(Lane { service, cells_n: 1, places, next: AtomicUsize::new(0) });
            }
        }
    }
    lanes
}

struct Pool<'a, S> {
    runner: CellRunner<'a>,
    cells: &'a [Cell],
    /// Repeated cells, by index, with the index of their first occurrence.
    first_of: HashMap<usize, usize>,
    sink: &'a S,
    cancel: &'a CancellationToken,
    turns: Semaphore,
    broken: AtomicBool,
    failure: Mutex<Option<RunError>>,
    states: Mutex<Vec<CellState>>,
}

impl<S: RowSink> Pool<'_, S> {
    async fn work(&self, lane: &Lane<'_>) {
        // Nobody closes the semaphore.
        while let Ok(place) = lane.places.acquire().await {
            let Some((index, cell)) = self.next(lane) else { return };
            let mut turn = Turn::new(&self.turns);
            turn.take().await;
            if self.cancel.is_cancelled() || self.broken.load(Ordering::Relaxed) {
                return;
            }
            let name = Arc::new(name(&self.runner.config.run_id, cell));
            let state = self.one(cell, &name, Held { turn, _place: place }).await.unwrap_or_else(|error| {
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

    /// The next cell of a lane that is not a repeated one.
    fn next(&self, lane: &Lane<'_>) -> Option<(usize, &Cell)> {
        loop {
            let index = lane.next.fetch_add(1, Ordering::Relaxed);
            let cell = self.cells.get(index)?;
            let service = self.runner.config.asking(&cell.profile.alias).endpoint.shown();
            if service == lane.service && !self.first_of.contains_key(&index) {
                return Some((index, cell));
            }
        }
    }

    /// No cell starts any more; the first reason is kept, unless it is the budget and something has failed since.
    fn start_no_more(&self, error: RunError) {
        self.broken.store(true, Ordering::Relaxed);
        let mut kept = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*kept, None | Some(RunError::Budget(_))) {
            *kept = match (kept.take(), error) {
                (Some(first), RunError::Budget(_)) => Some(first),
                (_, error) => Some(error),
            };
        }
    }

    async fn one(&self, cell: &Cell, name: &Arc<CellName>, mut held: Held<'_>) -> Result<CellState, RunError> {
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
            row = self.runner.run(cell, name, &mut held.turn) => row,
            () = self.cancel.cancelled() => return Ok(CellState::Abandoned),
        };
        let encoded = EncodedRow::new(&row)?;
        // Before anybody else gets the turn, so that a spent budget starts nothing more.
        if let Some(Err(overspent)) = self.runner.config.spending.as_ref().map(|spending| spending.count(&row)) {
            self.start_no_more(overspent.into());
        }
        drop(held);
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

/// What a cell holds from its claim until its row is complete.
struct Held<'a> {
    turn: Turn<'a>,
    _place: SemaphorePermit<'a>,
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
