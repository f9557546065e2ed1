//! Why a local model is not used.

use std::path::PathBuf;

/// Everything that is refused about a model folder, by name.
#[derive(Debug, thiserror::Error)]
pub enum LocalModelError {
    /// There is no such folder.
    #[error("the model folder `{}` does not exist", folder.display())]
    MissingFolder {
        /// As looked for.
        folder: PathBuf,
    },
    /// The folder does not hold one table and one tokenizer.
    #[error("the model folder `{}` has no {missing}", folder.display())]
    Layout {
        /// The folder.
        folder: PathBuf,
        /// What was looked for.
        missing: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of a pinned model is not the pinned one: damaged, cut, or something else.
    #[error("`{}` is not the pinned file: it has {size_bytes} bytes and SHA-256 {found}, expected {expected}", file.display())]
    Hash {
        /// The file.
        file: PathBuf,
        /// Its size.
        size_bytes: usize,
        /// Its hash.
        found: String,
        /// The pinned hash.
        expected: &'static str,
    },
    /// The table is damaged or foreign.
    #[error("`{}` is no usable embedding table: {reason}", file.display())]
    Table {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The tokenizer is damaged or foreign.
    #[error("`{}` is no usable tokenizer: {reason}", file.display())]
    Tokenizer {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Both files are whole, but not of one model.
    #[error("`{}` and `{}` do not belong together: {reason}", tokenizer.display(), table.display())]
    Pair {
        /// The table.
        table: PathBuf,
        /// The tokenizer.
        tokenizer: PathBuf,
        /// How one sees it.
        reason: String,
    },
}
