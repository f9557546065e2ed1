//! `ragsql corpus build`: a corpus from a public data set. `ragsql corpus ingest`: a corpus into somebody's gateway.

use super::context::Context;
use super::interrupt::Interrupt;
use super::{Ended, runtime, variable};
use crate::adapters::attack::{self, BuildOptions};
use crate::cli::{AttackArgs, CorpusArgs, CorpusCommand, CorpusSource, IngestArgs};
use crate::error::{Failure, Kind, Result};
use crate::json;
use crate::ui;
use crate::wire::ingest::client::{self, Submission};
use serde_json::Value;

/// Where the reference system keeps the token of its gateway.
const TOKEN_VARIABLE: &str = "BACKEND_INTERNAL_API_TOKEN";

/// Builds what was asked for.
pub fn corpus(context: &Context, arguments: &CorpusArgs) -> Result<Ended> {
    match &arguments.command {
        CorpusCommand::Build { source: CorpusSource::Attack(arguments) } => attack(context, arguments),
        CorpusCommand::Ingest(arguments) => ingest(arguments),
    }
}

/// Has a gateway ingest a corpus, and prints the record of its job.
fn ingest(arguments: &IngestArgs) -> Result<Ended> {
    let token = match &arguments.token_env {
        Some(name) => Some(variable(name).ok_or_else(|| {
            Failure::new(Kind::Input, format!("the environment variable `{name}` is not set or empty"))
        })?),
        None => variable(TOKEN_VARIABLE),
    };
    let submission = Submission {
        base_url: &arguments.gateway,
        token: token.as_deref(),
        profile: &arguments.profile,
        corpus_path: arguments.corpus_path.as_deref(),
        budget_s: f64::from(arguments.budget_s),
        poll_s: f64::from(arguments.poll_s),
    };
    let ingested = runtime()?.block_on(async {
        let mut interrupt = Interrupt::listen()?;
        tokio::select! {
            ingested = client::ingest(&submission) => Ok(Some(ingested?)),
            () = interrupt.heard() => Ok::<_, Failure>(None),
        }
    })?;
    let Some(ingested) = ingested else { return Ok(Ended::Interrupted) };
    let record = json::pretty_sorted(&Value::Object(ingested.record))
        .map_err(|error| Failure::new(Kind::Outside, format!("the record cannot be written: {error}")))?;
    ui::data(&format!("{}\n", record.trim_end()));
    Ok(Ended::Done)
}

fn attack(context: &Context, arguments: &AttackArgs) -> Result<Ended> {
    let templates = Some(context.project.join("templates")).filter(|folder| folder.is_dir());
    let options = BuildOptions { limit: arguments.limit, templates };
    let output = context.path(&arguments.output);
    let report = attack::build(&context.path(&arguments.from), &output, &options)?;
    for kind in &report.kinds {
        ui::data(&format!("{:<12}{} of {}\n", kind.kind.word(), kind.dossiers_n, kind.objects_n));
    }
    let version = report.version.as_deref().map_or(String::new(), |version| format!(" of version {version}"));
    ui::status(&format!("wrote {} dossiers{version} to {}", report.dossiers.len(), context.shown(&output)));
    Ok(Ended::Done)
}
