//! Writes the dossiers and removes those of an earlier build.
//!
//! Reads the names in the output folder, and the heading of each file it would replace or remove. Never touches a
//! file that an earlier build cannot have written, never follows a symbolic link, and checks everything before the
//! first change.

use super::AttackError;
use super::identity::{AttackId, Kind};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Longest heading that is looked at, in bytes.
const HEADING_BYTES: u64 = 2_000;

/// Makes `folder` hold exactly `files` (name to text); gives the number of files removed.
pub fn replace(folder: &Path, files: &BTreeMap<String, String>) -> Result<usize, AttackError> {
    fs::create_dir_all(folder).map_err(|source| io("create", folder, source))?;
    let mut stale = Vec::new();
    for entry in fs::read_dir(folder).map_err(|source| io("read", folder, source))? {
        let entry = entry.map_err(|source| io("read", folder, source))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(|source| io("read", &path, source))?;
        if !kind.is_file() || !is_dossier(&path)? {
            return Err(AttackError::ForeignOutput { path });
        }
        if !entry.file_name().to_str().is_some_and(|name| files.contains_key(name)) {
            stale.push(path);
        }
    }
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|source| io("write", &path, source))?;
    }
    for path in &stale {
        fs::remove_file(path).map_err(|source| io("remove", path, source))?;
    }
    Ok(stale.len())
}

/// Says whether a file is one of ours: named after an identifier, with a heading that holds the same identifier.
///
/// An empty file of such a name is what an interrupted build leaves, so it counts.
fn is_dossier(path: &Path) -> Result<bool, AttackError> {
    let Some(id) = path.file_name().and_then(|name| name.to_str()).and_then(id_of_file) else { return Ok(false) };
    let mut start = Vec::new();
    let file = fs::File::open(path).map_err(|source| io("read", path, source))?;
    file.take(HEADING_BYTES).read_to_end(&mut start).map_err(|source| io("read", path, source))?;
    let start = String::from_utf8_lossy(&start);
    let heading = start.lines().next().unwrap_or_default();
    Ok(start.is_empty()
        || heading == format!("# {id}")
        || heading.starts_with("# ") && heading.ends_with(&format!("({id})")))
}

/// The identifier a file is named after, for instance `T1059.001` for `t1059.001-powershell.md`.
fn id_of_file(name: &str) -> Option<AttackId> {
    let stem = name.strip_suffix(".md")?;
    let id = stem.split_once('-').map_or(stem, |(id, _)| id).to_ascii_uppercase();
    Kind::ALL.into_iter().find_map(|kind| AttackId::parse(kind, &id))
}

fn io(action: &'static str, path: &Path, source: std::io::Error) -> AttackError {
    AttackError::Io { action, path: PathBuf::from(path), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_tell_the_identifier() {
        let id = |name| id_of_file(name).map(|id| id.to_string());
        assert_eq!(id("t1059.001-powershell.md").as_deref(), Some("T1059.001"));
        assert_eq!(id("t1059-command.md").as_deref(), Some("T1059"));
        assert_eq!(id("c0015.md").as_deref(), Some("C0015"));
        assert_eq!(id("notes.md"), None);
        assert_eq!(id("g0016-apt29.txt"), None);
    }
}
