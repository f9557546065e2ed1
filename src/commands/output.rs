//! Files that commands write: under a temporary name, then renamed into place.

use super::import::make_folder;
use crate::error::{Failure, Kind, Result};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes a whole file, so that a reader sees the old bytes or the new ones. An equal file is left alone.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    write_with(path, |out| out.write_all(bytes).map_err(|error| failed(path, &error)))
}

/// Writes a file piece by piece, so that a large one never stands in memory. Parent folders are made.
pub fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    let told = |error: std::io::Error| failed(path, &error);
    let file = tempfile::NamedTempFile::new_in(folder).map_err(told)?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    let file = out.into_inner().map_err(|error| told(error.into_error()))?;
    readable_by_all(file.as_file()).and_then(|()| file.as_file().sync_all()).map_err(told)?;
    file.persist(path).map_err(|error| told(error.error))?;
    Ok(())
}

/// A file that grows under a temporary name, and gets its own when it is whole. Dropped before, it is gone.
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

impl Staged {
    /// Begins a file that will be called `path`. Parent folders are made.
    pub fn create(path: &Path) -> Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        make_folder(folder)?;
        let file = NamedTempFile::new_in(folder).map_err(|error| failed(path, &error))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Writes to its end; whoever takes it flushes it.
    pub fn writer(&self) -> Result<Box<dyn Write + Send>> {
        let file = self.file.reopen().map_err(|error| failed(&self.path, &error))?;
        Ok(Box::new(BufWriter::with_capacity(1 << 20, file)))
    }

    /// Gives the file its name.
    pub fn commit(self) -> Result<()> {
        let told = |error: std::io::Error| failed(&self.path, &error);
        readable_by_all(self.file.as_file()).and_then(|()| self.file.as_file().sync_all()).map_err(told)?;
        self.file.persist(&self.path).map_err(|error| failed(&self.path, &error.error))?;
        Ok(())
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::Outside, format!("cannot write `{}`: {error}", path.display()))
}

/// Temporary files are made for their owner alone; artifacts are not secret.
#[cfg(unix)]
fn readable_by_all(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_file: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
