//! `ragsql import`: existing files into the warehouse.

use super::Ended;
use super::context::Context;
use crate::cli::ImportArgs;
use crate::error::{Failure, Kind, Result};
use crate::ui;
use crate::warehouse;
use std::path::{Path, PathBuf};

/// Loads evidence and judgments files, then runs every check.
pub fn import(context: &Context, arguments: &ImportArgs) -> Result<Ended> {
    let files: Vec<PathBuf> = arguments.files.iter().map(|file| context.path(file)).collect();
    let judgments: Vec<PathBuf> = arguments.judgments.iter().map(|file| context.path(file)).collect();
    let imported = warehouse::import(&warehouse_file(context)?, &files, &judgments, &context.catalogue)?;
    for (path, ingested) in imported {
        ui::status(&format!("{}: {} rows", context.shown(&path), ingested.rows_n));
    }
    Ok(Ended::Done)
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
