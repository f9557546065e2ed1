//! The store: one evidence file, open for a run or for reading.
//!
//! Reads the file once, then only what other processes append. Writes whole lines that are on disk before anybody is
//! told so. Never changes a stored line in place; `supersede` replaces the file in one step.

use super::claim::{Claim, ClaimOutcome, Claims};
use super::committer::Committer;
use super::disk::Disk;
use super::encoded::EncodedRow;
use super::error::{Error, Result};
use super::index::Index;
use super::rewrite;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

pub use super::place::Place;

/// How often a task asks again for a cell that somebody else holds.
const CLAIM_POLL: Duration = Duration::from_millis(25);

/// One evidence file.
#[derive(Debug)]
pub struct Store {
    shared: Arc<Shared>,
    /// Null when the store is for reading only.
    writing: Option<Writing>,
}

#[derive(Debug)]
struct Writing {
    committer: Committer,
    claims: Arc<Claims>,
}

/// What the store and its appending thread both use.
///
/// Lock order: data lock inside `disk`, `index` inside both; `index` is never held while something waits.
#[derive(Debug)]
pub(crate) struct Shared {
    pub path: PathBuf,
    disk: Mutex<Disk>,
    index: RwLock<Index>,
    /// Every row that another process stored before this offset is in the index.
    pub covered: AtomicU64,
    /// Inode that `covered` is about; 0 when there is no file yet.
    pub inode: AtomicU64,
    /// Set once an append failed.
    pub stopped: AtomicBool,
}

impl Store {
    /// Opens an evidence file for a run; parent folders and the two lock files are created, the file itself with its
    /// first row.
    ///
    /// Blocks while the file is read. Fails on a torn, damaged or repeated row: nothing is repaired here.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io("create the folder", parent))?;
        }
        let shared = Shared::load(path, false)?;
        let claims = Claims::beside(path)?;
        let committer = Committer::start(Arc::clone(&shared))?;
        Ok(Self { shared, writing: Some(Writing { committer, claims }) })
    }

    /// Opens an evidence file for reading: creates nothing, needs no right to write. A missing file has no rows.
    ///
    /// Fails like [`Store::open`].
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self { shared: Shared::load(path.as_ref(), true)?, writing: None })
    }

    /// The evidence file.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Rows known to be stored.
    pub fn len(&self) -> usize {
        self.shared.index().len()
    }

    /// Says whether no row is known to be stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds a row among those known to be stored.
    pub fn place(&self, row_id: &str) -> Option<Place> {
        self.shared.index().get(row_id)
    }

    /// Reads a stored line, byte for byte, without its line end; null when no such row is known.
    pub fn line(&self, row_id: &str) -> Result<Option<String>> {
        match self.snapshot(&[row_id]) {
            (Some(file), places) => places[0].map(|place| read_line(&file, place, self.path())).transpose(),
            (None, _) => Ok(None),
        }
    }

    /// Stores a row and returns where it lies, once it is on disk.
    ///
    /// Rows that wait at the same time share one write and one sync. [`Error::AlreadyStored`] and
    /// [`Error::ReadOnly`] concern this row alone; after any other failure nothing is appended any more, and every
    /// later call fails. The row is stored even if this future is dropped before it ends.
    pub async fn append(&self, row: EncodedRow) -> Result<Place> {
        let answer = self.writing()?.committer.append(row);
        answer.await.unwrap_or_else(|_| {
            Err(Error::Stopped { path: self.shared.path.clone(), reason: "the appending thread ended".to_owned() })
        })
    }

    /// Waits until a cell is ours or done.
    ///
    /// Holding the claim from before the call until after the append makes sure that a cell is called once, whatever
    /// number of tasks and processes work on the same file. Dropping the future stops waiting. Fails when appending
    /// is no longer possible, since the call would be wasted.
    pub async fn claim(&self, row_id: &str) -> Result<ClaimOutcome> {
        let claims = &self.writing()?.claims;
        loop {
            if self.place(row_id).is_some() {
                return Ok(ClaimOutcome::AlreadyDone);
            }
            let Some(claim) = claims.try_claim(row_id)? else {
                tokio::time::sleep(CLAIM_POLL).await;
                continue;
            };
            return self.see_others(claim, row_id).await.map(|claim| match claim {
                Some(claim) => ClaimOutcome::Claimed(claim),
                None => ClaimOutcome::AlreadyDone,
            });
        }
    }

    /// Reads what other processes appended since. Blocks for the data lock.
    pub fn refresh(&self) -> Result<()> {
        self.shared.refresh()
    }

    /// Moves failed rows into `<stem>.superseded.jsonl`, so that their cells run again; returns how many moved.
    ///
    /// Rows that are `ok` or not stored are left alone: another process may have finished them meanwhile. The other
    /// rows keep their bytes and order. The side file is on disk before the new evidence file takes the old one's
    /// name in one step: a crash leaves the old file or the new one, and at worst a row twice in the side file. Reads
    /// the whole file; blocks.
    pub fn supersede(&self, row_ids: &[String]) -> Result<usize> {
        self.writing()?;
        let mut disk = self.shared.disk();
        let _held = disk.lock.exclusive()?;
        disk.catch_up(&self.shared)?;
        let places: Vec<Place> = row_ids.iter().filter_map(|row_id| self.place(row_id)).collect();
        let Some(file) = disk.opened.as_ref().map(|opened| Arc::clone(&opened.file)) else {
            return Ok(0);
        };
        let moved = rewrite::supersede(&self.shared.path, &file, &places)?;
        disk.catch_up(&self.shared)?;
        Ok(moved)
    }

    /// The file and the places of some rows in it, taken together.
    pub(crate) fn snapshot<T: AsRef<str>>(&self, row_ids: &[T]) -> (Option<Arc<File>>, Vec<Option<Place>>) {
        let disk = self.shared.disk();
        let index = self.shared.index();
        let places = row_ids.iter().map(|row_id| index.get(row_id.as_ref())).collect();
        (disk.opened.as_ref().map(|opened| Arc::clone(&opened.file)), places)
    }

    /// Makes sure that the index knows what others stored; null when the cell turns out to be done.
    async fn see_others(&self, claim: Claim, row_id: &str) -> Result<Option<Claim>> {
        if !self.shared.is_current() {
            let shared = Arc::clone(&self.shared);
            let refreshed = tokio::task::spawn_blocking(move || shared.refresh()).await;
            refreshed.unwrap_or_else(|error| {
                Err(Error::Stopped { path: self.shared.path.clone(), reason: error.to_string() })
            })?;
        }
        Ok(if self.place(row_id).is_some() { None } else { Some(claim) })
    }

    fn writing(&self) -> Result<&Writing> {
        self.writing.as_ref().ok_or_else(|| Error::ReadOnly { path: self.shared.path.clone() })
    }
}

