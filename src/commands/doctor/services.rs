//! Are the services there, what do they hand out, what will not be measured, and what will a run take?

use super::probe::{self, Probe, Seen};
use crate::cli::DoctorArgs;
use crate::commands::context::{Context, Selected, select};
use crate::commands::interrupt::Interrupt;
use crate::commands::run::config::run_config;
use crate::commands::run::target::{Service, Target};
use crate::commands::{Ended, runtime};
use crate::error::Result;
use crate::experiment::load::Experiment;
use crate::experiment::prices::{self, Prices};
use crate::runner::RunConfig;
use crate::scoring::{Subject, eligibility};
use crate::ui;
use crate::wire::call::HttpClient;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a service may take to begin a stream.
const STREAM_PATIENCE: Duration = Duration::from_secs(20);

/// Probes every alias once, and prints what was seen.
pub fn probe(context: &Context, arguments: &DoctorArgs) -> Result<Ended> {
    let experiment = context.experiment(&arguments.experiment)?;
    let selected = select(&experiment, &arguments.selection)?;
    let prices = prices::load(&context.project)?;
    let target = Target::choose(context, &experiment, &selected, &arguments.gateway)?;
    let aliases_n = selected.profiles.len();
    ui::status(&format!(
        "asking {aliases_n} approaches the first question, one call each; a stream is begun and dropped"
    ));
    line("gateway", "ok", &target.described());
    for (role, described) in target.roles() {
        let part = |key: &str| described.get(key).and_then(serde_json::Value::as_str).unwrap_or("-").to_owned();
        line("role", "ok", &format!("{role}: {} ({})", part("model"), part("provider")));
    }
    runtime()?.block_on(async {
        let mut interrupt = Interrupt::listen()?;
        let service = target.start().await?;
        let told = tokio::select! {
            told = tell_all(&experiment, &selected, &target, &service, prices.as_ref()) => told,
            () = interrupt.heard() => Ok(Ended::Interrupted),
        };
        service.stop().await;
        told
    })
}

/// Calls every service, and prints what was seen of each.
async fn tell_all(
    experiment: &Experiment,
    selected: &Selected,
    target: &Target,
    service: &Service,
    prices: Option<&Prices>,
) -> Result<Ended> {
    let config = run_config(experiment, selected, target, service)?;
    let client = HttpClient::new(config.timeout_s)?;
    let probes = probe::all(&config, selected, &client).await;
    for probe in &probes {
        tell(probe, experiment, selected);
    }
    let failed_n = probes.iter().filter(|probe| probe.outcome.is_err()).count();
    let state = if failed_n == 0 { "ok" } else { "error" };
    line("aliases", state, &format!("{} of {} answer", probes.len() - failed_n, probes.len()));
    tell_streams(&config, &probes, selected, &client).await;
    tell_questions(experiment, selected);
    let scores = tell_evaluator(&config, &probes, selected).await;
    tell_plan(&config, &probes, selected, prices);
    Ok(if failed_n == 0 && scores { Ended::Done } else { Ended::WithFailures })
}

fn line(name: &str, state: &str, text: &str) {
    ui::data(&ui::visible(&format!("{name:<11}{state:<7}{text}\n")));
}

fn tell(probe: &Probe, experiment: &Experiment, selected: &Selected) {
    let seen = match &probe.outcome {
        Ok(seen) => seen,
        Err(reason) => return line("", "error", &format!("{}: {reason}", probe.alias)),
    };
    let contexts = match (seen.contexts_missing, seen.contexts.len()) {
        (true, _) => "no contexts".to_owned(),
        (false, count) => format!("{count} contexts {}", seen.came),
    };
    let usage = match seen.tokens {
        Some((prompt, completion)) => format!("{prompt} + {completion} tokens"),
        None => "usage unknown".to_owned(),
    };
    let model = seen.model.as_deref().unwrap_or("does not say");
    let shows = selected.profiles.iter().find(|(profile, _)| profile.alias == probe.alias);
    let expects = shows.is_some_and(|(_, capability)| capability.as_str() == "answer_with_contexts");
    let lost: Vec<String> = if expects && seen.contexts_missing {
        // With a reference, what is left over is what lacks contexts.
        let sorted = eligibility(&experiment.manifest.ragas, &[], "contexts_missing", Some("a reference"));
        sorted.ineligible.into_iter().map(|(metric, _)| metric).collect()
    } else {
        Vec::new()
    };
    let state = if lost.is_empty() { "ok" } else { "warn" };
    line("", state, &format!("{}: {} ms · {contexts} · {usage} · model {model}", probe.alias, probe.latency_ms));
    if !lost.is_empty() {
        let text = format!("{}: will not be evaluable (contexts_missing): {}", probe.alias, lost.join(", "));
        line("", "warn", &text);
    }
}

