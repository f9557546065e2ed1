//! What follows from the evidence of a run: warehouse, compatibility matrix, summary, tables.
//!
//! All of it can be made again from the evidence at any time, so nothing here endangers a run.

use super::files::RunFiles;
use crate::commands::context::{Context, Selected};
use crate::commands::level::level;
use crate::commands::output::{write_whole, write_with};
use crate::error::{Failure, Kind, Result};
use crate::evidence::row::row_id;
use crate::evidence::store::Store;
use crate::experiment::flavor::EXPERIMENTAL_BASES;
use crate::json;
use crate::report::audit;
use crate::report::matrix::{self, Matrix, MatrixModel, MatrixQuery};
use crate::report::standings::{self, StandingsScope};
use crate::report::summary::{Scope, Summary};
use crate::ui;
use crate::warehouse::catalogue::Catalogue;
use crate::warehouse::{self, Error, Keep, Tail, Warehouse, file_key};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a run brings the warehouse level with its evidence.
const LEVEL_EVERY: Duration = Duration::from_secs(2);

/// What was written, counted.
pub struct Written {
    /// Cells of the plan.
    pub planned_n: usize,
    /// Cells of the plan that are on disk.
    pub done_n: usize,
    /// Of these, not `ok`.
    pub failed_n: usize,
    /// Rows of the evidence file.
    pub rows_n: usize,
    /// The tables for the terminal.
    pub tables: String,
}

/// Brings the warehouse level with the evidence again and again, until it is stopped.
///
/// A busy warehouse is tried again later; the run does not wait for it. The pauses grow with the work, which therefore
/// takes a tenth of the time at most, however large the warehouse is.
pub async fn keep_warehouse_level(database: PathBuf, evidence: PathBuf, catalogue: Catalogue) {
    let mut pause = LEVEL_EVERY;
    loop {
        tokio::time::sleep(pause).await;
        let (database, evidence, catalogue) = (database.clone(), evidence.clone(), catalogue.clone());
        let started = Instant::now();
        let level = move || warehouse::sync_beside_a_run(&database, &[evidence], &catalogue);
        let failures = match tokio::task::spawn_blocking(level).await {
            Ok(Ok(synced)) => synced.files.into_iter().filter_map(|(_, result)| result.err()).collect(),
            Ok(Err(error)) => vec![error],
            Err(_) => Vec::new(),
        };
        for error in &failures {
            tracing::debug!(%error, "the warehouse is not level yet");
        }
        // The memory that was too little once will be too little for more rows; the end of the run takes its own.
        if failures.iter().any(Error::is_out_of_memory) {
            return;
        }
        pause = LEVEL_EVERY.max(started.elapsed() * 9);
    }
}

/// Writes everything and renders the tables.
pub fn write(context: &Context, selected: &Selected, files: &RunFiles) -> Result<Written> {
    let store = Store::open_read_only(&files.evidence)?;
    let rows = planned_rows(&store, selected, files);
    let counted = write_matrix(context, selected, files, &rows)?;
    let mut written = Written { rows_n: store.len(), planned_n: selected.cells.len(), ..counted };
    if store.is_empty() {
        return Ok(written);
    }
    written.tables = summarize(context, files, &selected.dataset.id)?;
    Ok(written)
}

/// Brings the warehouse level, writes the evaluation JSON and CSV, and renders the tables of one dataset.
pub fn summarize(context: &Context, files: &RunFiles, dataset_id: &str) -> Result<String> {
    summarize_in(&current(context, files)?, context, files, dataset_id)
}

/// The same, and the table of the panel's means behind; it is empty without judgments.
pub fn summarize_judged(context: &Context, files: &RunFiles, dataset_id: &str) -> Result<String> {
    let warehouse = current(context, files)?;
    let tables = summarize_in(&warehouse, context, files, dataset_id)?;
    let Some(judgments) = judgments_file(files) else { return Ok(tables) };
    let (source, judgments) = (file_key(&files.evidence), file_key(&judgments));
    Ok(tables + &audit::means(&warehouse, &context.templates, &source, &judgments, dataset_id, ui::width())?)
}

