//! Publication of one dataset's files as one step that happens or does not.
//!
//! Copies the files into a hidden folder, has the copies checked, gives the folder its name, and at last names it in the
//! catalogue, which is replaced by one rename. Until then everything that was published before is in force, from then on
//! the new set is; a process that dies in between leaves one of the two, and what lies about is swept by
//! [`super::recovery`]. A published folder is never written to again: the same stamp published once more gets a folder
//! of its own, and the old one goes when nothing names it.

use super::names::{Artifact, Tier, stem};
use super::recovery::{self, Catalogued};
use super::{Error, Result};
use crate::experiment::snapshots;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// What the hidden folder of a publication begins with.
pub(super) const STAGING: &str = ".publishing-";

/// A file and what it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The tier it belongs to.
    pub tier: Tier,
    /// What it holds.
    pub artifact: Artifact,
    /// Where it lies now.
    pub path: PathBuf,
}

/// One dataset's files and where they go.
#[derive(Debug, Clone)]
pub struct Publication {
    /// The project folder, absolute; the catalogue names files relative to it.
    pub project: PathBuf,
    /// The folder of all published files, inside the project.
    pub folder: PathBuf,
    /// The catalogue.
    pub catalogue: PathBuf,
    /// The dataset.
    pub dataset_id: String,
    /// The ladder's stamp.
    pub stamp: String,
    /// Four files for each tier.
    pub sources: Vec<Source>,
}

/// What has just been done, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A hidden folder is there.
    Staged,
    /// One more file is copied into it.
    Copied,
    /// The copies are on disk for good.
    Synced,
    /// The copies were checked.
    Validated,
    /// The folder has its name.
    Moved,
    /// The new catalogue is on disk under another name.
    Prepared,
    /// The catalogue names the folder: the new set is in force.
    Named,
    /// What was in force before is gone.
    Swept,
}

impl Publication {
    /// Publishes the files, and returns the folder they are in.
    ///
    /// `validate` is given the hidden folder; what it refuses is not published. `at` hears of every step.
    pub fn publish<E: From<Error>>(
        &self,
        validate: impl FnOnce(&Path) -> Result<(), E>,
        at: &mut dyn FnMut(Step),
    ) -> Result<PathBuf, E> {
        let staging = self.folder.join(format!("{STAGING}{}", self.stem()));
        recovery::remove_folder(&staging)?;
        fs::create_dir_all(&staging).map_err(Error::file("create", &staging))?;
        at(Step::Staged);
        for source in &self.sources {
            copy(&source.path, &staging.join(self.file_name(source)))?;
            at(Step::Copied);
        }
        sync_folder(&staging)?;
        at(Step::Synced);
        validate(&staging)?;
        at(Step::Validated);
        let place = self.free_place();
        let catalogue = self.catalogue_naming(&place)?;
        fs::rename(&staging, &place).map_err(Error::file("create", &place))?;
        sync_folder(&self.folder)?;
        at(Step::Moved);
        replace(&self.catalogue, &catalogue, at)?;
        at(Step::Named);
        let catalogued = Catalogued { named: vec![place.clone()], working: Vec::new() };
        recovery::sweep_stem(&self.folder, &self.stem(), &catalogued)?;
        at(Step::Swept);
        Ok(place)
    }

    /// Fails when the catalogue cannot be made to name the files, so that nobody learns that after paying for them.
    pub fn try_catalogue(&self) -> Result<()> {
        self.catalogue_naming(&self.folder.join(self.stem())).map(|_| ())
    }

    /// The name under which a file is published.
    pub fn file_name(&self, source: &Source) -> String {
        source.artifact.file_name(&source.tier.run_id(&self.stamp, &self.dataset_id))
    }

    fn stem(&self) -> String {
        stem(&self.stamp, &self.dataset_id)
    }

    /// The first folder of the stem that is not there: `x`, `x--2`, `x--3`.
    fn free_place(&self) -> PathBuf {
        let stem = self.stem();
        let mut place = self.folder.join(&stem);
        let mut generation = 2;
        while place.exists() {
            place = self.folder.join(format!("{stem}--{generation}"));
            generation += 1;
        }
        place
    }

    /// The catalogue's text with the files of this folder in it.
    fn catalogue_naming(&self, place: &Path) -> Result<String> {
        let relative = place.strip_prefix(&self.project).map_err(|_| Error::Outside { path: place.to_owned() })?;
        let relative = relative.to_string_lossy().replace('\\', "/");
        let mut values = vec![("status".to_owned(), "measured".to_owned())];
        for source in &self.sources {
            values.push((source.artifact.key(source.tier), format!("{relative}/{}", self.file_name(source))));
        }
        let text = fs::read_to_string(&self.catalogue).map_err(Error::file("read", &self.catalogue))?;
        let name = crate::experiment::paths::display(&self.project, &self.catalogue);
        snapshots::with_values(&text, &name, &self.dataset_id, &values).map_err(Error::Catalogue)
    }
}

/// The text of a file replaced as a whole, durably, with its permissions.
fn replace(path: &Path, text: &str, at: &mut dyn FnMut(Step)) -> Result<()> {
    let next = recovery::next_of(path);
    let mut file = File::create(&next).map_err(Error::file("write", &next))?;
    let permissions = fs::metadata(path).map_err(Error::file("read", path))?.permissions();
    file.write_all(text.as_bytes())
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.sync_all())
        .map_err(Error::file("write", &next))?;
    at(Step::Prepared);
    fs::rename(&next, path).map_err(Error::file("write", path))?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map_err(Error::file("copy", from))?;
    File::open(to).and_then(|file| file.sync_all()).map_err(Error::file("write", to))
}

fn sync_folder(folder: &Path) -> Result<()> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::file("sync", folder))
}

/// Whether two files hold the same bytes; a file that cannot be read is not the same as anything.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).ok().map(|facts| facts.len());
    length(one).is_some() && length(one) == length(other) && same_bytes(one, other).unwrap_or(false)
}

fn same_bytes(one: &Path, other: &Path) -> std::io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let shared = left.len().min(right.len());
        if left[..shared] != right[..shared] || (shared == 0 && left.len() != right.len()) {
            return Ok(false);
        }
        if shared == 0 {
            return Ok(true);
        }
        one.consume(shared);
        other.consume(shared);
    }
}
