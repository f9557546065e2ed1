//! One tier of one dataset: run, gates 1 to 3, judges, gates 4 and 5.

use super::plan::{Rung, TierPlan};
use crate::cli::{JudgeArgs, LadderArgs};
use crate::commands::context::Context;
use crate::commands::judge::Judging;
use crate::commands::run::artifacts;
use crate::commands::run::files::RunFiles;
use crate::commands::run::{Finished, Prepared};
use crate::commands::{Ended, variable};
use crate::error::{Failure, Result};
use crate::json;
use crate::ladder::gates::{self, Expectation, Gate};
use crate::ladder::names::{Artifact, Tier};
use crate::ui;
use serde_json::{Map, Value};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Calls to a judge in flight.
const JUDGE_CONCURRENCY: u16 = 4;

/// Measures a tier and passes its gates; false when somebody asked to stop.
pub fn measure(context: &Context, arguments: &LadderArgs, rung: &Rung, tier: &TierPlan) -> Result<bool> {
    let prepared = Prepared::new(context, &tier.arguments)?;
    let finished = run(&prepared, tier)?;
    if finished.is_interrupted {
        ui::status(&format!(
            "stopped at `{}`, {} tier: {}",
            rung.dataset.id,
            tier.tier.name(),
            finished.on_disk(&prepared.selected)
        ));
        return Ok(false);
    }
    let expectation = expectation(&prepared, rung, tier)?;
    pass(context, arguments, &expectation, &tier.files, &Gate::BEFORE_JUDGES)?;
    let results = tier.files.judgments();
    let judging = Judging {
        context,
        experiment: &prepared.experiment,
        dataset: &prepared.selected.dataset,
        files: &tier.files,
        results: &results,
    };
    if judging.carry_out(&judge_arguments(arguments), false)? == Ended::Interrupted {
        let (dataset, tier) = (&rung.dataset.id, tier.tier.name());
        ui::status(&format!("stopped at `{dataset}`, {tier} tier: every verdict heard so far is on disk"));
        return Ok(false);
    }
    if expectation.judges.is_empty() {
        // A panel that judged has made the summary again by itself.
        artifacts::summarize(context, &tier.files, &rung.dataset.id)?;
    }
    pass(context, arguments, &expectation, &tier.files, &Gate::BEHIND_JUDGES)?;
    Ok(true)
}

fn run(prepared: &Prepared, tier: &TierPlan) -> Result<Finished> {
    let selected = &prepared.selected;
    let cells_n = selected.cells.len();
    let finished = prepared.carry_out(&|reused| {
        ui::status(&format!(
            "{:<17} {} tier · {} questions x {} approaches = {cells_n} cells",
            selected.dataset.id,
            tier.tier.name(),
            selected.questions.len(),
            selected.profiles.len(),
        ));
        if reused > 0 {
            ui::status(&format!("  reused          {reused} of {cells_n} cells are on disk already"));
        }
    })?;
    let written = &finished.written;
    ui::status(&format!("  cells           {}/{} · {} failed", written.done_n, written.planned_n, written.failed_n));
    Ok(finished)
}

/// What the finished run must have left.
pub fn expectation(prepared: &Prepared, rung: &Rung, tier: &TierPlan) -> Result<Expectation> {
    let selected = &prepared.selected;
    let hashes = prepared.experiment.config_hashes(&selected.file);
    // Flavors answer from what their base tier ingested.
    let ingestion = match rung.tiers.iter().find(|other| other.tier == Tier::Base && tier.tier == Tier::Flavors) {
        Some(base) => recorded_ingestion(base),
        None => prepared.target.ingestion(),
    };
    let mut metrics = prepared.experiment.manifest.ragas.clone();
    let mut seen = std::collections::BTreeSet::new();
    metrics.retain(|metric| seen.insert(metric.clone()));
    Ok(Expectation {
        run_id: tier.files.run_id.clone(),
        dataset_id: rung.dataset.id.clone(),
        cells: selected.cells.iter().map(|cell| (cell.question.id.clone(), cell.profile.alias.clone())).collect(),
        metrics,
        judges: prepared.judges()?.models,
        facts: facts("config_hashes", &hashes).chain(facts("ingestion", &ingestion)).collect(),
    })
}

fn facts(part: &str, map: &Map<String, Value>) -> impl Iterator<Item = (String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| json::compact(value).unwrap_or_default(), str::to_owned);
    map.iter().map(|(key, value)| (format!("{part}.{key}"), text(value))).collect::<Vec<_>>().into_iter()
}

/// The ingestion that the first row of a tier records; empty when there is no row.
fn recorded_ingestion(tier: &TierPlan) -> Map<String, Value> {
    let evidence = tier.sources.iter().find(|source| source.artifact == Artifact::Evidence);
    let first = evidence.and_then(|source| first_line(&source.path));
    let row = first.and_then(|line| json::parse_strict(&line).ok());
    let ingestion = row.as_ref().and_then(|row| row.pointer("/reproducibility/ingestion"));
    ingestion.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn first_line(file: &Path) -> Option<String> {
    BufReader::new(std::fs::File::open(file).ok()?).lines().next()?.ok()
}

/// Asks gates about a run's working files, and says that they are open.
fn pass(
    context: &Context,
    arguments: &LadderArgs,
    expectation: &Expectation,
    files: &RunFiles,
    asked: &[Gate],
) -> Result<()> {
    let checked = gates::Files {
        matrix: files.matrix.clone(),
        evidence: files.evidence.clone(),
        evaluation: files.evaluation.clone(),
        judgments: files.judgments(),
    };
    gates::pass(&context.catalogue, expectation, &checked, asked).map_err(|error| {
        let is_failed_cell = matches!(&error, crate::ladder::Error::Refused { gate: Gate::Matrix, .. });
        let failure = Failure::from(error);
        match is_failed_cell && !arguments.retry_errors {
            true => failure.hint("`--retry-errors` with `--resume` calls failed cells again"),
            false => failure,
        }
    })?;
    let names: Vec<String> = asked.iter().map(|gate| format!("{} {gate}", gate.number())).collect();
    ui::status(&format!("  gates           passed: {}", names.join(", ")));
    Ok(())
}

/// `ragsql judge` as the ladder needs it: the panel is the manifest's and the environment's.
fn judge_arguments(arguments: &LadderArgs) -> JudgeArgs {
    JudgeArgs {
        manifest: arguments.experiment.manifest.clone(),
        dataset: None,
        run_id: None,
        matrix_file: None,
        results_file: None,
        models: variable("JUDGE_MODELS"),
        endpoint: variable("JUDGE_ENDPOINT"),
        order: None,
        canaries: false,
        audit: false,
        json: false,
        ask_again: arguments.retry_errors,
        concurrency: JUDGE_CONCURRENCY,
    }
}
