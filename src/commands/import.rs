//! `ragsql import`: existing files, and the results of other tools, into the warehouse.

use super::Ended;
use super::context::Context;
use super::output::write_whole;
use super::run::files::check_name;
use crate::cli::ImportArgs;
use crate::error::{Failure, Kind, Result};
use crate::experiment::load::{Experiment, Files};
use crate::imports::{self, Labels, Origin};
use crate::ui;
use crate::warehouse;
use std::path::{Path, PathBuf};

/// Loads evidence and judgments files, then runs every check. Foreign results are written as rows of their own first.
pub fn import(context: &Context, arguments: &ImportArgs) -> Result<Ended> {
    let warehouse = warehouse_file(context)?;
    let mut files: Vec<PathBuf> = Vec::new();
    for file in &arguments.files {
        let path = context.path(file);
        files.push(match imports::origin(&path) {
            Some(origin) => foreign(context, arguments, &path, origin)?,
            None => path,
        });
    }
    let judgments: Vec<PathBuf> = arguments.judgments.iter().map(|file| context.path(file)).collect();
    let imported = warehouse::import(&warehouse, &files, &judgments, &context.catalogue)?;
    for (path, ingested) in imported {
        ui::status(&format!("{}: {} rows", context.shown(&path), ingested.rows_n));
    }
    Ok(Ended::Done)
}

/// Writes foreign results as rows, beside the evidence and never into it; gives the file.
fn foreign(context: &Context, arguments: &ImportArgs, path: &Path, origin: Origin) -> Result<PathBuf> {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' };
    let name: String = path.file_stem().unwrap_or_default().to_string_lossy().chars().map(safe).collect();
    let run_id = arguments.run_id.clone().unwrap_or_else(|| format!("import-{name}"));
    check_name(&run_id)?;
    let level = |dataset: &String| {
        let experiment = Experiment::load(&context.project, &Files::default()).ok()?;
        experiment.datasets.iter().find(|known| known.id == *dataset).map(|dataset| dataset.complexity_level)
    };
    let labels = Labels {
        complexity_level: arguments.dataset.as_ref().and_then(level).unwrap_or(1),
        run_id: run_id.clone(),
        dataset: arguments.dataset.clone(),
        approach: arguments.approach.clone(),
    };
    let lines = imports::lines(path, origin, &labels)?;
    let folder = imported_folder(&context.results());
    make_folder(&folder)?;
    let file = folder.join(format!("{run_id}.jsonl"));
    let text = lines.join("\n") + "\n";
    if std::fs::read_to_string(&file).is_ok_and(|known| known != text) {
        let message = format!("`{}` holds another import", context.shown(&file));
        return Err(Failure::new(Kind::Input, message).hint("give this one a name with --run-id"));
    }
    write_whole(&file, text.as_bytes())?;
    ui::status(&format!("{}: results of {} as run {run_id}", context.shown(path), origin.as_str()));
    Ok(file)
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
