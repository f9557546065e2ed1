//! Public question-answering benchmarks to documents and questions: BEIR, HotpotQA, SQuAD, MultiHop-RAG.
//!
//! Reads files as their makers publish them; writes Markdown documents into a new folder and one question file in JSON
//! Lines. Never touches the network. Ids stay text, digit for digit; a document's file is named after its id.

mod beir;
mod document;
mod hotpotqa;
mod multihop_rag;
mod read;
mod squad;

pub use document::{Collected, Document, Question};

use std::fs;
use std::path::{Path, PathBuf};

/// The layouts that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A folder with `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`.
    Beir,
    /// One JSON file: a list of questions with their paragraphs.
    HotpotQa,
    /// One JSON file: articles with paragraphs with questions.
    Squad,
    /// A folder with `corpus.json` and `MultiHopRAG.json`.
    MultiHopRag,
}

/// Why a benchmark cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// A file could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried, for instance `read`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// A file is not what its layout says.
    #[error("`{}`{}: {reason}", path.display(), line.map_or(String::new(), |line| format!(", line {line}")))]
    Shape {
        /// The file.
        path: PathBuf,
        /// One-based; null where the whole file is meant.
        line: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// Something that would be overwritten.
    #[error("`{}` exists already", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
}

/// Reads a benchmark whole. `split` names the qrels file of BEIR.
///
/// Questions whose relevant documents are not in the corpus are an error: they would count as never found.
pub fn collect(layout: Layout, from: &Path, split: &str) -> Result<Collected, BenchmarkError> {
    let collected = match layout {
        Layout::Beir => beir::collect(from, split),
        Layout::HotpotQa => hotpotqa::collect(from),
        Layout::Squad => squad::collect(from),
        Layout::MultiHopRag => multihop_rag::collect(from),
    }?;
    let shape = |reason: &str| BenchmarkError::Shape { path: from.to_owned(), line: None, reason: reason.to_owned() };
    if collected.documents().is_empty() {
        return Err(shape("it holds no document"));
    }
    if collected.questions.is_empty() {
        return Err(shape("it holds no question"));
    }
    Ok(collected)
}

/// Writes the documents into a folder that must not exist, then the questions into a file that must not exist.
///
/// The folder appears whole: an interrupted writing leaves a temporary one beside it.
pub fn write(collected: &Collected, corpus: &Path, questions: &Path) -> Result<(), BenchmarkError> {
    for path in [corpus, questions] {
        if path.exists() {
            return Err(BenchmarkError::Exists { path: path.to_owned() });
        }
    }
    let io = |action, path: &Path| {
        let path = path.to_owned();
        move |source| BenchmarkError::Io { action, path, source }
    };
    for path in [corpus, questions] {
        let parent = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(io("create", parent))?;
    }
    let parent = corpus.parent().unwrap_or(Path::new("."));
    let staged = tempfile::tempdir_in(parent).map_err(io("create", parent))?;
    for document in collected.documents() {
        let path = staged.path().join(&document.file);
        fs::write(&path, document.markdown()).map_err(io("write", &path))?;
    }
    let lines: String = collected.questions.iter().map(|question| format!("{}\n", question.line())).collect();
    fs::write(questions, lines).map_err(io("write", questions))?;
    let staged = staged.keep();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&staged, fs::Permissions::from_mode(0o755)).map_err(io("open", &staged))?;
    }
    fs::rename(&staged, corpus).map_err(io("create", corpus))
}
