//! The data lock: one appender at a time, across processes.
//!
//! Locks the sidecar `.<name>.lock` as a whole with `flock(2)` (what `std::fs::File::lock` does on Linux, and what
//! the earlier system calls), so either system's runners exclude each other. The kernel releases it when its holder
//! dies; nothing is ever written about who holds it. The sidecar is never deleted.

use super::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Knows the sidecar of one evidence file.
#[derive(Debug)]
pub(crate) struct DataLock {
    path: PathBuf,
}

/// Holds the lock until it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    _file: File,
}

impl DataLock {
    pub(crate) fn beside(evidence: &Path) -> Self {
        Self { path: sidecar(evidence, ".lock") }
    }

    /// Waits for the lock; creates the sidecar (one NUL byte, as the contract says) when there is none.
    pub(crate) fn exclusive(&self) -> Result<Held> {
        loop {
            let mut file = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(&self.path)
                .map_err(Error::io("open the lock file", &self.path))?;
            retry(|| file.lock()).map_err(Error::io("lock", &self.path))?;
            if !self.is_current(&file)? {
                continue;
            }
            if file.metadata().map_err(Error::io("read", &self.path))?.len() == 0 {
                file.write_all(&[0]).map_err(Error::io("write", &self.path))?;
            }
            return Ok(Held { _file: file });
        }
    }

    /// Waits until no appender is at work; returns null when the sidecar does not exist, since then there is none.
    ///
    /// Creates nothing, so it works in a folder that cannot be written.
    pub(crate) fn shared(&self) -> Result<Option<Held>> {
        loop {
            let file = match File::open(&self.path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(Error::io("open the lock file", &self.path)(error)),
            };
            retry(|| file.lock_shared()).map_err(Error::io("lock", &self.path))?;
            if self.is_current(&file)? {
                return Ok(Some(Held { _file: file }));
            }
        }
    }

    /// Says whether the locked file is still the one under the name; somebody may have deleted it while we waited.
    fn is_current(&self, file: &File) -> Result<bool> {
        let locked = file.metadata().map_err(Error::io("read", &self.path))?;
        match fs::metadata(&self.path) {
            Ok(named) => Ok((named.dev(), named.ino()) == (locked.dev(), locked.ino())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::io("read", &self.path)(error)),
        }
    }
}

/// Names the hidden neighbour `.<name><suffix>` of an evidence file.
pub(crate) fn sidecar(evidence: &Path, suffix: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(evidence.file_name().unwrap_or_default());
    name.push(suffix);
    evidence.with_file_name(name)
}

/// Repeats a call that a signal interrupted.
fn retry(call: impl Fn() -> io::Result<()>) -> io::Result<()> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
