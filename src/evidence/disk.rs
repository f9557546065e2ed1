//! The evidence file as this process knows it: how far it is indexed, and how it grows.
//!
//! Everything here runs under the store's mutex, and under the data lock where the file's length matters. An append
//! never reads what is known already: only the bytes that other processes added since.

use super::data_lock::DataLock;
use super::encoded::EncodedRow;
use super::error::{Error, Result};
use super::index::{Index, Key};
use super::place::Place;
use super::scan;
use super::store::Shared;
use std::collections::HashMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The file and what is known of it.
#[derive(Debug)]
pub(crate) struct Disk {
    pub path: PathBuf,
    pub lock: DataLock,
    pub opened: Option<Opened>,
    read_only: bool,
    /// The failure after which nothing is appended any more.
    failed: Option<Error>,
}

/// One inode, indexed up to `end`.
#[derive(Debug)]
pub(crate) struct Opened {
    pub file: Arc<File>,
    identity: (u64, u64),
    end: u64,
    lines: u64,
    terminated: bool,
}

impl Disk {
    pub(crate) fn new(path: &Path, read_only: bool) -> Self {
        Self { path: path.to_owned(), lock: DataLock::beside(path), opened: None, read_only, failed: None }
    }

    /// Indexes the whole file as it is now; a missing file has no rows.
    ///
    /// The data lock is held only to learn a length at which no append is under way. What lies before it never
    /// changes, so other processes may append while it is read.
    pub(crate) fn load(&mut self, shared: &Shared) -> Result<()> {
        let (file, metadata) = {
            let _held = if self.read_only { self.lock.shared()? } else { Some(self.lock.exclusive()?) };
            match self.open()? {
                Some(opened) => opened,
                None => return Ok(()),
            }
        };
        self.index_from_start(shared, file, &metadata)
    }

