//! What a ladder will do, decided and checked before its first call.
//!
//! Reads the experiment files, the corpora, what is stored and what is published. Writes nothing but a lock file, and
//! sweeps away what a ladder that died left half-published.

use super::rules::{self, Problems};
use crate::cli::{LadderArgs, RunArgs, SelectionArgs};
use crate::commands::context::Context;
use crate::commands::import::make_folder;
use crate::commands::run::Prepared;
use crate::commands::run::files::RunFiles;
use crate::error::{Failure, Kind, Result};
use crate::experiment::dataset::Dataset;
use crate::experiment::load::Experiment;
use crate::ladder::names::{Artifact, Tier, stem};
use crate::ladder::publication::{Publication, Source};
use crate::ladder::recovery::{self, Catalogued};
use crate::panel::store::Store as Verdicts;
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::sync::Arc;

/// A ladder that may be climbed.
pub struct Plan {
    /// Names runs and files.
    pub stamp: String,
    /// The datasets, in the order they are measured.
    pub rungs: Vec<Rung>,
    /// Whom all of them ask.
    pub gateway: String,
    /// The catalogue.
    pub catalogue: PathBuf,
    /// Whether an earlier ladder goes on.
    is_resumed: bool,
    /// Held as long as the ladder is climbed.
    _lock: File,
}

/// One dataset.
pub struct Rung {
    /// As the catalogue had it at the start.
    pub dataset: Arc<Dataset>,
    /// What is measured, in order.
    pub tiers: Vec<TierPlan>,
    /// Files of a tier that is not measured, but was published under the same stamp, and stays.
    pub kept: Vec<Source>,
}

/// One run.
pub struct TierPlan {
    /// Which approaches.
    pub tier: Tier,
    /// Its working files.
    pub files: RunFiles,
    /// How it is run.
    pub arguments: RunArgs,
    /// Whether its files are in force already.
    pub is_published: bool,
    /// The four files that are published, working or published before.
    pub sources: Vec<Source>,
    /// How many questions it has; 0 when it is published already.
    pub questions_n: usize,
    /// How many approaches.
    pub approaches_n: usize,
}

impl Rung {
    /// Whether there is nothing left to do.
    pub fn is_published(&self) -> bool {
        self.tiers.iter().all(|tier| tier.is_published)
    }
}

impl Plan {
    /// Decides what to measure; everything that can be refused is refused here, all of it together.
    pub fn make(context: &Context, arguments: &LadderArgs) -> Result<Self> {
        let experiment = context.experiment(&arguments.experiment)?;
        let datasets = rules::datasets(&experiment, arguments)?;
        let stamp = rules::stamp(context, arguments, &datasets)?;
        let lock = lock(context)?;
        rules::names(&experiment, &stamp)?;
        rules::declared_ingestion(arguments, &datasets)?;
        sweep(context, &experiment, &datasets, &stamp)?;
        let mut plan = Self {
            stamp,
            rungs: Vec::new(),
            gateway: String::new(),
            catalogue: experiment.manifest.datasets_file.clone(),
            is_resumed: arguments.resume,
            _lock: lock,
        };
        let mut problems = Problems::default();
        for dataset in &datasets {
            let rung = problems.note(plan.rung(context, &experiment, arguments, dataset));
            plan.rungs.extend(rung);
        }
        problems.into_result()?;
        rules::resumes_something(arguments, &plan)?;
        Ok(plan)
    }

    /// What to say to somebody whose ladder ended before its top.
    pub fn goes_on(&self) -> String {
        format!("the same command with `--resume --date-stamp {}` goes on where this one ended", self.stamp)
    }

    /// The files of all tiers of a rung and those that stay, ready to be published.
    pub fn publication(&self, context: &Context, rung: &Rung) -> Publication {
        let own = rung.tiers.iter().flat_map(|tier| tier.sources.iter());
        Publication {
            project: context.project.clone(),
            folder: published_folder(context),
            catalogue: self.catalogue.clone(),
            dataset_id: rung.dataset.id.clone(),
            stamp: self.stamp.clone(),
            sources: own.chain(&rung.kept).cloned().collect(),
        }
    }

