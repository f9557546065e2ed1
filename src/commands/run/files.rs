//! Which files a run keeps, and what it is called (`docs/decisions/0002-names-of-a-run.md`).

use crate::cli::RunArgs;
use crate::commands::context::Context;
use crate::commands::level::judgments_of;
use crate::error::{Failure, Kind, Result};
use crate::experiment::roles::Roles;
use std::path::{Path, PathBuf};

/// Name and absolute paths of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFiles {
    /// Enters every row id.
    pub run_id: String,
    /// The canonical rows.
    pub evidence: PathBuf,
    /// The compatibility matrix.
    pub matrix: PathBuf,
    /// The summary as JSON.
    pub evaluation: PathBuf,
    /// The summary as long-form CSV.
    pub csv: PathBuf,
}

impl RunFiles {
    /// Derives names from what was given, from the results file, or from the dataset's id, in this order.
    ///
    /// A preset of roles that is not the default one is another run, so it enters the name behind the dataset's id.
    pub fn derive(context: &Context, arguments: &RunArgs, dataset_id: &str, roles: &Roles) -> Result<Self> {
        let results = arguments.results_file.as_deref().map(|file| context.artifact(file));
        let run_id = match (&arguments.run_id, &results) {
            (Some(id), _) => id.clone(),
            (None, Some(file)) => stem(file)?,
            (None, None) if roles.is_default => dataset_id.to_owned(),
            (None, None) => format!("{dataset_id}-{}", roles.preset),
        };
        let mut files = match results {
            Some(file) => {
                let evaluation = file.with_file_name(format!("{}-summary.json", stem(&file)?));
                let evidence = file.with_extension("jsonl");
                Self { run_id, csv: evidence.with_extension("csv"), evidence, matrix: file, evaluation }
            }
            None => Self::of_run(context, &run_id)?,
        };
        if let Some(file) = &arguments.evidence_file {
            files.evidence = context.artifact(file);
            files.csv = files.evidence.with_extension("csv");
        }
        if let Some(file) = &arguments.summary_file {
            files.evaluation = context.artifact(file);
        }
        Ok(files)
    }

    /// The files of a run that was given nothing but its id.
    pub fn of_run(context: &Context, run_id: &str) -> Result<Self> {
        check_name(run_id)?;
        let named = |suffix: &str| context.results().join(format!("{run_id}{suffix}"));
        Ok(Self {
            run_id: run_id.to_owned(),
            evidence: named(".jsonl"),
            matrix: named("-matrix.json"),
            evaluation: named("-evaluation.json"),
            csv: named(".csv"),
        })
    }

    /// Where the panel's artifact lies once there is one.
    pub fn judgments(&self) -> PathBuf {
        judgments_of(&self.evidence)
    }
}

fn stem(file: &Path) -> Result<String> {
    file.file_stem()
        .and_then(|stem| stem.to_str())
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(Kind::Input, format!("the results file `{}` has no UTF-8 name", file.display())))
}

/// A run id becomes a file name, so it must be one on every system.
pub(in crate::commands) fn check_name(run_id: &str) -> Result<()> {
    let safe = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '@' | ' ');
    if !run_id.is_empty() && !run_id.starts_with('.') && run_id.trim() == run_id && run_id.chars().all(safe) {
        return Ok(());
    }
    Err(Failure::new(Kind::Input, format!("the run id `{run_id}` cannot be a file name"))
        .hint("use letters, digits, `.`, `-` and `_`, or name the files with --results-file"))
}