/// Streams, of each service once.
async fn tell_streams(config: &RunConfig, probes: &[Probe], selected: &Selected, client: &HttpClient) {
    let Some(question) = selected.questions.first() else { return };
    let mut services: BTreeMap<&str, &str> = BTreeMap::new();
    for probe in probes.iter().filter(|probe| probe.outcome.is_ok()) {
        services.entry(config.asking(&probe.alias).endpoint.shown()).or_insert(&probe.alias);
    }
    for (_, alias) in services {
        let asked = probe::streams(config.asking(alias), alias, &question.query, client);
        let (state, text) = match tokio::time::timeout(STREAM_PATIENCE, asked).await {
            Ok(Ok(true)) => ("ok", "yes".to_owned()),
            Ok(Ok(false)) => ("warn", "it answers whole (harmless: runs do not stream)".to_owned()),
            Ok(Err(reason)) => ("warn", format!("refused (harmless: runs do not stream): {reason}")),
            Err(_) => {
                ("warn", format!("nothing within {} s (harmless: runs do not stream)", STREAM_PATIENCE.as_secs()))
            }
        };
        line("stream", state, &format!("{alias}: {text}"));
    }
}

fn tell_questions(experiment: &Experiment, selected: &Selected) {
    let total = selected.questions.len();
    let without = selected.questions.iter().filter(|question| question.ground_truth.is_none()).count();
    let sorted = eligibility(&experiment.manifest.ragas, &["a context".to_owned()], "contexts_missing", None);
    let lost: Vec<String> = sorted.ineligible.into_iter().map(|(metric, _)| metric).collect();
    if without == 0 || lost.is_empty() {
        return line("questions", "ok", &format!("{total} in {}", selected.dataset.id));
    }
    let text = format!("{without} of {total} have no ground_truth; not evaluable there: {}", lost.join(", "));
    line("questions", "warn", &text);
}

/// Scores the first usable answer, as a run would; false when the evaluator, or a metric of it, failed.
async fn tell_evaluator(config: &RunConfig, probes: &[Probe], selected: &Selected) -> bool {
    let Some(scoring) = &config.scoring else {
        line("evaluator", "ok", "nothing is scored: no metric, or no evaluator");
        return true;
    };
    let answered = probes.iter().find_map(|probe| probe.outcome.as_ref().ok());
    let (Some(Seen { answer, contexts, contexts_missing, .. }), Some(question)) =
        (answered, selected.questions.first())
    else {
        line("evaluator", "warn", "not tried: nobody answered");
        return true;
    };
    let subject = Subject {
        question: &question.query,
        answer,
        contexts,
        contexts_missing: *contexts_missing,
        ground_truth: question.ground_truth.as_deref(),
        row_id: "probe",
        run_id: "probe",
        dataset_id: &selected.dataset.id,
    };
    let scored = scoring.score(&subject).await;
    let part = |key: &str| scored.get(key).and_then(serde_json::Value::as_str);
    let status = part("status").unwrap_or("-");
    let failed = scored.get("metric_errors").and_then(serde_json::Value::as_object).into_iter().flatten();
    let failed: Vec<String> =
        failed.map(|(metric, reason)| format!("{metric}: {}", reason.as_str().unwrap_or("failed"))).collect();
    let problem = match (part("error"), failed.first()) {
        (Some(error), _) if status == "error" => error.to_owned(),
        (_, Some(first)) => format!("{} metrics failed, the first {first}", failed.len()),
        _ if status == "error" => status.to_owned(),
        _ => {
            line("evaluator", "ok", &format!("{status}, {}", part("evaluator_model").unwrap_or("-")));
            return true;
        }
    };
    line("evaluator", "error", &problem);
    false
}

/// How long a run will take and what it will cost, if its answers are like these.
fn tell_plan(config: &RunConfig, probes: &[Probe], selected: &Selected, prices: Option<&Prices>) {
    let questions_n = selected.questions.len();
    let lanes = config.concurrency.max(1) as f64;
    let seconds: f64 = probes.iter().map(|probe| probe.latency_ms as f64 / 1000.0 * questions_n as f64 / lanes).sum();
    let mut unknown: Vec<String> = Vec::new();
    let mut cost = 0.0;
    for probe in probes {
        let known = probe.outcome.as_ref().ok().and_then(|seen| {
            let (prompt, completion) = seen.tokens?;
            let names = [seen.model.as_deref().unwrap_or_default(), &probe.alias];
            Some(prices?.find(&names)?.of(prompt, completion))
        });
        match known {
            Some(each) => cost += each * questions_n as f64,
            None => unknown.push(probe.alias.clone()),
        }
    }
    let currency = prices.map_or("", |prices| prices.currency.as_str());
    let cost = match (unknown.is_empty(), unknown.len() == probes.len()) {
        (true, _) => format!("about {cost:.4} {currency}"),
        (false, true) => format!("cost unknown (no usage, or no price in {})", prices::PRICES_FILE),
        (false, false) => format!("at least {cost:.4} {currency}; unknown for {}", unknown.join(", ")),
    };
    let cells_n = selected.cells.len();
    line(
        "plan",
        "ok",
        &format!("{cells_n} cells, about {:.0} s at {lanes} a time without scoring, {cost}", seconds.ceil()),
    );
}
