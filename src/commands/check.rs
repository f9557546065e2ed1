//! `ragsql check`: the files and the plan, without calling anything.

use super::Ended;
use super::context::{Context, select};
use super::gate::refuse_misfits;
use super::run::connections;
use crate::cli::CheckArgs;
use crate::error::Result;
use crate::evidence::provenance::public_url;
use crate::experiment::connection::Connection;
use crate::experiment::{plan, prices};
use crate::ui;
use crate::wire::retry::RetryPolicy;

/// Checks every experiment file whole and prints what a run would do.
pub fn check(context: &Context, arguments: &CheckArgs) -> Result<Ended> {
    let experiment = context.experiment(&arguments.experiment)?;
    let selected = select(&experiment, &arguments.selection)?;
    prices::load(&context.project)?;
    let manifest = &experiment.manifest;
    manifest.gate.as_ref().map_or(Ok(()), |gate| refuse_misfits(context, gate))?;
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
    let asked = selected.profiles.iter().filter_map(|(profile, _)| {
        let connection = experiment.connections.get(&profile.alias)?;
        Some(("asked", format!("{}: {}", profile.alias, asked(connection))))
    });
    let gate = manifest.gate.iter().map(|gate| {
        let rules_n: usize = gate.checks.iter().map(|check| check.rules.len()).sum();
        let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        ("gate", format!("{} in {}", plural(rules_n, "rule"), plural(gate.checks.len(), "check")))
    });
    for (name, text) in lines.into_iter().chain(asked).chain(gate) {
        if !ui::data(&format!("{name:<12}{text}\n")) {
            break;
        }
    }
    let corpus = &selected.dataset.corpus_path;
    if !corpus.is_dir() && connections::urls_of_all(&experiment, &selected).is_none() {
        ui::warning(&format!(
            "the corpus folder `{}` does not exist; the gateway inside ragsql answers from it",
            context.shown(corpus)
        ));
    }
    ui::status("all files are in order; nothing was called");
    Ok(Ended::Done)
}

/// Where and how an approach of the approaches file is asked, without anything that may be secret.
fn asked(connection: &Connection) -> String {
    let mut parts = vec![connection.base_url.as_deref().map_or_else(|| "at the gateway".to_owned(), public_url)];
    parts.extend(connection.model.as_ref().map(|model| format!("model {model}")));
    parts.extend(connection.api_key_env.as_ref().map(|name| format!("key in {name}")));
    let names = |what: &str, names: Vec<&str>| (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")));
    parts.extend(names("headers", connection.headers.keys().map(String::as_str).collect()));
    parts.extend(names("fields", connection.body.keys().map(String::as_str).collect()));
    parts.extend(connection.prompt.as_ref().map(|_| "a prompt of its own".to_owned()));
    let history = connection.messages.len();
    parts.extend((history > 0).then(|| format!("{history} messages before the question")));
    parts.join(" · ")
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
