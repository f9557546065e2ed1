//! What a person hears during a run: header, progress, attempts in the events log, closing lines.

use super::artifacts::Written;
use super::files::RunFiles;
use super::target::Target;
use crate::commands::context::{Context, Selected};
use crate::error::Result;
use crate::evidence::events::{Event as Attempt, EventLog, rfc3339};
use crate::evidence::row::Status;
use crate::runner::{AttemptOutcome, Event, ProgressState};
use crate::ui;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Says what will be run.
pub fn header(selected: &Selected, files: &RunFiles, target: &Target, reused: usize) {
    let cells = selected.cells.len();
    ui::status(&format!(
        "ragsql run        {} · {} questions x {} approaches = {cells} cells · gateway {}",
        selected.dataset.id,
        selected.questions.len(),
        selected.profiles.len(),
        target.described(),
    ));
    if files.run_id != selected.dataset.id {
        ui::status(&format!("  run             {}", files.run_id));
    }
    if reused > 0 {
        ui::status(&format!("  reused          {reused} of {cells} cells are on disk already"));
    }
}

/// What to bear in mind, and what to do next; stands under the tables.
pub fn advice(
    context: &Context,
    target: &Target,
    files: &RunFiles,
    dataset_id: &str,
    judges_pending: bool,
) -> Result<String> {
    let builtin = target.answers_by_itself();
    let named = if files.run_id == dataset_id { String::new() } else { format!(" --run-id {}", files.run_id) };
    let several = format!(" --dataset {dataset_id}");
    let judge = judges_pending.then(|| format!("ragsql judge{several}{named}"));
    let report = "ragsql report --html report.html";
    let values = serde_json::json!({"builtin": builtin, "judge": judge, "report": report});
    Ok(context.templates.render("terminal/closing.txt", &values)?)
}

/// Says what was written.
pub fn closing(context: &Context, files: &RunFiles, written: &Written) {
    let evidence = context.shown(&files.evidence);
    ui::status(&format!("  cells           {}/{} · {} failed", written.done_n, written.planned_n, written.failed_n));
    ui::status(&format!("  evidence        {evidence} ({} rows, fsynced)", written.rows_n));
    ui::status(&format!("  summary         {}, {}", context.shown(&files.evaluation), context.shown(&files.csv)));
    ui::status(&format!("  warehouse       {}", context.shown(&context.warehouse_file())));
}

/// Listens to the runner.
pub struct Teller {
    log: EventLog,
    state: Mutex<ProgressState>,
    progress: Option<ui::Progress>,
}

impl Teller {
    /// Opens the events log beside the evidence; draws progress when stderr is a terminal.
    pub fn new(context: &Context, files: &RunFiles, planned: usize, missing: usize) -> Result<Self> {
        tracing::info!(results = %context.results().display(), "run starts");
        Ok(Self {
            log: EventLog::beside(&files.evidence)?,
            state: Mutex::new(ProgressState::new(planned, planned - missing, Instant::now())),
            progress: ui::is_interactive().then(ui::Progress::new),
        })
    }

    /// Takes one event in.
    pub fn take(&self, event: &Event) {
        if let Event::AttemptFinished { .. } = event
            && let Some(attempt) = attempt(event)
            && let Some(error) = self.log.record(&attempt)
        {
            ui::warning(&format!("{error}; the run goes on without its events log"));
        }
        let now = Instant::now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.apply(event, now);
        match &self.progress {
            Some(progress) => progress.show(&state.lines(now, ui::error_width())),
            None => plain(event),
        }
    }

    /// Wipes the progress block.
    pub fn close(self) {
        drop(self.progress);
    }
}

/// One line per finished cell where nothing can be redrawn.
fn plain(event: &Event) {
    match event {
        Event::CellFinished { cell, status, latency_ms, attempts } => {
            let status = match status {
                Status::Ok => "ok",
                Status::Error => "error",
                Status::Timeout => "timeout",
            };
            let tries = if *attempts > 1 { format!(" · {attempts} attempts") } else { String::new() };
            ui::status(&format!(
                "  {status:<8}{} / {} / {} · {latency_ms} ms{tries}",
                cell.dataset, cell.question, cell.model
            ));
        }
        Event::LimitChanged { service, from, to, reason } => {
            ui::status(&format!("  in flight at {service} at most {to} (was {from}): {reason}"));
        }
        _ => {}
    }
}

/// The events-log line of a finished attempt.
fn attempt(event: &Event) -> Option<Attempt> {
    let Event::AttemptFinished { cell, attempt, started_at, duration_ms, waited_ms, outcome } = event else {
        return None;
    };
    let (outcome, error_type, error_message, retry_after_s) = match outcome {
        AttemptOutcome::Answered => (Status::Ok, None, None, None),
        AttemptOutcome::Failed { error_type, message, retry_after_s, .. } => {
            let status = if error_type.ends_with("Timeout") || *error_type == "TimeoutError" {
                Status::Timeout
            } else {
                Status::Error
            };
            (status, Some((*error_type).to_owned()), Some(message.clone()), *retry_after_s)
        }
    };
    Some(Attempt {
        row_id: cell.row_id.clone(),
        attempt: *attempt,
        started_at: rfc3339(*started_at),
        duration_ms: *duration_ms,
        outcome,
        error_type,
        error_message,
        retry_after_s,
        waited_ms: *waited_ms,
    })
}
