//! `ragsql check`: the files and the plan, without calling anything.

use super::Ended;
use super::context::{Context, select};
use crate::cli::CheckArgs;
use crate::error::Result;
use crate::experiment::plan;
use crate::ui;
use crate::wire::retry::RetryPolicy;

/// Checks every experiment file whole and prints what a run would do.
pub fn check(context: &Context, arguments: &CheckArgs) -> Result<Ended> {
    let experiment = context.experiment(&arguments.experiment)?;
    let selected = select(&experiment, &arguments.selection)?;
    let manifest = &experiment.manifest;
    let bounds = plan::bounds(&selected.cells, manifest, RetryPolicy::new(manifest.run.retries).cap_s);
    let aliases: Vec<&str> = selected.profiles.iter().map(|(profile, _)| profile.alias.as_str()).collect();
    let lines = [
        ("dataset", selected.dataset.id.clone()),
        ("questions", format!("{} in {}", selected.questions.len(), context.shown(&selected.dataset.questions_file))),
        ("approaches", aliases.join(", ")),
        ("cells", bounds.cells.to_string()),
        ("calls", format!("{} to {} to approaches", bounds.approach_calls_min, bounds.approach_calls_max)),
        ("scoring", format!("at most {} calls for {}", bounds.scoring_calls_max, listed(&manifest.ragas))),
        ("time", format!("at most {}, when every call takes its whole deadline", duration(bounds.time_bound_s))),
    ];
    for (name, text) in lines {
        if !ui::data(&format!("{name:<12}{text}\n")) {
            break;
        }
    }
    ui::status("all files are in order; nothing was called");
    Ok(Ended::Done)
}

fn listed(metrics: &[String]) -> String {
    if metrics.is_empty() { "no metric".to_owned() } else { metrics.join(", ") }
}

/// Hours and minutes, or seconds below two minutes.
fn duration(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    match whole {
        0..120 => format!("{whole} s"),
        120..7200 => format!("{} min", whole.div_ceil(60)),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}
