//! Facts that stand in files beside the evidence: what question files say about questions, and declared families.
//!
//! Takes plain values from whoever read those files, and replaces what the database knew. Never reads a file itself.

use super::batch;
use super::connection::Warehouse;
use super::{Error, Result};

/// What a question file says about one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionFacts {
    /// Unique in its dataset.
    pub question_id: String,
    /// For instance `multi_hop`; null when the file does not say.
    pub kind: Option<String>,
    /// What questions that vary together have in common; null when the file does not say.
    pub topic: Option<String>,
    /// Relevant documents relative to the corpus folder; null when the file does not say, empty when no document is.
    pub relevant_sources: Option<Vec<String>>,
}

/// Whose family is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A judge model.
    Judge,
    /// An approach, by the model that writes its answers.
    Approach,
}

/// A declared family, never guessed from a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Judge or approach.
    pub subject: Subject,
    /// The judge or the approach.
    pub name: String,
    /// The maker, or whatever is thought to share a taste.
    pub family: String,
}

impl Subject {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Subject::Judge => "judge",
            Subject::Approach => "approach",
        }
    }
}

impl Warehouse<'_> {
    /// Replaces what is known of the questions of a dataset.
    ///
    /// `corpus` is the name of the folder that holds its documents: source titles are `<corpus>/<document>`. A document
    /// listed twice counts once.
    pub fn store_question_facts(&self, dataset_id: &str, corpus: &str, questions: &[QuestionFacts]) -> Result<()> {
        let (facts, documents) = batch::question_facts(dataset_id, corpus, questions).map_err(cannot_append)?;
        self.transaction(|| {
            self.query("ingest/forget_question_facts", &[("dataset_id", dataset_id.into())])?;
            self.query("ingest/forget_relevant_documents", &[("dataset_id", dataset_id.into())])?;
            self.append("question_fact", facts)?;
            self.append("relevant_document", documents)
        })
    }

    /// Replaces every declared family.
    pub fn store_families(&self, families: &[Family]) -> Result<()> {
        let batch = batch::families(families).map_err(cannot_append)?;
        self.transaction(|| {
            self.query("ingest/forget_families", &[])?;
            self.append("family", batch)
        })
    }
}

fn cannot_append(error: arrow::error::ArrowError) -> Error {
    Error::Statement { query: "append facts".to_owned(), reason: error.to_string() }
}
