//! What a ladder that died left behind, swept away before the next one begins.
//!
//! Removes hidden folders of publications that never came about, folders that the catalogue no longer names because a
//! newer one of the same stamp took their place, and folders it never named whose files still lie in the working folder.
//! Removes nothing else: a folder with anything in it that no publication puts there stays.

use super::names::Artifact;
use super::publication::{STAGING, is_same};
use super::{Error, Result};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What is known of the folders of one dataset's stamp.
#[derive(Debug, Clone, Default)]
pub struct Catalogued {
    /// Folders that the catalogue names a file of.
    pub named: Vec<PathBuf>,
    /// The working files that a publication would copy, with the names they would get.
    pub working: Vec<(String, PathBuf)>,
}

/// Removes what publications in this folder and of this catalogue left half-done. Nobody may be publishing meanwhile.
pub fn sweep_staging(folder: &Path, catalogue: &Path) -> Result<()> {
    let next = next_of(catalogue);
    match fs::remove_file(&next) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::file("remove", &next)(error)),
        _ => {}
    }
    folders(folder)?.iter().filter(|(name, _)| name.starts_with(STAGING)).try_for_each(|(_, path)| remove_folder(path))
}

/// Removes the folders of one stamp and dataset (`stem`) that are not in force.
pub fn sweep_stem(folder: &Path, stem: &str, catalogued: &Catalogued) -> Result<()> {
    let of_stem = |name: &str| match name.strip_prefix(stem) {
        Some("") => true,
        Some(rest) => rest.strip_prefix("--").is_some_and(|number| number.parse::<u32>().is_ok()),
        None => false,
    };
    let found: Vec<PathBuf> =
        folders(folder)?.into_iter().filter(|(name, _)| of_stem(name)).map(|(_, path)| path).collect();
    let (in_force, unnamed): (Vec<_>, Vec<_>) = found.into_iter().partition(|path| catalogued.named.contains(path));
    for path in unnamed {
        let is_superseded = !in_force.is_empty();
        let is_needless = |name: &str, file: &Path| {
            let working = catalogued.working.iter().find(|(known, _)| known == name);
            is_published_name(stem, name) && (is_superseded || working.is_some_and(|(_, source)| is_same(file, source)))
        };
        if files(&path)?.iter().all(|(name, file)| is_needless(name, file)) {
            remove_folder(&path)?;
        }
    }
    Ok(())
}

/// Whether a file of this name in a folder of this stem can be one that a publication put there.
fn is_published_name(stem: &str, name: &str) -> bool {
    let runs = [stem.to_owned(), format!("{stem}-flavors")];
    runs.iter().any(|run_id| Artifact::ALL.iter().any(|artifact| artifact.file_name(run_id) == name))
}

/// Everything in a folder with its name.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(folder).map_err(Error::file("read", folder))?;
    let named = entries.map(|entry| {
        let path = entry.map_err(Error::file("read", folder))?.path();
        Ok((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path))
    });
    named.collect()
}

/// The folders in a folder with their names; none when it is not there.
fn folders(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = files(folder)?;
    found.retain(|(_, path)| path.is_dir() && !path.is_symlink());
    Ok(found)
}

/// Removes a folder with everything in it; one that is not there is fine.
pub(super) fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::file("remove", folder)(error)),
        _ => Ok(()),
    }
}

/// The hidden neighbour in which the next catalogue is written.
pub(super) fn next_of(catalogue: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(catalogue.file_name().unwrap_or_default());
    name.push(".next");
    catalogue.with_file_name(name)
}