impl Shared {
    fn load(path: &Path, read_only: bool) -> Result<Arc<Self>> {
        let shared = Self {
            path: path.to_owned(),
            disk: Mutex::new(Disk::new(path, read_only)),
            index: RwLock::default(),
            covered: AtomicU64::new(0),
            inode: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        };
        shared.disk().load(&shared)?;
        Ok(Arc::new(shared))
    }

    pub(crate) fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn index_mut(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether every row that another process had stored by now is in the index; a look at the file's length.
    ///
    /// `covered` is read after the length: it only grows, and covers everything before our own append.
    fn is_current(&self) -> bool {
        if self.stopped.load(Ordering::Acquire) {
            return false;
        }
        match fs::metadata(&self.path) {
            Ok(metadata) => {
                metadata.ino() == self.inode.load(Ordering::Acquire)
                    && metadata.len() <= self.covered.load(Ordering::Acquire)
            }
            Err(error) => error.kind() == ErrorKind::NotFound && self.inode.load(Ordering::Acquire) == 0,
        }
    }

    fn refresh(&self) -> Result<()> {
        let mut disk = self.disk();
        let _held = disk.lock.shared()?;
        disk.catch_up(self)
    }
}

/// Reads one stored line.
pub(crate) fn read_line(file: &File, place: Place, path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    read_line_into(&mut bytes, file, place, path).map(str::to_owned)
}

/// Reads one stored line into a buffer that is used again for the next.
pub(crate) fn read_line_into<'a>(bytes: &'a mut Vec<u8>, file: &File, place: Place, path: &Path) -> Result<&'a str> {
    bytes.resize(place.length as usize, 0);
    file.read_exact_at(bytes, place.offset).map_err(Error::io("read", path))?;
    std::str::from_utf8(bytes).map_err(|_| Error::Damaged {
        path: path.to_owned(),
        line: place.line,
        offset: place.offset,
        reason: "it changed after it was read and is not UTF-8 any more".to_owned(),
    })
}