fn summarize_in(warehouse: &Warehouse, context: &Context, files: &RunFiles, dataset_id: &str) -> Result<String> {
    let judgments = judgments_file(files);
    let source_file = Some(file_key(&files.evidence));
    let scope = Scope { source_file: source_file.clone(), judgments_file: judgments.as_deref().map(file_key) };
    let summary = Summary::read(warehouse, &scope)?;
    write_whole(&files.evaluation, summary.evaluation_json()?.as_bytes())?;
    write_whole(&files.csv, summary.csv().as_bytes())?;
    let scope =
        StandingsScope { source_file, run_id: Some(files.run_id.clone()), dataset_id: Some(dataset_id.to_owned()) };
    match standings::render(warehouse, &context.templates, &scope, ui::width()) {
        Err(crate::report::Error::NoRows) => Ok(String::new()),
        tables => Ok(tables?),
    }
}

/// The project's warehouse, level with its evidence; while somebody else has it open, one in memory over the run's own
/// evidence and judgments, which is said.
fn current<'a>(context: &'a Context, files: &RunFiles) -> Result<Warehouse<'a>> {
    let Some(error) = level(context)? else {
        return Ok(Warehouse::open_read_only(&context.warehouse_file(), &context.catalogue)?);
    };
    ui::warning(&format!("{error}; the next command brings it up to date"));
    let warehouse = Warehouse::in_memory(&context.catalogue)?;
    warehouse.ingest_evidence(&files.evidence, Tail::Take, Keep::Numbers)?;
    if let Some(judgments) = judgments_file(files) {
        warehouse.ingest_judgments(&judgments, None)?;
    }
    Ok(warehouse)
}

/// The panel's artifact of this run, once there is one.
fn judgments_file(files: &RunFiles) -> Option<PathBuf> {
    Some(files.judgments()).filter(|file| file.exists())
}

/// The stored lines of the plan, in its order; cells without a row are left out.
fn planned_rows<'a>(
    store: &'a Store,
    selected: &'a Selected,
    files: &'a RunFiles,
) -> impl Iterator<Item = Result<Value>> + Clone + 'a {
    selected.cells.iter().filter_map(move |cell| {
        let id = row_id(&files.run_id, &cell.dataset.id, &cell.question.id, &cell.profile.alias);
        let line = store.line(&id).transpose()?;
        Some(line.map_err(Failure::from).and_then(|line| {
            json::parse_strict(&line)
                .map_err(|error| Failure::new(Kind::Input, format!("row `{id}` cannot be read: {error}")))
        }))
    })
}

fn write_matrix(
    context: &Context,
    selected: &Selected,
    files: &RunFiles,
    rows: &(impl Iterator<Item = Result<Value>> + Clone),
) -> Result<Written> {
    let first = rows.clone().next().transpose()?;
    let map = |pointer: &str| -> Map<String, Value> {
        first.as_ref().and_then(|row| row.pointer(pointer)).and_then(Value::as_object).cloned().unwrap_or_default()
    };
    let head = Matrix {
        base: first
            .as_ref()
            .and_then(|row| row.pointer("/reproducibility/runtime/gateway/url")?.as_str())
            .map(str::to_owned),
        models: selected.profiles.iter().map(|(profile, _)| model(profile)).collect(),
        queries_file: context.shown(&selected.dataset.questions_file),
        run_id: files.run_id.clone(),
        dataset_id: selected.dataset.id.clone(),
        canonical_rows_file: context.shown(&files.evidence),
        evaluation_summary_file: context.shown(&files.evaluation),
        queries: selected.questions.iter().map(|question| query(question)).collect(),
        runtime: map("/reproducibility/runtime"),
        ingestion: map("/reproducibility/ingestion"),
    };
    let mut written = Written { planned_n: 0, done_n: 0, failed_n: 0, rows_n: 0, tables: String::new() };
    let counted = rows.clone().inspect(|row| {
        if let Ok(row) = row {
            written.done_n += 1;
            written.failed_n += usize::from(row.get("status").and_then(Value::as_str) != Some("ok"));
        }
    });
    write_with(&files.matrix, |out| matrix::write_matrix(out, &head, counted))?;
    Ok(written)
}

fn model(profile: &crate::experiment::flavor::Profile) -> MatrixModel {
    MatrixModel {
        model: profile.alias.clone(),
        base_model: profile.base.clone(),
        flavor: profile.flavor.clone(),
        requires_reingest: profile.requires_reingest,
        experimental: EXPERIMENTAL_BASES.contains(&profile.base.as_str()),
    }
}

fn query(question: &crate::experiment::question::Question) -> MatrixQuery {
    MatrixQuery {
        id: question.id.clone(),
        query: question.query.clone(),
        expect_winner: question.expect_winner.clone(),
        rationale: question.rationale.clone(),
    }
}
