//! What the runner is given: the manifest's settings, and how each approach is asked.

use super::connections;
use super::target::{Service, Target};
use crate::commands::context::Selected;
use crate::error::Result;
use crate::evidence::row::Reproducibility;
use crate::experiment::load::Experiment;
use crate::runner::{Asking, RunConfig};
use crate::scoring::{ScoringClient, ScoringConfig};
use crate::wire::retry::{Pace, RetryPolicy};

/// The settings of a run that has no name and no provenance yet.
pub fn run_config(
    experiment: &Experiment,
    selected: &Selected,
    target: &Target,
    service: &Service,
) -> Result<RunConfig> {
    let manifest = &experiment.manifest;
    let policy = RetryPolicy::new(manifest.run.retries);
    let scoring = match (&service.evaluator, manifest.ragas.is_empty()) {
        (Some(endpoint), false) => Some(ScoringClient::new(ScoringConfig {
            endpoint: endpoint.clone(),
            metrics: manifest.ragas.clone(),
            timeout_s: manifest.run.evaluator_timeout_s,
            policy,
            pace: Pace::REAL,
            jitter_seed: jitter_seed(),
        })?),
        _ => None,
    };
    let gateway = Asking {
        endpoint: service.chat.clone(),
        provider: target.provider().to_owned(),
        refuse_cache: true,
        connection: None,
    };
    Ok(RunConfig {
        run_id: String::new(),
        approaches: connections::askings(experiment, selected, &gateway)?,
        gateway,
        timeout_s: manifest.run.timeout_s,
        concurrency: manifest.run.concurrency,
        policy,
        pace: Pace::REAL,
        jitter_seed: jitter_seed(),
        reproducibility: Reproducibility::default(),
        ragas: manifest.ragas.clone(),
        scoring,
        spending: None,
        judge_panel_enabled: manifest.judge_panel.enabled,
    })
}

/// Waits that must differ between processes, so that refused runners do not come back together.
pub fn jitter_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 32)
}
