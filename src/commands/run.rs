//! `ragsql run`: the matrix of one dataset, from files to rows, tables and a ranking.
//!
//! Order of work: check every file, choose cells, compare stored rows, and only then start a gateway and call it. A run
//! whose cells are all stored starts nothing.

pub(super) mod artifacts;
mod cells;
pub(super) mod config;
pub(super) mod connections;
pub(super) mod files;
mod provenance;
mod sink;
pub(super) mod target;
mod telling;

use super::context::{Context, Selected, select};
use super::import::make_folder;
use super::interrupt::Interrupt;
use super::{Ended, runtime};
use crate::cli::RunArgs;
use crate::error::{Failure, Kind, Result};
use crate::evidence::provenance::JudgeInputs;
use crate::evidence::resume::{self, ExpectedCell, StoredState};
use crate::evidence::row::{Reproducibility, Status};
use crate::evidence::store::Store;
use crate::experiment::load::Experiment;
use crate::experiment::plan::Cell;
use crate::experiment::prices::{self, PRICES_FILE};
use crate::runner::spending::Spending;
use crate::runner::{self, RunOutcome};
use crate::ui;
use artifacts::Written;
use config::run_config;
use files::RunFiles;
use sink::EvidenceSink;
use std::sync::Arc;
use std::time::Instant;
use target::Target;
use telling::Teller;
use tokio_util::sync::CancellationToken;

/// Runs what is missing, then writes what follows from the evidence.
pub fn run(context: &Context, arguments: &RunArgs) -> Result<Ended> {
    let prepared = Prepared::new(context, arguments)?;
    let finished = prepared.carry_out(&|reused| {
        telling::header(&prepared.selected, &prepared.files, &prepared.target, reused);
    })?;
    let (selected, files, written) = (&prepared.selected, &prepared.files, &finished.written);
    if finished.is_interrupted {
        ui::status(&format!("stopped: {}; run the same command again to go on", finished.on_disk(selected)));
        return Ok(Ended::Interrupted);
    }
    let judges_pending = prepared.experiment.manifest.judge_panel.enabled && !files.judgments().exists();
    let advice = telling::advice(context, &prepared.target, files, &selected.dataset.id, judges_pending)?;
    ui::data(&format!("{}{advice}", written.tables));
    telling::closing(context, files, written);
    if written.failed_n > 0 {
        ui::hint("`ragsql run --retry-errors` calls the failed cells again; their old rows move to a side file");
        return Ok(Ended::WithFailures);
    }
    Ok(Ended::Done)
}

/// A run of which everything is checked that can be without a call.
pub struct Prepared<'a> {
    context: &'a Context,
    arguments: &'a RunArgs,
    /// The experiment files.
    pub experiment: Experiment,
    /// The cells.
    pub selected: Selected,
    /// Where everything goes.
    pub files: RunFiles,
    /// Whom it asks.
    pub target: Target,
}

/// What came of a run.
pub struct Finished {
    /// What was written, counted.
    pub written: Written,
    /// Whether it was stopped on request before its last cell.
    pub is_interrupted: bool,
}

impl Finished {
    /// How much is stored, in words.
    pub fn on_disk(&self, selected: &Selected) -> String {
        format!("{} of {} cells are on disk", self.written.done_n, selected.cells.len())
    }
}

impl<'a> Prepared<'a> {
    /// Reads and checks files, selection, corpus, gateway choice and judges. Calls nobody and writes nothing.
    pub fn new(context: &'a Context, arguments: &'a RunArgs) -> Result<Self> {
        let experiment = context.experiment(&arguments.experiment)?;
        let selected = select(&experiment, &arguments.selection)?;
        let files = RunFiles::derive(context, arguments, &selected.dataset.id, &experiment.roles)?;
        let target = Target::choose(context, &experiment, &selected, &arguments.gateway)?;
        Ok(Self { context, arguments, experiment, selected, files, target })
    }

    /// The judges as every row will record them; an error when the panel is enabled and cannot judge.
    pub fn judges(&self) -> Result<JudgeInputs> {
        provenance::judges(&self.experiment, &self.target)
    }

    /// Compares what is stored with the plan, and fails when it was made otherwise.
    pub fn compare_stored(&self) -> Result<()> {
        if !self.files.evidence.exists() {
            return Ok(());
        }
        let store = Store::open_read_only(&self.files.evidence)?;
        if store.is_empty() {
            return Ok(());
        }
        let reproducibility = Arc::new(self.provenance(&store)?);
        resume::check(&store, &cells::expected(&self.files.run_id, &self.selected.cells, &reproducibility))?;
        Ok(())
    }

    fn provenance(&self, store: &Store) -> Result<Reproducibility> {
        let Self { context, experiment, selected, files, target, .. } = self;
        provenance::collect(context, experiment, selected, target, &files.run_id, store)
    }

