//! Pages that wait until all of them are there.
//!
//! Writes each to a hidden folder beside where it goes, then moves all of them. When something fails before, the hidden
//! folder goes and nothing else has changed. Pages can be made again at any time, so they are not forced to disk.

use crate::commands::import::make_folder;
use crate::error::{Failure, Kind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Pages by the folder they go to.
#[derive(Default)]
pub struct Staging {
    folders: BTreeMap<PathBuf, (Option<tempfile::TempDir>, Vec<PathBuf>)>,
}

impl Staging {
    /// Keeps a page for `folder`, at a path relative to it that must not leave it.
    pub fn add(&mut self, folder: &Path, path: &str, text: &str) -> Result<()> {
        let relative = PathBuf::from(path);
        let is_inside = relative.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if !is_inside || path.is_empty() {
            return Err(Failure::new(
                Kind::Input,
                format!("a page cannot go to `{path}`: it must stay below its folder"),
            ));
        }
        let (waiting, pages) = self.folders.entry(folder.to_owned()).or_default();
        let waiting = match waiting {
            Some(waiting) => waiting,
            None => {
                make_folder(folder)?;
                let made = tempfile::Builder::new().prefix(".report-").tempdir_in(folder);
                waiting.insert(made.map_err(|error| failed(folder, &error))?)
            }
        };
        let file = waiting.path().join(&relative);
        make_folder(file.parent().unwrap_or(folder))?;
        std::fs::write(&file, text).map_err(|error| failed(&file, &error))?;
        pages.push(relative);
        Ok(())
    }

    /// Moves every page to its place; returns how many went to which folder.
    pub fn publish(self) -> Result<Vec<(PathBuf, usize)>> {
        let mut published = Vec::new();
        for (folder, (waiting, pages)) in self.folders {
            let Some(waiting) = waiting else { continue };
            for page in &pages {
                let place = folder.join(page);
                make_folder(place.parent().unwrap_or(&folder))?;
                std::fs::rename(waiting.path().join(page), &place).map_err(|error| failed(&place, &error))?;
            }
            published.push((folder, pages.len()));
        }
        Ok(published)
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::Outside, format!("cannot write `{}`: {error}", path.display()))
}
