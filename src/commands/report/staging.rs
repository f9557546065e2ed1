//! Pages that wait until all of them are there.
//!
//! Writes each to a hidden folder beside where it goes, then moves all of them. When something fails before, the hidden
//! folder goes and nothing else has changed. A page that stands there already, byte for byte, is left alone. Pages can be
//! made again at any time, so they are not forced to disk.

use crate::report::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pages of one folder; several threads may add to it at once.
pub struct Staging {
    folder: PathBuf,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// Where new pages stand meanwhile; made with the first of them.
    hidden: Option<tempfile::TempDir>,
    /// Folders made below the hidden one, relative to it.
    folders: BTreeSet<PathBuf>,
    /// Every page added, and whether it stands in the hidden folder.
    pages: BTreeMap<PathBuf, bool>,
}

impl Staging {
    /// Begins to collect pages that go below `folder`.
    pub fn below(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), waiting: Mutex::default() }
    }

    /// Keeps a page, at a path relative to the folder that must not leave it.
    pub fn add(&self, path: &str, text: &str) -> Result<()> {
        let relative = PathBuf::from(path);
        if path.is_empty() || !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Error::Place { path: path.to_owned() });
        }
        let is_new = !std::fs::read(self.folder.join(&relative)).is_ok_and(|there| there == text.as_bytes());
        if is_new {
            let file = self.hidden_place(&relative)?;
            std::fs::write(&file, text).map_err(failed(&file))?;
        }
        self.locked().pages.insert(relative, is_new);
        Ok(())
    }

    /// Moves every page to its place, whole folders at once where there is none yet; returns how many pages there are,
    /// moved or unchanged.
    pub fn publish(self) -> Result<usize> {
        let Waiting { hidden, folders, pages } = self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(hidden) = hidden else { return Ok(pages.len()) };
        let mut moved: BTreeSet<&Path> = BTreeSet::new();
        let is_moved = |moved: &BTreeSet<&Path>, path: &Path| path.ancestors().any(|above| moved.contains(above));
        for folder in &folders {
            if !is_moved(&moved, folder) && !self.folder.join(folder).exists() {
                put(&hidden.path().join(folder), &self.folder.join(folder))?;
                moved.insert(folder);
            }
        }
        for (page, _) in pages.iter().filter(|(page, is_new)| **is_new && !is_moved(&moved, page)) {
            put(&hidden.path().join(page), &self.folder.join(page))?;
        }
        Ok(pages.len())
    }

    /// Where a page waits; its folder is there.
    fn hidden_place(&self, relative: &Path) -> Result<PathBuf> {
        let mut waiting = self.locked();
        let Waiting { hidden, folders, .. } = &mut *waiting;
        let hidden = match hidden {
            Some(hidden) => hidden,
            None => {
                std::fs::create_dir_all(&self.folder).map_err(failed(&self.folder))?;
                let made = tempfile::Builder::new().prefix(".report-").tempdir_in(&self.folder);
                hidden.insert(made.map_err(failed(&self.folder))?)
            }
        };
        for folder in relative.ancestors().skip(1).filter(|folder| *folder != Path::new("")) {
            folders.insert(folder.to_owned());
        }
        let file = hidden.path().join(relative);
        let parent = file.parent().unwrap_or(hidden.path());
        std::fs::create_dir_all(parent).map_err(failed(parent))?;
        Ok(file)
    }

    fn locked(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves a file or folder, over what stands there when it is a file.
fn put(from: &Path, to: &Path) -> Result<()> {
    let parent = to.parent().unwrap_or(to);
    std::fs::create_dir_all(parent).map_err(failed(parent))?;
    std::fs::rename(from, to).map_err(failed(to))
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::PageFile { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    fn publish(folder: &Path, pages: &[(&str, &str)]) -> usize {
        let staging = Staging::below(folder);
        pages.iter().for_each(|(path, text)| staging.add(path, text).unwrap());
        staging.publish().unwrap()
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn pages_come_beside_what_is_there_and_unchanged_ones_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        assert_eq!(publish(&site, &[("runs/a/1.md", "one"), ("runs/a/2.md", "two"), ("index.md", "i")]), 3);
        let inode = |page: &str| fs::metadata(site.join(page)).unwrap().ino();
        let (first, second) = (inode("runs/a/1.md"), inode("runs/a/2.md"));
        fs::write(site.join("runs/a/mine.txt"), "mine").unwrap();
        assert_eq!(publish(&site, &[("runs/a/1.md", "one"), ("runs/a/2.md", "new"), ("runs/b/1.md", "b")]), 3);
        assert_eq!(inode("runs/a/1.md"), first);
        assert_ne!(inode("runs/a/2.md"), second);
        assert_eq!(fs::read_to_string(site.join("runs/a/2.md")).unwrap(), "new");
        assert_eq!(files(&site.join("runs/a")), ["1.md", "2.md", "mine.txt"]);
        assert_eq!(
            (files(&site.join("runs")), files(&site)),
            (vec!["a".into(), "b".into()], vec!["index.md".into(), "runs".into()])
        );
    }

    #[test]
    fn pages_that_are_not_published_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let staging = Staging::below(folder.path());
        staging.add("runs/a/1.md", "one").unwrap();
        assert_eq!(files(folder.path()).len(), 1);
        drop(staging);
        assert_eq!(files(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn no_page_leaves_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["", "../x.md", "/x.md", "runs/../../x.md"] {
            let error = Staging::below(folder.path()).add(path, "x").unwrap_err();
            assert_eq!(error.to_string(), format!("a page cannot go to `{path}`: it must stay below its folder"));
        }
        assert_eq!(files(folder.path()), Vec::<String>::new());
    }
}
