//! `ragsql rescore`: the stored answers of a run, scored again by another evaluator or with other metrics.
//!
//! Reads the parent's evidence, calls an evaluator and no approach, writes new evidence under a new run id. Every new row
//! names its parent and the hash of the parent's line; nothing that was there is edited. An interrupted rescore goes on
//! where it stopped when the same command runs again.

mod rows;

use super::context::Context;
use super::gateway::{Embedded, Started, ephemeral};
use super::interrupt::Interrupt;
use super::run::artifacts;
use super::run::config::jitter_seed;
use super::run::files::RunFiles;
use super::run::target;
use super::{Ended, runtime};
use crate::cli::RescoreArgs;
use crate::error::{Failure, Kind, Result};
use crate::evidence::claim::ClaimOutcome;
use crate::evidence::store::Store;
use crate::scoring::{ScoringClient, ScoringConfig};
use crate::ui;
use crate::wire::call::Endpoint;
use crate::wire::retry::{Pace, RetryPolicy};
use futures_util::stream::{self, StreamExt as _};
use rows::{Parent, Scorer};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Scores every stored answer of a run again.
pub fn rescore(context: &Context, arguments: &RescoreArgs) -> Result<Ended> {
    let experiment = context.experiment(&arguments.experiment)?;
    let parent_id = match &arguments.run {
        Some(run) => run.clone(),
        None => experiment.resolve_dataset(None, None)?.id.clone(),
    };
    let parent = RunFiles::of_run(context, &parent_id)?;
    let files = RunFiles::of_run(context, &arguments.run_id)?;
    if parent.evidence == files.evidence {
        let message =
            format!("`{parent_id}` is the run that is scored again; the new scores need a run id of their own");
        return Err(Failure::new(Kind::Input, message).hint("nothing was called"));
    }
    let known = Store::open_read_only(&parent.evidence)?;
    if known.is_empty() {
        let message = format!("`{}` holds no rows", context.shown(&parent.evidence));
        return Err(Failure::new(Kind::Input, message).hint("`ragsql run` makes them; nothing was called"));
    }
    let dataset_id = rows::dataset_of(&first_line(&parent.evidence)?)?;
    let dataset = experiment.resolve_dataset(Some(&dataset_id), None)?;
    let metrics =
        if arguments.metrics.is_empty() { experiment.manifest.ragas.clone() } else { arguments.metrics.clone() };
    let embedded = match (arguments.gateway.is_embedded(), &arguments.gateway.evaluator_url) {
        (true, None) => Some(Embedded::without_documents(context, &experiment, &dataset)?),
        _ => None,
    };
    let service = Service { arguments, embedded: embedded.as_ref() };
    ui::status(&format!(
        "ragsql rescore    {parent_id} -> {} · {} answers · {} · {}",
        files.run_id,
        known.len(),
        metrics.join(", "),
        service.described()?,
    ));
    let store = Store::open(&files.evidence)?;
    let run = experiment.manifest.run.clone();
    let told = Told {
        evaluator: service.described()?,
        metrics: metrics.clone(),
        roles: service.roles(),
        run_id: files.run_id.clone(),
        only_failed: arguments.only_failed,
    };
    let outcome = runtime()?.block_on(async {
        let mut interrupt = Interrupt::listen()?;
        let started = service.start().await?;
        let client = ScoringClient::new(ScoringConfig {
            endpoint: service.endpoint(started.as_ref())?,
            metrics,
            timeout_s: run.evaluator_timeout_s,
            policy: RetryPolicy::new(run.retries),
            pace: Pace::REAL,
            jitter_seed: jitter_seed(),
        })?;
        let scorer = Scorer { client, told: &told };
        let outcome = tokio::select! {
            outcome = score_all(&parent.evidence, &store, &scorer, run.concurrency) => Some(outcome?),
            () = interrupt.heard() => None,
        };
        if let Some(started) = started {
            started.stop().await;
        }
        Ok::<_, Failure>(outcome)
    })?;
    let Some(counts) = outcome else {
        ui::status(&format!(
            "stopped: {} of {} rows are on disk; run the same command again to go on",
            store.len(),
            known.len()
        ));
        return Ok(Ended::Interrupted);
    };
    drop(store);
    ui::data(&artifacts::summarize(context, &files, &dataset_id)?);
    ui::status(&format!("  rows            {} scored, {} there already", counts.scored_n, counts.reused_n));
    ui::status(&format!("  evidence        {}", context.shown(&files.evidence)));
    Ok(if counts.failed_n == 0 { Ended::Done } else { Ended::WithFailures })
}

