//! `ragsql gate`: a yes or no for CI that says "no" or "do not know" rather than guess.
//!
//! Calls nobody. Every evaluation is durable in `compare/results/gate/attempts.jsonl` before its verdict is told.

use super::Ended;
use super::context::{Context, relative_default};
use super::output::write_whole;
use super::runs::Runs;
use crate::cli::GateArgs;
use crate::error::{Failure, Kind, Result};
use crate::evidence::attempts::{Attempts, SCHEMA_VERSION};
use crate::evidence::events::rfc3339;
use crate::experiment::gate::{Gate, MetricCard};
use crate::experiment::load::{Experiment, Files};
use crate::json;
use crate::report::gate::{Question, Total, Verdict};
use crate::ui;
use crate::warehouse::{self, Warehouse};
use serde_json::json;
use std::time::SystemTime;

/// Judges a run by the checks of the manifest.
pub fn gate(context: &Context, arguments: &GateArgs) -> Result<Ended> {
    let manifest = relative_default(&arguments.manifest, "compare/evaluation.yaml");
    let experiment = Experiment::load(&context.project, &Files { manifest, ..Files::default() })?;
    let file = context.shown(&experiment.manifest.file);
    let gate = experiment.manifest.gate.ok_or_else(|| {
        Failure::new(Kind::Input, format!("`{file}` has no section `gate`, so there is nothing to check"))
            .hint("docs/guide/ci.md shows one")
    })?;
    let candidate = arguments.candidate.as_str();
    let baseline = arguments.baseline.as_deref().or(gate.baseline.as_deref());
    let runs = Runs::open(context)?;
    runs.refuse_unknown(candidate)?;
    baseline.map_or(Ok(()), |baseline| runs.refuse_unknown(baseline))?;
    if baseline == Some(candidate) {
        let message = format!("`{candidate}` is candidate and baseline, so nothing could fail");
        return Err(Failure::new(Kind::Input, message).hint("name an earlier run as the baseline, and leave it there"));
    }
    refuse_misfits(context, &gate)?;
    let warehouse = runs.warehouse(context)?;
    let verdict = evaluate(context, &warehouse, &gate, candidate, baseline)?;
    if baseline.is_none() && gate.needs_baseline() {
        ui::warning("there is no baseline, so the checks against one are not run");
        ui::hint("give --baseline RUN, or `baseline:` under `gate`");
    }
    tell(context, arguments, &verdict)
}

/// Refuses checks of metrics that do not exist, and numbers that a metric cannot have.
pub fn refuse_misfits(context: &Context, gate: &Gate) -> Result<()> {
    let warehouse = Warehouse::in_memory(&context.catalogue)?;
    let found = warehouse.query("reports/gate_metrics", &[])?;
    let card = |row: &warehouse::Row| -> Result<MetricCard, warehouse::Error> {
        Ok(MetricCard {
            metric: row.text("metric")?.to_owned(),
            low: row.float_or_null("low")?.unwrap_or(f64::NEG_INFINITY),
            high: row.float_or_null("high")?,
            is_lower_better: row.text("better")? == "lower",
        })
    };
    let cards: Vec<MetricCard> = found.rows.iter().map(card).collect::<Result<_, _>>()?;
    Ok(gate.problems_with(&cards).into_result(Some(()))?)
}

/// Evaluates and stores that it was evaluated; nobody else evaluates meanwhile.
fn evaluate(
    context: &Context,
    warehouse: &Warehouse,
    gate: &Gate,
    candidate: &str,
    baseline: Option<&str>,
) -> Result<Verdict> {
    let attempts = Attempts::open(&context.results().join("gate").join("attempts.jsonl"))?;
    let verdict = Verdict::read(
        warehouse,
        &Question {
            candidate,
            baseline,
            checks: &gate.rules_json(),
            alpha: gate.alpha,
            coverage_floor: gate.coverage_floor,
            looks_max: gate.looks_max,
            is_fail_corrected: gate.is_fail_corrected,
            may_differ: &gate.may_differ,
            attempts: &attempts.against(baseline),
        },
    )?;
    let mut record = json!({"schema_version": SCHEMA_VERSION, "at": rfc3339(SystemTime::now())});
    if let (Some(record), serde_json::Value::Object(decided)) = (record.as_object_mut(), verdict.record()?) {
        record.extend(decided);
    }
    attempts.append(&record)?;
    Ok(verdict)
}

/// Writes the files that were asked for, prints the verdict, and turns it into how the command ends.
fn tell(context: &Context, arguments: &GateArgs, verdict: &Verdict) -> Result<Ended> {
    let ended = match (verdict.total()?, arguments.inconclusive.as_deref()) {
        (Total::Pass, _) | (Total::Inconclusive, Some("pass")) => Ended::Done,
        (Total::Fail, _) | (Total::Inconclusive, Some(_)) => Ended::WithFailures,
        (Total::Inconclusive, None) => Ended::Undecided,
    };
    let exit_code = ended.exit_code();
    let templates = &context.templates;
    if let Some(file) = &arguments.junit {
        let is_open_failure = arguments.inconclusive.as_deref() == Some("fail");
        write_whole(&context.path(file), verdict.junit(templates, is_open_failure)?.as_bytes())?;
    }
    if let Some(file) = &arguments.html {
        write_whole(&context.path(file), verdict.html(templates, exit_code)?.as_bytes())?;
    }
    let text = if arguments.json {
        let document = verdict.document(templates, exit_code)?;
        json::pretty(&document).map_err(|error| Failure::new(Kind::Outside, error))? + "\n"
    } else {
        verdict.text(templates)?
    };
    ui::data(&text);
    Ok(ended)
}
