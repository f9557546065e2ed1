//! Which index file of the gateway is asked.

use crate::commands::context::Context;
use crate::error::{Failure, Kind, Result};
use crate::experiment::load::{Experiment, Files};
use crate::warehouse::{Access, AdHoc, Parameter};
use std::path::{Path, PathBuf};

/// The index that `--corpus` or `--corpus=DATASET` means; nothing when it was not given.
///
/// Each embedding model has an index of its own; the only one that fits is taken, and several are told by name. A file
/// can be named like a dataset: by its name or the part of it that comes from the model.
pub fn chosen(context: &Context, wanted: Option<&str>) -> Result<Option<PathBuf>> {
    let Some(wanted) = wanted else { return Ok(None) };
    let all = indexes(&context.results());
    let hint = "`ragsql run` and `ragsql gateway` make one";
    if all.is_empty() {
        return Err(Failure::new(Kind::Input, "there is no index of a corpus yet").hint(hint));
    }
    let is_named = |path: &&PathBuf| model(path) == wanted || path.file_name().is_some_and(|name| name == wanted);
    let fitting: Vec<PathBuf> = match all.iter().find(is_named) {
        Some(named) => vec![named.clone()],
        None if wanted.is_empty() => all,
        None => {
            let profile = profile_of(context, wanted);
            let mut holding = Vec::new();
            for path in all {
                if holds(context, &path, &profile)? {
                    holding.push(path);
                }
            }
            holding
        }
    };
    match fitting.as_slice() {
        [only] => Ok(Some(only.clone())),
        [] => Err(Failure::new(Kind::Input, format!("no index holds the corpus of `{wanted}`")).hint(hint)),
        several => {
            let names: Vec<String> = several.iter().map(|path| format!("--corpus={}", model(path))).collect();
            Err(Failure::new(Kind::Input, "there are several indexes, one for each embedding model")
                .hint(format!("name one: {}", names.join(", "))))
        }
    }
}

fn indexes(results: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(results).into_iter().flatten();
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_index(path)).collect();
    found.sort();
    found
}

fn is_index(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("corpus-") && name.ends_with(".duckdb")
}

/// The part of an index's name that comes from its embedding model.
fn model(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.trim_start_matches("corpus-").to_owned()
}

/// The ingestion profile of a dataset; the name itself when no dataset is called so.
fn profile_of(context: &Context, wanted: &str) -> String {
    let experiment = Experiment::load(&context.project, &Files::default()).ok();
    let datasets = experiment.map(|experiment| experiment.datasets).unwrap_or_default();
    let found = datasets.iter().find(|dataset| dataset.id == wanted);
    found.map_or_else(|| wanted.to_owned(), |dataset| dataset.ingestion_profile.clone())
}

fn holds(context: &Context, index: &Path, profile: &str) -> Result<bool> {
    let open = AdHoc::open_index(index, &context.catalogue, Access::ReadOnly)?;
    let found = open.warehouse().query("retrieval/holds_profile", &[("profile", Parameter::from(profile))])?;
    Ok(!found.rows.is_empty())
}
