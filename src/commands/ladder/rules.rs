//! What a ladder refuses before its first call.
//!
//! Reads arguments, the catalogue and the names of stored files. Calls nobody and writes nothing.

use super::plan::Plan;
use crate::cli::LadderArgs;
use crate::commands::context::Context;
use crate::commands::run::files::{RunFiles, check_name};
use crate::commands::variable;
use crate::error::{Failure, Kind, Result};
use crate::evidence::events::rfc3339;
use crate::experiment::dataset::Dataset;
use crate::experiment::load::Experiment;
use crate::experiment::problem::{Problem, Problems as FileProblems, listed, quoted};
use crate::ladder::names::{Artifact, Tier};
use crate::ladder::publication::{Publication, Source};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::SystemTime;

/// The status of datasets that a ladder measures, and of those it may be told to.
const MEASURED: &str = "measured";
const CANDIDATE: &str = "candidate";
const NOTHING_CALLED: &str = "nothing was called";

/// Refusals that are told together.
#[derive(Default)]
pub struct Problems(Vec<Failure>);

impl Problems {
    /// Keeps a refusal for later.
    pub fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|failure| self.0.push(failure)).ok()
    }

    /// All refusals as one; each hint once.
    pub fn into_result(self) -> Result<()> {
        let Some(kind) = self.0.first().map(|failure| failure.kind) else { return Ok(()) };
        let mut all = Failure { kind, messages: Vec::new(), hints: Vec::new() };
        for failure in self.0 {
            for message in failure.messages {
                if !all.messages.contains(&message) {
                    all.messages.push(message);
                }
            }
            for hint in failure.hints {
                if !all.hints.contains(&hint) {
                    all.hints.push(hint);
                }
            }
        }
        Err(all)
    }
}

/// The datasets that were asked for, in that order; without any, the measured ones in the order of the catalogue.
pub fn datasets(experiment: &Experiment, arguments: &LadderArgs) -> Result<Vec<Arc<Dataset>>> {
    if arguments.dataset.is_empty() {
        let measured: Vec<_> =
            experiment.datasets.iter().filter(|dataset| dataset.status == MEASURED).cloned().collect();
        if measured.is_empty() {
            let candidates: Vec<&str> = experiment.datasets.iter().map(|dataset| dataset.id.as_str()).collect();
            let message = "the catalogue lists no dataset whose status is `measured`";
            let hint = format!("name candidates: --include-candidates --dataset {}", candidates.join(" --dataset "));
            return Err(Failure::new(Kind::Input, message).hint(hint).hint(NOTHING_CALLED));
        }
        return Ok(measured);
    }
    let mut problems = FileProblems::default();
    let mut chosen: Vec<Arc<Dataset>> = Vec::new();
    for id in &arguments.dataset {
        match experiment.dataset(id) {
            Err(unknown) => problems.0.extend(unknown.0),
            Ok(dataset) if dataset.status == CANDIDATE && !arguments.include_candidates => {
                let message = format!("dataset {} is a candidate", quoted(id));
                problems.add(Problem::general(message).suggest("add --include-candidates to measure it".to_owned()));
            }
            Ok(dataset) if ![MEASURED, CANDIDATE].contains(&dataset.status.as_str()) => {
                let message = format!("dataset {} has the status {}", quoted(id), quoted(&dataset.status));
                let hint = "the ladder measures `measured` and, when told to, `candidate` datasets".to_owned();
                problems.add(Problem::general(message).suggest(hint));
            }
            Ok(dataset) if chosen.contains(&dataset) => {}
            Ok(dataset) => chosen.push(dataset),
        }
    }
    Ok(problems.into_result(Some(chosen))?)
}

/// The stamp that was given, else today's date in UTC. To go on without saying with what is refused.
pub fn stamp(context: &Context, arguments: &LadderArgs, datasets: &[Arc<Dataset>]) -> Result<String> {
    match &arguments.date_stamp {
        Some(stamp) if stamp.contains("--") => Err(Failure::new(
            Kind::Input,
            format!("the date stamp `{stamp}` holds `--`, which tells published folders of one stamp apart"),
        )),
        Some(stamp) => check_name(stamp).map(|()| stamp.clone()).map_err(|_| {
            let message = format!("the date stamp `{stamp}` cannot be part of a file name");
            Failure::new(Kind::Input, message).hint("write a date like 2026-07-17; nothing was called")
        }),
        None if arguments.resume => {
            let message = "`--resume` must be told which ladder goes on: the date of today may not be its own";
            let hint = match stamps(context, datasets) {
                stamps if stamps.is_empty() => "no ladder of these datasets has stored anything".to_owned(),
                stamps => format!("add --date-stamp; stored are {}", listed(&stamps, "and")),
            };
            Err(Failure::new(Kind::Input, message).hint(hint).hint(NOTHING_CALLED))
        }
        None => Ok(rfc3339(SystemTime::now()).chars().take("2026-07-17".len()).collect()),
    }
}

