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
use crate::evidence::resume::{self, ExpectedCell, StoredState};
use crate::evidence::row::{Reproducibility, Status};
use crate::evidence::store::Store;
use crate::experiment::load::Experiment;
use crate::experiment::plan::Cell;
use crate::experiment::prices::{self, PRICES_FILE};
use crate::runner::spending::Spending;
use crate::runner::{self, RunOutcome};
use crate::ui;
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
    let experiment = context.experiment(&arguments.experiment)?;
    let selected = select(&experiment, &arguments.selection)?;
    let files = RunFiles::derive(context, arguments, &selected.dataset.id, &experiment.roles)?;
    let target = Target::choose(context, &experiment, &selected, &arguments.gateway)?;
    if let Some(parent) = files.evidence.parent() {
        make_folder(parent)?;
    }
    make_folder(&context.results())?;
    let store = Store::open(&files.evidence)?;
    let reproducibility =
        Arc::new(provenance::collect(context, &experiment, &selected, &target, &files.run_id, &store)?);
    let expected = cells::expected(&files.run_id, &selected.cells, &reproducibility);
    let stored = reuse(&store, &expected, arguments.retry_errors)?;
    let missing = cells::missing(&selected.cells, &stored);

    telling::header(&selected, &files, &target, stored.len() - missing.len());
    let outcome = if missing.is_empty() {
        None
    } else {
        let plan = Plan { context, experiment: &experiment, selected: &selected, files: &files, target: &target };
        Some(runtime()?.block_on(plan.carry_out(&store, &expected, &missing, &reproducibility, arguments))?)
    };
    // The artifacts need none of this, and at 100,000 cells it is 70 MB.
    drop((store, expected, stored, missing));
    let judges_pending = experiment.manifest.judge_panel.enabled && !files.judgments().exists();
    let advice = telling::advice(context, &target, &files, &selected.dataset.id, judges_pending)?;
    conclude(context, &selected, &files, outcome, &advice)
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

/// Everything that is fixed before the first call.
struct Plan<'a> {
    context: &'a Context,
    experiment: &'a Experiment,
    selected: &'a Selected,
    files: &'a RunFiles,
    target: &'a Target,
}

impl Plan<'_> {
    /// Starts the gateway when it is ours, calls the missing cells, stops the gateway.
    async fn carry_out(
        &self,
        store: &Store,
        expected: &[ExpectedCell],
        missing: &[Cell],
        reproducibility: &Arc<Reproducibility>,
        arguments: &RunArgs,
    ) -> Result<RunOutcome> {
        let spending = spending(self.context, arguments)?;
        let cancel = CancellationToken::new();
        let watch = tokio::spawn(cancel_on_interrupt(Interrupt::listen()?, cancel.clone()));
        let service = tokio::select! {
            service = self.target.start() => service?,
            () = cancel.cancelled() => return Ok(RunOutcome::interrupted_before(missing.len())),
        };
        let mut config = run_config(self.experiment, self.selected, self.target, &service)?;
        self.files.run_id.clone_into(&mut config.run_id);
        config.reproducibility = Reproducibility::clone(reproducibility);
        if let Some(concurrency) = arguments.concurrency {
            config.concurrency = usize::from(concurrency);
        }
        config.spending = spending;
        let sink = EvidenceSink::new(store, expected);
        let teller = Teller::new(self.context, self.files, self.selected.cells.len(), missing.len())?;
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

/// Writes the artifacts, prints the tables, and decides how the run ended.
fn conclude(
    context: &Context,
    selected: &Selected,
    files: &RunFiles,
    outcome: Option<RunOutcome>,
    advice: &str,
) -> Result<Ended> {
    let cancelled = outcome.as_ref().is_some_and(|outcome| outcome.cancelled);
    let broken = outcome.and_then(|outcome| outcome.failure).map(Failure::from);
    let started = Instant::now();
    let written = artifacts::write(context, selected, files);
    tracing::info!(elapsed_ms = started.elapsed().as_millis() as u64, "artifacts written");
    if let Some(failure) = broken {
        return Err(failure);
    }
    let written = written?;
    if cancelled {
        let line = format!(
            "stopped: {} of {} cells are on disk; run the same command again to go on",
            written.done_n,
            selected.cells.len()
        );
        ui::status(&line);
        return Ok(Ended::Interrupted);
    }
    ui::data(&format!("{}{advice}", written.tables));
    telling::closing(context, files, &written);
    if written.failed_n > 0 { Ok(Ended::WithFailures) } else { Ok(Ended::Done) }
}
