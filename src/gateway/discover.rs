//! Finding and reading the documents of a corpus folder.
//!
//! Reads a folder; writes nothing. A file that cannot be used is reported by name and skipped; it never stops the rest.
//! Never follows a symbolic link out of the corpus root, and never opens anything but regular files.

use super::chunking::Markup;
use super::identity;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Larger documents are refused.
pub const LARGEST_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// A file the corpus consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusFile {
    /// Label of the corpus and path below its folder, with slashes: `subset/001-name.md`.
    pub source: String,
    /// Where the file lies, links resolved.
    pub path: PathBuf,
    /// SHA-256 of the bytes, lower-case hex.
    pub sha256: String,
    /// None when no parser reads this kind of file.
    pub markup: Option<Markup>,
}

/// A file that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// As [`CorpusFile::source`].
    pub source: String,
    /// What is wrong with it.
    pub message: String,
}

/// What a folder holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    /// In order of `source`.
    pub files: Vec<CorpusFile>,
    /// In order of `source`.
    pub problems: Vec<FileProblem>,
}

/// Says which folder could not be listed.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the corpus folder `{folder}`: {source}")]
pub struct DiscoverError {
    /// The folder that was asked for.
    pub folder: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Lists the files below `folder`, which must lie inside `root`, in order of their names.
///
/// Names that begin with a dot are left out silently; everything else that cannot be used becomes a problem.
pub fn discover(root: &Path, folder: &Path, label: &str) -> Result<Discovery, DiscoverError> {
    let failed = |source| DiscoverError { folder: folder.to_owned(), source };
    let root = root.canonicalize().map_err(failed)?;
    let folder = folder.canonicalize().map_err(failed)?;
    if !folder.starts_with(&root) {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it lies outside the corpus root")));
    }
    let mut discovery = Discovery::default();
    let mut folders = vec![(folder.clone(), label.trim_matches('/').to_owned())];
    while let Some((folder, label)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|source| DiscoverError { folder: folder.clone(), source })? {
            let entry = entry.map_err(|source| DiscoverError { folder: folder.clone(), source })?;
            let name = entry.file_name();
            let source = if label.is_empty() {
                name.to_string_lossy().into_owned()
            } else {
                format!("{label}/{}", name.to_string_lossy())
            };
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            if name.to_str().is_none() {
                discovery.problems.push(FileProblem { source, message: "the file name is not UTF-8".to_owned() });
                continue;
            }
            match usable(&root, &entry.path()) {
                Ok(Usable::Folder) => folders.push((entry.path(), source)),
                Ok(Usable::File { path, sha256 }) => {
                    let markup = markup(&path);
                    discovery.files.push(CorpusFile { source, path, sha256, markup });
                }
                Err(message) => discovery.problems.push(FileProblem { source, message }),
            }
        }
    }
    discovery.files.sort_by(|left, right| left.source.cmp(&right.source));
    discovery.problems.sort_by(|left, right| left.source.cmp(&right.source));
    Ok(discovery)
}

/// Reads a document as text: a byte-order mark is dropped and line ends become LF.
///
/// The message says why a file cannot be used: other bytes than those of the hash, invalid UTF-8 with its position, NUL
/// bytes, or nothing in it.
pub fn read_text(path: &Path, sha256: &str) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    if identity::sha256_hex(&bytes) != sha256 {
        return Err("the file changed while the corpus was read".to_owned());
    }
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    if let Some(position) = bytes.iter().position(|byte| *byte == 0) {
        return Err(format!("the file holds a NUL byte at offset {position}, so it is not text"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("the file is not UTF-8 at offset {}", error.utf8_error().valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

enum Usable {
    Folder,
    File { path: PathBuf, sha256: String },
}

fn usable(root: &Path, path: &Path) -> Result<Usable, String> {
    let linked = fs::symlink_metadata(path).map_err(|error| error.to_string())?.is_symlink();
    let resolved = path.canonicalize().map_err(|error| error.to_string())?;
    if !resolved.starts_with(root) {
        return Err("the symbolic link leads out of the corpus".to_owned());
    }
    let metadata = fs::metadata(&resolved).map_err(|error| error.to_string())?;
    if metadata.is_dir() {
        return if linked { Err("a symbolic link to a folder is not followed".to_owned()) } else { Ok(Usable::Folder) };
    }
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    if metadata.len() > LARGEST_DOCUMENT_BYTES {
        return Err(format!("the file has {} bytes, more than {LARGEST_DOCUMENT_BYTES}", metadata.len()));
    }
    let bytes = fs::read(&resolved).map_err(|error| error.to_string())?;
    Ok(Usable::File { path: resolved, sha256: identity::sha256_hex(&bytes) })
}

fn markup(path: &Path) -> Option<Markup> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "md" => Some(Markup::Markdown),
        "txt" => Some(Markup::Plain),
        _ => None,
    }
}
