//! The two files of a model folder: where they are in each layout, and whether they are the pinned ones.
//!
//! Reads a folder's names and two files; writes nothing.

use super::LocalModelError;
use crate::gateway::identity::sha256_hex;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// How a model folder is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `model.safetensors` with the tensor `embeddings`, and `tokenizer.json`. Unknown tokens do not count.
    Model2Vec,
    /// One `*.safetensors` with the tensor `embedding.weight`, and one `*tokenizer*.json`; side by side, or under
    /// `weights/` and `tokenizers/` as in the package.
    WordLlama,
}

/// One file that is known by content.
#[derive(Debug, PartialEq, Eq)]
pub struct Pin {
    /// Its name in the folder.
    pub file: &'static str,
    /// Lower-case hex.
    pub sha256: &'static str,
}

/// A model whose files are known by content; `make models` fetches it.
#[derive(Debug, PartialEq, Eq)]
pub struct PinnedModel {
    /// Name of the model and of its folder.
    pub name: &'static str,
    /// The table.
    pub table: Pin,
    /// The tokenizer.
    pub tokenizer: Pin,
}

/// The models that are known by content. The Makefile pins the same hashes.
pub const PINNED: [PinnedModel; 1] = [PinnedModel {
    name: "wordllama-256",
    table: Pin {
        file: "l2_supercat_256.safetensors",
        sha256: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    },
    tokenizer: Pin {
        file: "l2_supercat_tokenizer_config.json",
        sha256: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
    },
}];

/// A file and what is in it.
pub(super) struct File {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Both files of a model.
pub(super) struct Files {
    pub table: File,
    pub tokenizer: File,
    pub layout: Layout,
    /// Of both files together, in lower-case hex.
    pub sha256: String,
}

/// Finds and reads the files of a folder; those of a pinned model must be exactly the pinned ones.
pub(super) fn read(folder: &Path, pinned: Option<&PinnedModel>) -> Result<Files, LocalModelError> {
    if !folder.is_dir() {
        return Err(LocalModelError::MissingFolder { folder: folder.to_owned() });
    }
    let (table, tokenizer, layout) = match pinned {
        Some(model) => (folder.join(model.table.file), folder.join(model.tokenizer.file), Layout::WordLlama),
        None => find(folder)?,
    };
    let table = open(table, pinned.map(|model| &model.table))?;
    let tokenizer = open(tokenizer, pinned.map(|model| &model.tokenizer))?;
    let both = Sha256::new().chain_update(&table.bytes).chain_update(&tokenizer.bytes).finalize();
    let sha256 = both.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    Ok(Files { table, tokenizer, layout, sha256 })
}

fn find(folder: &Path) -> Result<(PathBuf, PathBuf, Layout), LocalModelError> {
    let (table, tokenizer) = (folder.join("model.safetensors"), folder.join("tokenizer.json"));
    if table.is_file() && tokenizer.is_file() {
        return Ok((table, tokenizer, Layout::Model2Vec));
    }
    let is_table = |name: &str| name.ends_with(".safetensors");
    let is_tokenizer = |name: &str| name.contains("tokenizer") && name.ends_with(".json");
    let table = only(folder, "weights", is_table, "single `*.safetensors`")?;
    let tokenizer = only(folder, "tokenizers", is_tokenizer, "single `*tokenizer*.json`")?;
    Ok((table, tokenizer, Layout::WordLlama))
}

/// The one file of a folder, or of the folder below it, whose name fits.
fn only(folder: &Path, below: &str, fits: impl Fn(&str) -> bool, wanted: &str) -> Result<PathBuf, LocalModelError> {
    for place in [folder.to_owned(), folder.join(below)] {
        let Ok(entries) = std::fs::read_dir(&place) else { continue };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let fitting: Vec<String> = names.filter(|name| fits(name)).collect();
        match fitting.as_slice() {
            [] => {}
            [name] => return Ok(place.join(name)),
            _ => break,
        }
    }
    Err(LocalModelError::Layout { folder: folder.to_owned(), missing: wanted.to_owned() })
}

fn open(path: PathBuf, pin: Option<&Pin>) -> Result<File, LocalModelError> {
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(source) => return Err(LocalModelError::Read { file: path, source }),
    };
    if let Some(pin) = pin {
        let found = sha256_hex(&bytes);
        if found != pin.sha256 {
            return Err(LocalModelError::Hash { file: path, size_bytes: bytes.len(), found, expected: pin.sha256 });
        }
    }
    Ok(File { path, bytes })
}
