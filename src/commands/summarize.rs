//! `ragsql summarize`: evidence and judgments to evaluation JSON and CSV.

use super::Ended;
use super::context::Context;
use super::import::make_folder;
use crate::cli::SummarizeArgs;
use crate::error::{Failure, Kind, Result};
use crate::report::summary::summarize_files;
use crate::ui;
use std::io::Write as _;
use std::path::Path;

/// Writes the summary of one evidence file; nothing is written when its rows cannot be read.
pub fn summarize(context: &Context, arguments: &SummarizeArgs) -> Result<Ended> {
    let rows = context.path(&arguments.rows);
    let judgments = arguments.judgments.as_deref().map(|file| context.path(file));
    let summary = summarize_files(&rows, judgments.as_deref(), &context.catalogue)?;
    let output = context.path(&arguments.output);
    write_whole(&output, summary.evaluation_json()?.as_bytes())?;
    if let Some(file) = &arguments.csv_output {
        write_whole(&context.path(file), summary.csv().as_bytes())?;
    }
    ui::status(&format!("wrote {}", context.shown(&output)));
    Ok(Ended::Done)
}

/// Writes a file under a temporary name and renames it, so that a reader sees the old bytes or the new ones.
///
/// Parent folders are made. An equal file is left alone.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        readable_by_all(file.as_file())?;
        file.persist(path).map_err(|error| error.error)
    });
    written
        .map(|_| ())
        .map_err(|error| Failure::new(Kind::Outside, format!("cannot write `{}`: {error}", path.display())))
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
