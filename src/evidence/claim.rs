//! Claims: who works on which cell, across tasks and processes.
//!
//! One file `.<name>.claims` beside the evidence stays empty; a claim is a kernel lock on one byte of it, at an offset
//! derived from the row id. So a million cells leave one file, and the kernel gives every claim back when its process
//! dies, however it dies. Nothing is written about owners: no process id, no time, no lease.
//!
//! The locks are open-file-description locks (`F_OFD_SETLK`, Linux and macOS). All claims of a process share one
//! description, hence a table in memory keeps its own tasks apart.

use super::data_lock::sidecar;
use super::error::{Error, Result};
use super::row::hex;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
compile_error!("claims need open-file-description locks (F_OFD_SETLK), which this platform does not have");

/// What came of asking for a cell.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// The cell is ours until the claim is dropped, which must be after its row is durable.
    Claimed(Claim),
    /// Somebody finished the cell: its row is stored.
    AlreadyDone,
}

/// Holds one cell; gives it back when dropped.
#[derive(Debug)]
pub struct Claim {
    byte: u64,
    claims: Arc<Claims>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // First the kernel, then the table: in the other order another task could take the byte in between (the
        // kernel sees one owner) and lose it to this release. A failure leaves the byte held until the process ends.
        let _ = set_lock(&self.claims.file, libc::F_UNLCK as _, self.byte);
        self.claims.table().remove(&self.byte);
    }
}

/// The claims file of one evidence file.
#[derive(Debug)]
pub(crate) struct Claims {
    path: PathBuf,
    file: File,
    ours: Mutex<HashSet<u64>>,
}

impl Claims {
    /// Opens the claims file, and creates it when there is none.
    pub(crate) fn beside(evidence: &Path) -> Result<Arc<Self>> {
        let mut path = sidecar(evidence, ".claims");
        if path.is_dir() {
            // The earlier system keeps a folder of lock files under this name.
            path.push("bytes");
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::io("open the claims file", &path))?;
        Ok(Arc::new(Self { path, file, ours: Mutex::default() }))
    }

    /// Takes a cell, or returns null when another task or process has it. Never waits.
    pub(crate) fn try_claim(self: &Arc<Self>, row_id: &str) -> Result<Option<Claim>> {
        let byte = byte_of(row_id);
        let mut table = self.table();
        if table.contains(&byte) {
            return Ok(None);
        }
        if !set_lock(&self.file, libc::F_WRLCK as _, byte).map_err(Error::io("claim a cell in", &self.path))? {
            return Ok(None);
        }
        table.insert(byte);
        drop(table);
        Ok(Some(Claim { byte, claims: Arc::clone(self) }))
    }

    fn table(&self) -> std::sync::MutexGuard<'_, HashSet<u64>> {
        self.ours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Derives the byte of a cell: the first 63 bits of its digest.
///
/// Two cells that meet on one byte (one chance in 2^63 per pair) only wait for each other.
fn byte_of(row_id: &str) -> u64 {
    let is_digest = row_id.len() == 64 && row_id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let digest = if is_digest { row_id.to_owned() } else { hex(&Sha256::digest(row_id.as_bytes())) };
    u64::from_str_radix(&digest[..16], 16).unwrap_or_default() >> 1
}

/// Locks or unlocks one byte without waiting; false when another description holds it.
fn set_lock(file: &File, kind: libc::c_short, byte: u64) -> io::Result<bool> {
    // SAFETY: `flock` is a plain struct for which all zeroes is a valid value (and `l_pid` must be 0 here).
    let mut request: libc::flock = unsafe { std::mem::zeroed() };
    request.l_type = kind;
    request.l_whence = libc::SEEK_SET as libc::c_short;
    request.l_start = byte as libc::off_t;
    request.l_len = 1;
    loop {
        // SAFETY: the descriptor is open for the whole call and `request` outlives it.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &request) } == 0 {
            return Ok(true);
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EAGAIN | libc::EACCES) => return Ok(false),
            Some(libc::EINTR) => {}
            _ => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::byte_of;

    #[test]
    fn bytes_stay_within_a_signed_offset() {
        assert_eq!(byte_of(&"f".repeat(64)), u64::MAX >> 1);
        assert_eq!(byte_of(&"0".repeat(64)), 0);
        assert_ne!(byte_of("run 1"), byte_of("run 2"));
        assert!(byte_of("é") <= u64::MAX >> 1);
    }
}
