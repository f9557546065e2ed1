//! `ragsql import`: existing files, and the results of other tools, into the warehouse.

use super::Ended;
use super::context::Context;
use super::output::write_whole;
use super::run::files::{RunFiles, check_name};
use crate::cli::ImportArgs;
use crate::error::{Failure, Kind, Result};
use crate::experiment::load::{Experiment, Files};
use crate::imports::{self, Foreign, Labels};
use crate::ui;
use crate::warehouse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Loads evidence and judgments files, then runs every check. Foreign results are written as rows of their own first;
/// all of them are read and checked before the first is written, and none stays when the load fails.
pub fn import(context: &Context, arguments: &ImportArgs) -> Result<Ended> {
    let paths: Vec<PathBuf> = arguments.files.iter().map(|file| context.path(file)).collect();
    let foreign = paths.iter().map(|path| imports::recognise(path)).collect::<std::result::Result<Vec<_>, _>>()?;
    if arguments.run_id.is_some() && foreign.iter().flatten().count() > 1 {
        return Err(Failure::new(Kind::Input, "--run-id names the run of one file, and several were given")
            .hint("import them one by one; nothing was imported"));
    }
    let complexity_levels = complexity_levels(context);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut written: Vec<Rows> = Vec::new();
    for (path, foreign) in paths.iter().zip(&foreign) {
        let Some(foreign) = foreign else {
            files.push(path.clone());
            continue;
        };
        let rows = rows(context, arguments, path, foreign, &complexity_levels)?;
        if written.iter().any(|other| other.file == rows.file) {
            let message = format!("two of the files would become the run `{}`", rows.run_id);
            return Err(Failure::new(Kind::Input, message).hint("import them one by one, each with a --run-id"));
        }
        files.push(rows.file.clone());
        written.push(rows);
    }
    let warehouse = warehouse_file(context)?;
    let judgments: Vec<PathBuf> = arguments.judgments.iter().map(|file| context.path(file)).collect();
    let imported = written
        .iter()
        .try_for_each(|rows| write_whole(&rows.file, rows.text.as_bytes()))
        .and_then(|()| Ok(warehouse::import(&warehouse, &files, &judgments, &context.catalogue)?));
    let imported = imported.inspect_err(|_| {
        for rows in written.iter().filter(|rows| !rows.was_there) {
            // It may be the one that was not written; the failure that is told says why.
            let _ = std::fs::remove_file(&rows.file);
        }
    })?;
    for rows in &written {
        ui::status(&rows.told);
    }
    for (path, ingested) in imported {
        ui::status(&format!("{}: {} rows", context.shown(&path), ingested.rows_n));
    }
    Ok(Ended::Done)
}

/// Foreign results as rows, before they are written.
struct Rows {
    run_id: String,
    file: PathBuf,
    text: String,
    /// Whether the same import was made before.
    was_there: bool,
    told: String,
}

/// Turns foreign results into rows, which will lie beside the evidence and never in it.
fn rows(
    context: &Context,
    arguments: &ImportArgs,
    path: &Path,
    foreign: &Foreign,
    complexity_levels: &BTreeMap<String, u32>,
) -> Result<Rows> {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' };
    let name: String = path.file_stem().unwrap_or_default().to_string_lossy().chars().map(safe).collect();
    let run_id = arguments.run_id.clone().unwrap_or_else(|| format!("import-{name}"));
    check_name(&run_id)?;
    let another_name = "give this one another name with --run-id; nothing was imported";
    let evidence = RunFiles::of_run(context, &run_id)?.evidence;
    if evidence.exists() {
        let message = format!("`{}` holds the run `{run_id}`", context.shown(&evidence));
        return Err(Failure::new(Kind::Input, message).hint(another_name));
    }
    let labels = Labels {
        run_id: run_id.clone(),
        dataset: arguments.dataset.clone(),
        approach: arguments.approach.clone(),
        complexity_levels: complexity_levels.clone(),
    };
    let text = imports::lines(path, foreign, &labels)?.join("\n") + "\n";
    let file = imported_folder(&context.results()).join(format!("{run_id}.jsonl"));
    let known = std::fs::read_to_string(&file).ok();
    if known.as_ref().is_some_and(|known| *known != text) {
        let message = format!("`{}` holds another import", context.shown(&file));
        return Err(Failure::new(Kind::Input, message).hint(another_name));
    }
    let told = format!("{}: results of {} as run {run_id}", context.shown(path), foreign.origin.as_str());
    Ok(Rows { run_id, file, text, was_there: known.is_some(), told })
}

/// How relational the project's datasets are; none without a project, because results may be looked at alone.
fn complexity_levels(context: &Context) -> BTreeMap<String, u32> {
    let experiment = Experiment::load(&context.project, &Files::default()).ok();
    let datasets = experiment.iter().flat_map(|experiment| &experiment.datasets);
    datasets.map(|dataset| (dataset.id.clone(), dataset.complexity_level)).collect()
}

/// Where rows that no run made are kept.
fn imported_folder(results: &Path) -> PathBuf {
    results.join("imported")
}

/// Every file whose rows belong into the warehouse: evidence of runs, then rows imported from other tools.
pub fn row_files(results: &Path) -> Result<Vec<PathBuf>> {
    Ok([evidence_files(results)?, evidence_files(&imported_folder(results))?].concat())
}

/// The warehouse's path; its folder exists afterwards.
fn warehouse_file(context: &Context) -> Result<PathBuf> {
    make_folder(&context.results())?;
    Ok(context.warehouse_file())
}

/// Makes a folder and its parents.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::new(Kind::Outside, format!("the folder `{}` cannot be made: {error}", folder.display()))
    })
}

/// The evidence files of a results folder, sorted; files beside them with other purposes are left out.
///
/// A missing folder has none.
pub fn evidence_files(results: &Path) -> Result<Vec<PathBuf>> {
    let listing = match std::fs::read_dir(results) {
        Ok(listing) => listing,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(Failure::new(Kind::Outside, format!("cannot list `{}`: {error}", results.display())));
        }
    };
    let mut files: Vec<PathBuf> =
        listing.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_evidence(path)).collect();
    files.sort();
    Ok(files)
}

fn is_evidence(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside = [".events.jsonl", ".superseded.jsonl", ".verdicts.jsonl"];
    name.ends_with(".jsonl") && !name.starts_with('.') && !beside.iter().any(|suffix| name.ends_with(suffix))
}
