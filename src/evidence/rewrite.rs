//! Replacing the evidence file by a copy that leaves some lines out.
//!
//! The only place where stored lines go away, and they go into a side file first. Runs under the data lock. The copy
//! is made beside the file, synced, and renamed over it: a crash leaves the old file or the new one.

use super::disk::sync_folder;
use super::error::{Error, Result};
use super::place::Place;
use super::store::read_line;
use serde::Deserialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

const COPY_BYTES: usize = 1 << 20;

/// Moves those of the rows at `places` that failed into the side file; returns how many.
pub(crate) fn supersede(path: &Path, file: &File, places: &[Place]) -> Result<usize> {
    let size = file.metadata().map_err(Error::io("read", path))?.len();
    let mut moved = Vec::new();
    let mut side = Vec::new();
    for place in places {
        let line = read_line(file, *place, path)?;
        if failed(&line) {
            moved.push(place.offset..line_end(file, *place, size).map_err(Error::io("read", path))?);
            side.extend_from_slice(line.as_bytes());
            side.push(b'\n');
        }
    }
    if moved.is_empty() {
        return Ok(0);
    }
    moved.sort_unstable_by_key(|range| range.start);
    moved.dedup();
    append_durably(&path.with_extension("superseded.jsonl"), &side)?;
    replace_without(path, file, size, &moved)?;
    Ok(moved.len())
}

/// Appends to a side file and syncs it; a cut-off last line of an earlier crash is ended first.
pub(crate) fn append_durably(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file =
        OpenOptions::new().read(true).append(true).create(true).open(path).map_err(Error::io("open", path))?;
    let mut write = || -> io::Result<()> {
        let size = file.metadata()?.len();
        let mut last = [b'\n'];
        if size > 0 {
            file.read_exact_at(&mut last, size - 1)?;
        }
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(Error::io("append to", path))?;
    sync_folder(path)
}

/// Replaces the file by a copy without the given byte ranges, which are sorted and apart.
pub(crate) fn replace_without(path: &Path, file: &File, size: u64, left_out: &[Range<u64>]) -> Result<()> {
    // A link stays a link: the file it leads to is what gets replaced.
    let target = fs::canonicalize(path).map_err(Error::io("read", path))?;
    let copy = copy_name(&target);
    let write = || -> io::Result<()> {
        // A copy left by a crash is overwritten: the data lock keeps other rewriters away.
        let mut output = File::create(&copy)?;
        output.set_permissions(file.metadata()?.permissions())?;
        let mut from = 0;
        for range in left_out.iter().chain([&(size..size)]) {
            copy_range(file, from..range.start, &mut output)?;
            from = range.end;
        }
        output.sync_all()
    };
    let renamed = write()
        .map_err(Error::io("write", &copy))
        .and_then(|()| fs::rename(&copy, &target).map_err(Error::io("replace", &target)));
    if let Err(error) = renamed {
        // The old file is untouched; a copy that cannot be removed is overwritten next time.
        let _ = fs::remove_file(&copy);
        return Err(error);
    }
    sync_folder(&target)
}

fn copy_name(target: &Path) -> PathBuf {
    super::data_lock::sidecar(target, ".rewrite")
}

fn copy_range(file: &File, range: Range<u64>, output: &mut File) -> io::Result<()> {
    let mut buffer = vec![0; COPY_BYTES];
    let mut offset = range.start;
    while offset < range.end {
        let size = (range.end - offset).min(COPY_BYTES as u64) as usize;
        file.read_exact_at(&mut buffer[..size], offset)?;
        output.write_all(&buffer[..size])?;
        offset += size as u64;
    }
    Ok(())
}

/// Finds where the line after a row begins.
fn line_end(file: &File, place: Place, size: u64) -> io::Result<u64> {
    let end = place.offset + place.length;
    let mut after = [0; 2];
    let available = (size - end).min(2) as usize;
    file.read_exact_at(&mut after[..available], end)?;
    Ok(match &after[..available] {
        [b'\n', ..] => end + 1,
        [b'\r', b'\n'] => end + 2,
        _ => end,
    })
}

fn failed(line: &str) -> bool {
    #[derive(Deserialize)]
    struct Stored {
        status: String,
    }
    serde_json::from_str::<Stored>(line).is_ok_and(|row| matches!(row.status.as_str(), "error" | "timeout"))
}
