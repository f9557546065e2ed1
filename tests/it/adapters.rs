//! Cases of the `adapters` room.

mod attack_build;
mod attack_refusals;
mod attack_slice;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A path of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every file of a folder: name to text.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}