/// What every new row says about its scores.
struct Told {
    evaluator: String,
    metrics: Vec<String>,
    roles: Map<String, Value>,
    run_id: String,
    /// Whether scores of the parent stand when none of them failed.
    only_failed: bool,
}

/// What became of the rows.
#[derive(Debug, Default)]
struct Counts {
    scored_n: usize,
    reused_n: usize,
    /// Rows with a metric whose scoring failed.
    failed_n: usize,
}

/// Scores line by line, several at a time; a row is done when it is on disk.
async fn score_all(parent: &Path, store: &Store, scorer: &Scorer<'_>, concurrency: usize) -> Result<Counts> {
    let lines = BufReader::new(open(parent)?).lines();
    let one = |line: std::io::Result<String>| async {
        let parent = Parent::read(&line.map_err(|error| unreadable(parent, &error))?)?;
        let row_id = parent.row_id_in(&scorer.told.run_id);
        match store.claim(&row_id).await? {
            ClaimOutcome::AlreadyDone => {
                let stored = store.line(&row_id)?.unwrap_or_default();
                scorer.check(&parent, &stored)?;
                Ok::<(bool, bool), Failure>((false, rows::has_failed(&stored)?))
            }
            ClaimOutcome::Claimed(claim) => {
                let row = scorer.row(&parent, &row_id).await?;
                let has_failed = rows::has_failed(row.line())?;
                store.append(row).await?;
                drop(claim);
                Ok((true, has_failed))
            }
        }
    };
    let mut scored = stream::iter(lines).map(one).buffer_unordered(concurrency.max(1));
    let mut counts = Counts::default();
    while let Some(outcome) = scored.next().await {
        let (is_new, has_failed) = outcome?;
        counts.scored_n += usize::from(is_new);
        counts.reused_n += usize::from(!is_new);
        counts.failed_n += usize::from(has_failed);
    }
    Ok(counts)
}

/// Who scores.
struct Service<'a> {
    arguments: &'a RescoreArgs,
    embedded: Option<&'a Embedded>,
}

impl Service<'_> {
    /// Starts the embedded gateway, if it is the one that scores. It ingests nothing.
    async fn start(&self) -> Result<Option<Started>> {
        match self.embedded {
            Some(embedded) => Ok(Some(embedded.start(ephemeral(), None).await?)),
            None => Ok(None),
        }
    }

    fn endpoint(&self, started: Option<&Started>) -> Result<Endpoint> {
        match started {
            Some(started) => Ok(Endpoint::new(&format!("http://{}/api/rag/evaluate", started.address()))?),
            None => self.foreign(),
        }
    }

    fn foreign(&self) -> Result<Endpoint> {
        target::foreign_evaluator(&self.arguments.gateway)
    }

    /// The evaluator for people and rows: never a port that is new every time.
    fn described(&self) -> Result<String> {
        match self.embedded {
            Some(_) => Ok("embedded".to_owned()),
            None => Ok(self.foreign()?.shown().to_owned()),
        }
    }

    /// The models that score, as far as they are known without asking.
    fn roles(&self) -> Map<String, Value> {
        self.embedded.map(Embedded::scoring_roles).unwrap_or_default()
    }
}

fn first_line(evidence: &Path) -> Result<String> {
    let mut line = String::new();
    BufReader::new(open(evidence)?).read_line(&mut line).map_err(|error| unreadable(evidence, &error))?;
    Ok(line)
}

fn open(evidence: &Path) -> Result<std::fs::File> {
    std::fs::File::open(evidence).map_err(|error| unreadable(evidence, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::Outside, format!("cannot read `{}`: {error}", path.display()))
}

impl Told {
    /// Whether the scores of a parent stand as they are.
    fn takes_over(&self, parent: &Parent) -> bool {
        self.only_failed && parent.is_scored_by(&self.metrics)
    }

    /// `reproducibility.rescored` of a new row.
    fn of(&self, parent: &Parent) -> Value {
        json!({
            "parent_run_id": parent.run_id(),
            "parent_row_id": parent.row_id(),
            "parent_row_sha256": parent.sha256(),
            "evaluator": self.evaluator,
            "metrics": self.metrics,
            "roles": self.roles,
            "is_taken_over": self.takes_over(parent),
        })
    }
}
