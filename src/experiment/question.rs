//! Question files as checked values (`contract/evaluation.md` section 1.4).

/// One question. Every text is exactly as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Unique in its file.
    pub id: String,
    /// What is asked.
    pub query: String,
    /// What kind of question it is, for instance `multi_hop`; null when the file does not say.
    pub kind: Option<String>,
    /// The reference answer.
    pub ground_truth: Option<String>,
    /// What a good answer needs.
    pub rationale: Option<String>,
    /// The approach the author expects to win.
    pub expect_winner: Option<String>,
    /// Documents that hold the answer, relative to the corpus folder; null when the author did not say, empty when
    /// no document holds it.
    pub relevant_sources: Option<Vec<String>>,
}