    /// Begins afresh where a ladder of the same stamp was published: its working files go, the published ones stay in
    /// force until the new ones are.
    pub fn forget_published_runs(&self, context: &Context) -> Result<()> {
        if self.is_resumed {
            return Ok(());
        }
        for files in self.rungs.iter().flat_map(|rung| &rung.tiers).map(|tier| &tier.files) {
            let judgments = files.judgments();
            let verdicts = Verdicts::beside(&judgments);
            for file in [&files.evidence, &files.matrix, &files.evaluation, &files.csv, &judgments, &verdicts] {
                match std::fs::remove_file(file) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        let message = format!("cannot remove `{}`: {error}", context.shown(file));
                        return Err(Failure::new(Kind::Outside, message));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn rung(
        &mut self,
        context: &Context,
        experiment: &Experiment,
        arguments: &LadderArgs,
        dataset: &Arc<Dataset>,
    ) -> Result<Rung> {
        rules::corpus(context, dataset)?;
        let mut rung = Rung { dataset: Arc::clone(dataset), tiers: Vec::new(), kept: Vec::new() };
        let mut problems = Problems::default();
        for tier in Tier::ALL {
            let published = published(context, dataset, tier, &self.stamp);
            if tier == Tier::Flavors && !arguments.include_flavor_tier {
                rung.kept = published.unwrap_or_default();
                problems.note(rules::one_date(dataset, &rung.kept));
            } else {
                let planned = self.tier(context, experiment, arguments, dataset, tier, published);
                rung.tiers.extend(problems.note(planned));
            }
        }
        problems.into_result()?;
        rules::editable(&self.publication(context, &rung))?;
        Ok(rung)
    }

    fn tier(
        &mut self,
        context: &Context,
        experiment: &Experiment,
        arguments: &LadderArgs,
        dataset: &Dataset,
        tier: Tier,
        published: Option<Vec<Source>>,
    ) -> Result<TierPlan> {
        let files = RunFiles::of_run(context, &tier.run_id(&self.stamp, &dataset.id))?;
        let working = working(&files, tier);
        let is_stored = std::fs::metadata(&files.evidence).is_ok_and(|facts| facts.len() > 0);
        let in_force = published.filter(|published| !is_stored || is_same(published, &working));
        if is_stored && in_force.is_none() && !arguments.resume {
            return Err(rules::unpublished(context, &files, &self.stamp));
        }
        let run = run_arguments(experiment, arguments, dataset, tier, &files.run_id)?;
        let prepared = Prepared::new(context, &run)?;
        prepared.judges()?;
        let is_published = arguments.resume && in_force.is_some();
        if arguments.resume && !is_published {
            prepared.compare_stored()?;
        }
        self.gateway = prepared.target.described();
        let (questions_n, approaches_n) = (prepared.selected.questions.len(), prepared.selected.profiles.len());
        drop(prepared);
        let sources = in_force.filter(|_| is_published).unwrap_or(working);
        Ok(TierPlan { tier, files, arguments: run, is_published, sources, questions_n, approaches_n })
    }
}

/// Where published files lie.
fn published_folder(context: &Context) -> PathBuf {
    context.project.join("docs").join("results")
}

/// Keeps a second ladder of the same project out.
fn lock(context: &Context) -> Result<File> {
    make_folder(&context.results())?;
    let path = context.results().join(".ladder.lock");
    let failed =
        |error: std::io::Error| Failure::new(Kind::Outside, format!("cannot lock `{}`: {error}", context.shown(&path)));
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let message = "another `ragsql ladder` is at work on this project";
            Err(Failure::new(Kind::Input, message).hint("wait until it is done; nothing was called"))
        }
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Sweeps away what a ladder that died left half-published, before the state of the project is recorded in any row.
fn sweep(context: &Context, experiment: &Experiment, datasets: &[Arc<Dataset>], stamp: &str) -> Result<()> {
    let folder = published_folder(context);
    recovery::sweep_staging(&folder, &experiment.manifest.datasets_file)?;
    let paths = experiment.datasets.iter().flat_map(|dataset| dataset.notes.iter());
    let named: Vec<PathBuf> = paths
        .filter(|(key, _)| key.ends_with("_snapshot"))
        .filter_map(|(_, path)| Some(context.project.join(path).parent()?.to_owned()))
        .collect();
    for dataset in datasets {
        let mut working_files = Vec::new();
        for tier in Tier::ALL {
            let run_id = tier.run_id(stamp, &dataset.id);
            let files = working(&RunFiles::of_run(context, &run_id)?, tier);
            working_files.extend(files.into_iter().map(|source| (source.artifact.file_name(&run_id), source.path)));
        }
        let catalogued = Catalogued { named: named.clone(), working: working_files };
        recovery::sweep_stem(&folder, &stem(stamp, &dataset.id), &catalogued)?;
    }
    Ok(())
}

/// The working files of a tier.
fn working(files: &RunFiles, tier: Tier) -> Vec<Source> {
    let path = |artifact| match artifact {
        Artifact::Matrix => files.matrix.clone(),
        Artifact::Judgments => files.judgments(),
        Artifact::Evidence => files.evidence.clone(),
        Artifact::Evaluation => files.evaluation.clone(),
    };
    Artifact::ALL.map(|artifact| Source { tier, artifact, path: path(artifact) }).to_vec()
}

/// The files that the catalogue names for a tier, when all four are there and of this stamp.
fn published(context: &Context, dataset: &Dataset, tier: Tier, stamp: &str) -> Option<Vec<Source>> {
    let run_id = tier.run_id(stamp, &dataset.id);
    let named = Artifact::ALL.map(|artifact| {
        let path = context.project.join(dataset.notes.get(&artifact.key(tier))?);
        let is_of_stamp = path.file_name().is_some_and(|name| *name == *artifact.file_name(&run_id));
        (is_of_stamp && path.is_file()).then_some(Source { tier, artifact, path })
    });
    named.into_iter().collect()
}

fn is_same(one: &[Source], other: &[Source]) -> bool {
    one.iter().zip(other).all(|(one, other)| crate::ladder::publication::is_same(&one.path, &other.path))
}

/// `ragsql run` as this tier needs it.
fn run_arguments(
    experiment: &Experiment,
    arguments: &LadderArgs,
    dataset: &Dataset,
    tier: Tier,
    run_id: &str,
) -> Result<RunArgs> {
    let (models, flavors) = match tier {
        Tier::Base => (rules::without_repeats(&arguments.approaches), arguments.flavors.clone()),
        Tier::Flavors => (rules::flavor_aliases(experiment)?, Vec::new()),
    };
    Ok(RunArgs {
        experiment: arguments.experiment.clone(),
        selection: SelectionArgs { dataset: Some(dataset.id.clone()), models, flavors, ..SelectionArgs::default() },
        gateway: arguments.gateway.clone(),
        run_id: Some(run_id.to_owned()),
        retry_errors: arguments.retry_errors,
        max_cost: None,
        concurrency: arguments.concurrency,
        results_file: None,
        evidence_file: None,
        summary_file: None,
    })
}