    fn look_again(&mut self, shared: &Shared) -> Result<()> {
        let named = match fs::metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return match self.opened {
                    Some(_) => Err(Error::Removed { path: self.path.clone() }),
                    None => Ok(()),
                };
            }
            Err(error) => return Err(Error::io("read", &self.path)(error)),
        };
        match &mut self.opened {
            Some(opened) if opened.identity == identity(&named) && opened.end == named.len() => Ok(()),
            // An unterminated line that grew must be read again from its beginning; that is rare enough to start over.
            Some(opened) if opened.identity == identity(&named) && opened.end < named.len() && opened.terminated => {
                let range = opened.end..named.len();
                let scanned = scan::scan(&opened.file, &self.path, range, opened.lines, &mut shared.index_mut());
                match scanned {
                    Ok(scanned) => opened.grow(shared, named.len(), scanned),
                    // The index may hold some of the new rows: forget what is known, the next look begins anew.
                    Err(error) => {
                        self.opened = None;
                        return Err(error);
                    }
                }
                Ok(())
            }
            // Another file under the name (a rewrite), or a shorter one: nothing known holds any more.
            _ => match self.open()? {
                Some((file, metadata)) => self.index_from_start(shared, file, &metadata),
                None => Err(Error::Removed { path: self.path.clone() }),
            },
        }
    }

    /// Indexes what other processes did since. Call it with the data lock held.
    ///
    /// Where rows are appended, a failure (for instance damage done by others) ends all appending.
    pub(crate) fn catch_up(&mut self, shared: &Shared) -> Result<()> {
        if let Some(failed) = &self.failed {
            return Err(Error::Stopped { path: self.path.clone(), reason: failed.to_string() });
        }
        let caught_up = self.look_again(shared);
        if let (Err(error), false) = (&caught_up, self.read_only) {
            self.stop(shared, error);
        }
        caught_up
    }

    /// Appends rows with one write and one sync; answers each in turn.
    ///
    /// A row whose id is stored already is refused alone. Any other failure takes the whole batch back off the file,
    /// and everything after it is refused.
    pub(crate) fn commit(&mut self, shared: &Shared, rows: &[EncodedRow]) -> Vec<Result<Place>> {
        self.try_commit(shared, rows).unwrap_or_else(|error| {
            self.stop(shared, &error);
            rows.iter().map(|_| Err(error.clone())).collect()
        })
    }

    /// Refuses every later append.
    fn stop(&mut self, shared: &Shared, error: &Error) {
        self.failed.get_or_insert_with(|| error.clone());
        shared.stopped.store(true, Ordering::Release);
    }

    fn try_commit(&mut self, shared: &Shared, rows: &[EncodedRow]) -> Result<Vec<Result<Place>>> {
        let _held = self.lock.exclusive()?;
        self.catch_up(shared)?;
        let opened = match &mut self.opened {
            Some(opened) => opened,
            empty => empty.insert(create(&self.path, shared)?),
        };
        let mut bytes = Vec::with_capacity(rows.iter().map(|row| row.line().len() + 1).sum::<usize>() + 1);
        if !opened.terminated {
            bytes.push(b'\n');
        }
        let mut line = opened.lines;
        let mut batch = HashMap::new();
        let mut answers = Vec::with_capacity(rows.len());
        for row in rows {
            let stored = shared.index().get(row.row_id()).map(|place| place.line);
            if let Some(line) = stored.or_else(|| batch.get(row.row_id()).copied()) {
                let (path, row_id) = (self.path.clone(), row.row_id().to_owned());
                answers.push(Err(Error::AlreadyStored { path, row_id, line }));
                continue;
            }
            line += 1;
            batch.insert(row.row_id(), line);
            let offset = opened.end + bytes.len() as u64;
            answers.push(Ok(Place { offset, length: row.line().len() as u64, line }));
            bytes.extend_from_slice(row.line().as_bytes());
            bytes.push(b'\n');
        }
        if batch.is_empty() {
            return Ok(answers);
        }
        let end = opened.end + bytes.len() as u64;
        // Announced before the write, so that a claim that meets our own growing file need not wait for us.
        shared.covered.store(end, Ordering::Release);
        if let Err(error) = write_durably(&opened.file, &bytes) {
            let error = Error::io("append to", &self.path)(error);
            return Err(take_back(&opened.file, opened.end, error, &self.path));
        }
        opened.end = end;
        opened.lines = line;
        opened.terminated = true;
        let mut index = shared.index_mut();
        for (row, answer) in rows.iter().zip(&answers) {
            if let Ok(place) = answer {
                // Refused above when it was there.
                let _ = index.insert(Key::new(row.row_id()), *place);
            }
        }
        Ok(answers)
    }

    fn open(&self) -> Result<Option<(File, Metadata)>> {
        match OpenOptions::new().read(true).append(!self.read_only).open(&self.path) {
            Ok(file) => {
                let metadata = file.metadata().map_err(Error::io("read", &self.path))?;
                Ok(Some((file, metadata)))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("open", &self.path)(error)),
        }
    }

    fn index_from_start(&mut self, shared: &Shared, file: File, metadata: &Metadata) -> Result<()> {
        let mut fresh = Index::default();
        let end = metadata.len();
        let scanned = scan::scan(&file, &self.path, 0..end, 0, &mut fresh)?;
        *shared.index_mut() = fresh;
        let opened = Opened {
            file: Arc::new(file),
            identity: identity(metadata),
            end,
            lines: scanned.lines,
            terminated: scanned.terminated,
        };
        opened.announce(shared);
        self.opened = Some(opened);
        Ok(())
    }
}

impl Opened {
    /// Notes that the index reaches further.
    fn grow(&mut self, shared: &Shared, end: u64, scanned: scan::Scanned) {
        self.end = end;
        self.lines += scanned.lines;
        self.terminated = scanned.terminated;
        self.announce(shared);
    }

    /// Tells claims how far the index reaches, without the mutex.
    fn announce(&self, shared: &Shared) {
        shared.covered.store(self.end, Ordering::Release);
        shared.inode.store(self.identity.1, Ordering::Release);
    }
}

/// Names an inode.
fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

fn create(path: &Path, shared: &Shared) -> Result<Opened> {
    let file =
        OpenOptions::new().read(true).append(true).create_new(true).open(path).map_err(Error::io("create", path))?;
    let metadata = file.metadata().map_err(Error::io("read", path))?;
    sync_folder(path)?;
    let opened = Opened { file: Arc::new(file), identity: identity(&metadata), end: 0, lines: 0, terminated: true };
    opened.announce(shared);
    Ok(opened)
}

/// Makes the name of a new or renamed file durable.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("sync the folder", folder))
}

fn write_durably(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_data()
}

/// Removes what a failed write may have left, so that no half line stays.
fn take_back(file: &File, end: u64, error: Error, path: &Path) -> Error {
    match file.set_len(end).and_then(|()| file.sync_data()) {
        Ok(()) => error,
        Err(second) => {
            let reason = format!("{error}; what was written could not be taken back either ({second})");
            Error::Stopped { path: path.to_owned(), reason }
        }
    }
}
