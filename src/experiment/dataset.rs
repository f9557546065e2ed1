//! `compare/datasets.yaml` as checked values (`contract/evaluation.md` section 1.2).

use std::path::PathBuf;

/// One dataset: a corpus and the questions asked of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// Unique; text exactly as typed.
    pub id: String,
    /// For people.
    pub label: String,
    /// `measured`, `candidate`, or `ad_hoc` for a question file outside the catalogue.
    pub status: String,
    /// At least 1; higher is more relational.
    pub complexity_level: u32,
    /// Absolute folder of the documents.
    pub corpus_path: PathBuf,
    /// Absolute path of the question file.
    pub questions_file: PathBuf,
    /// For people; may be empty.
    pub graph_nature: String,
    /// Name of the ingestion profile; the id when the file names none.
    pub ingestion_profile: String,
}