    /// Calls what is missing and writes what follows from the evidence.
    ///
    /// `begins` is told how many cells are on disk already, before anything is called.
    pub fn carry_out(&self, begins: &dyn Fn(usize)) -> Result<Finished> {
        let Self { context, arguments, selected, files, .. } = self;
        if let Some(parent) = files.evidence.parent() {
            make_folder(parent)?;
        }
        make_folder(&context.results())?;
        let store = Store::open(&files.evidence)?;
        let reproducibility = Arc::new(self.provenance(&store)?);
        let expected = cells::expected(&files.run_id, &selected.cells, &reproducibility);
        let stored = reuse(&store, &expected, arguments.retry_errors)?;
        let missing = cells::missing(&selected.cells, &stored);
        begins(stored.len() - missing.len());
        let outcome = if missing.is_empty() {
            None
        } else {
            Some(runtime()?.block_on(self.call(&store, &expected, &missing, &reproducibility))?)
        };
        // The artifacts need none of this, and at 100,000 cells it is 70 MB.
        drop((store, expected, stored, missing));
        conclude(context, selected, files, outcome)
    }

    /// Starts the gateway when it is ours, calls the missing cells, stops the gateway.
    async fn call(
        &self,
        store: &Store,
        expected: &[ExpectedCell],
        missing: &[Cell],
        reproducibility: &Arc<Reproducibility>,
    ) -> Result<RunOutcome> {
        let arguments = self.arguments;
        let spending = spending(self.context, arguments)?;
        let cancel = CancellationToken::new();
        let watch = tokio::spawn(cancel_on_interrupt(Interrupt::listen()?, cancel.clone()));
        let service = tokio::select! {
            service = self.target.start() => service?,
            () = cancel.cancelled() => return Ok(RunOutcome::interrupted_before(missing.len())),
        };
        let mut config = run_config(&self.experiment, &self.selected, &self.target, &service)?;
        self.files.run_id.clone_into(&mut config.run_id);
        config.reproducibility = Reproducibility::clone(reproducibility);
        if let Some(concurrency) = arguments.concurrency {
            config.concurrency = usize::from(concurrency);
        }
        config.spending = spending;
        let sink = EvidenceSink::new(store, expected);
        let teller = Teller::new(self.context, &self.files, self.selected.cells.len(), missing.len())?;
        let keeper = tokio::spawn(artifacts::keep_warehouse_level(
            self.context.warehouse_file(),
            self.files.evidence.clone(),
            self.context.catalogue.clone(),
        ));
        let outcome = runner::run(&config, missing, &sink, &|event| teller.take(&event), &cancel).await;
        keeper.abort();
        watch.abort();
        teller.close();
        service.stop().await;
        Ok(outcome)
    }
}

/// Compares what is stored with the plan; with `--retry-errors` failed rows are moved aside first.
fn reuse(store: &Store, expected: &[ExpectedCell], retry_errors: bool) -> Result<Vec<Option<StoredState>>> {
    let mut stored = resume::check(store, expected)?;
    if retry_errors {
        let failed = |state: &Option<StoredState>| state.is_some_and(|state| state.status != Status::Ok);
        let ids: Vec<String> = expected
            .iter()
            .zip(&stored)
            .filter(|(_, state)| failed(state))
            .map(|(cell, _)| cell.row_id.clone())
            .collect();
        if !ids.is_empty() {
            store.supersede(&ids)?;
            stored = resume::check(store, expected)?;
        }
    }
    Ok(stored)
}

/// The budget of `--max-cost`, which needs prices.
fn spending(context: &Context, arguments: &RunArgs) -> Result<Option<Spending>> {
    let Some(limit) = arguments.max_cost else { return Ok(None) };
    match prices::load(&context.project)? {
        Some(prices) => Ok(Some(Spending::new(limit, prices))),
        None => Err(Failure::new(Kind::Input, format!("`--max-cost` needs prices, and there is no {PRICES_FILE}"))
            .hint("list models there with `input_per_million` and `output_per_million`; nothing was called")),
    }
}

/// The first request to end is met in order, the second at once.
async fn cancel_on_interrupt(mut interrupt: Interrupt, cancel: CancellationToken) {
    interrupt.heard().await;
    cancel.cancel();
    interrupt.heard().await;
    std::process::exit(130);
}

/// Writes the artifacts; what broke the run is told behind that.
fn conclude(context: &Context, selected: &Selected, files: &RunFiles, outcome: Option<RunOutcome>) -> Result<Finished> {
    let is_interrupted = outcome.as_ref().is_some_and(|outcome| outcome.cancelled);
    let broken = outcome.and_then(|outcome| outcome.failure).map(Failure::from);
    let started = Instant::now();
    let written = artifacts::write(context, selected, files);
    tracing::info!(elapsed_ms = started.elapsed().as_millis() as u64, "artifacts written");
    let Some(failure) = broken else { return Ok(Finished { written: written?, is_interrupted }) };
    if let (Kind::Finished, Ok(written)) = (failure.kind, written) {
        let finished = Finished { written, is_interrupted };
        ui::status(&format!("stopped: {}", finished.on_disk(selected)));
    }
    Err(failure)
}