/// The stamps under which rows of these datasets are stored, sorted.
fn stamps(context: &Context, datasets: &[Arc<Dataset>]) -> Vec<String> {
    let listing = std::fs::read_dir(context.results()).into_iter().flatten().filter_map(Result::ok);
    let names: Vec<String> = listing.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let of = |name: &String| {
        let run_id = name.strip_prefix("live-")?.strip_suffix(".jsonl")?;
        datasets.iter().find_map(|dataset| {
            let base = run_id.strip_suffix(&format!("-{}", dataset.id));
            base.or_else(|| run_id.strip_suffix(&format!("-{}-flavors", dataset.id))).map(str::to_owned)
        })
    };
    let stamps: BTreeSet<String> = names.iter().filter_map(of).collect();
    stamps.into_iter().collect()
}

/// No two runs of the catalogue may be called alike: the flavors of `a` and a dataset `a-flavors` would be.
pub fn names(experiment: &Experiment, stamp: &str) -> Result<()> {
    let mut runs: Vec<(String, &str)> = Vec::new();
    for dataset in &experiment.datasets {
        for tier in Tier::ALL {
            let run_id = tier.run_id(stamp, &dataset.id);
            if let Some((_, other)) = runs.iter().find(|(known, _)| *known == run_id) {
                let message = format!("runs of `{other}` and `{}` would both be called `{run_id}`", dataset.id);
                return Err(Failure::new(Kind::Input, message).hint("rename a dataset; nothing was called"));
            }
            runs.push((run_id, &dataset.id));
        }
    }
    Ok(())
}

/// What the environment declares about the corpus of a gateway at a URL is true of one dataset at most.
pub fn declared_ingestion(arguments: &LadderArgs, datasets: &[Arc<Dataset>]) -> Result<()> {
    let named = ["ID", "JOB_ID", "PROFILE", "REVISION", "CONTENT_DIGEST"]
        .map(|part| format!("MATRIX_INGESTION_{part}"))
        .into_iter()
        .find(|name| variable(name).is_some());
    match named {
        Some(name) if datasets.len() > 1 && !arguments.gateway.is_embedded() => {
            let message = format!("{name} declares one ingestion, and {} datasets are measured", datasets.len());
            Err(Failure::new(Kind::Input, message).hint("measure one at a time with --dataset; nothing was called"))
        }
        _ => Ok(()),
    }
}

/// Every corpus folder must be there, whoever ingests it.
pub fn corpus(context: &Context, dataset: &Dataset) -> Result<()> {
    if dataset.corpus_path.is_dir() {
        return Ok(());
    }
    let folder = context.shown(&dataset.corpus_path);
    let message = format!("the corpus folder `{folder}` of dataset `{}` does not exist", dataset.id);
    Err(Failure::new(Kind::Input, message).hint(NOTHING_CALLED))
}

/// The catalogue must be able to name what will be published.
pub fn editable(publication: &Publication) -> Result<()> {
    publication.try_catalogue().map_err(|error| Failure::from(error).hint(NOTHING_CALLED))
}

/// A base tier of one date must not stand beside flavors of another (trap D-17).
pub fn one_date(dataset: &Dataset, kept: &[Source]) -> Result<()> {
    let named = Artifact::ALL.iter().find_map(|artifact| dataset.notes.get(&artifact.key(Tier::Flavors)));
    match named {
        Some(path) if kept.is_empty() => {
            let message = format!("dataset `{}` has published flavors of another ladder: `{path}`", dataset.id);
            Err(Failure::new(Kind::Input, message)
                .hint("add --include-flavor-tier, or take the `flavor_` keys out of the catalogue; nothing was called"))
        }
        _ => Ok(()),
    }
}

/// Rows that were paid for and are published nowhere are never thrown away by beginning afresh.
pub fn unpublished(context: &Context, files: &RunFiles, stamp: &str) -> Failure {
    let message = format!(
        "a ladder of {stamp} was begun and is not published: `{}` holds its rows",
        context.shown(&files.evidence)
    );
    Failure::new(Kind::Input, message)
        .hint(format!("`--resume --date-stamp {stamp}` goes on with it, another `--date-stamp` begins afresh"))
        .hint(NOTHING_CALLED)
}

/// To go on needs something to go on with.
pub fn resumes_something(arguments: &LadderArgs, plan: &Plan) -> Result<()> {
    let mut tiers = plan.rungs.iter().flat_map(|rung| &rung.tiers);
    if !arguments.resume || tiers.any(|tier| tier.is_published || tier.files.evidence.exists()) {
        return Ok(());
    }
    let message = format!("there is nothing to resume: no rows of a ladder of {} are stored", plan.stamp);
    Err(Failure::new(Kind::Input, message).hint("without --resume a ladder begins; nothing was called"))
}

/// Every flavor of the flavors file, which is the flavor tier.
pub fn flavor_aliases(experiment: &Experiment) -> Result<Vec<String>> {
    let own = experiment.flavors.iter().filter(|profile| profile.alias != profile.base);
    let aliases: Vec<String> = own.map(|profile| profile.alias.clone()).collect();
    if aliases.is_empty() {
        let message = "there is no flavor tier: the flavors file lists no flavor";
        return Err(Failure::new(Kind::Input, message).hint("leave --include-flavor-tier out; nothing was called"));
    }
    Ok(aliases)
}

/// Each alias once, in the order given.
pub fn without_repeats(aliases: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    aliases.iter().filter(|alias| seen.insert(alias.trim())).cloned().collect()
}
