//! What can go wrong around the panel. A judge that fails is not here: it is a verdict state.

use std::path::PathBuf;

/// The panel cannot be set up as configured.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Enabled without an endpoint.
    #[error("the judge panel is enabled, but has no endpoint")]
    NoEndpoint,
    /// Enabled without judges.
    #[error("the judge panel is enabled, but no judge models are given")]
    NoModels,
    /// The endpoint word names a gateway that is not there.
    #[error("the judge endpoint is `{word}`, but there is no such gateway in this run")]
    NoGateway {
        /// `atlas-litellm` or `embedded`.
        word: &'static str,
    },
    /// Atlas without a key.
    #[error("the judge endpoint is `atlas-litellm`, but no key is given")]
    NoKey,
    /// The endpoint is neither a known word nor a URL. The value is not shown: it may hold a password.
    #[error("the judge endpoint is neither `atlas-litellm`, `embedded`, nor an http or https URL")]
    NotUrl,
    /// `JUDGE_THINK` is something else.
    #[error("`JUDGE_THINK` is `{value}`, but must be `true`, `false` or `omit`")]
    Think {
        /// As given.
        value: String,
    },
}

/// The answers to judge cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// A part of the document has the wrong type or is missing.
    #[error("`{place}` is not {wanted}")]
    Shape {
        /// Where in the document.
        place: String,
        /// What belongs there.
        wanted: &'static str,
    },
    /// Two questions share an id.
    #[error("the question `{id}` is listed twice")]
    RepeatedQuestion {
        /// The id.
        id: String,
    },
    /// Rows of several datasets and no choice.
    #[error("the rows belong to several datasets: {}", datasets.join(", "))]
    SeveralDatasets {
        /// Sorted ids.
        datasets: Vec<String>,
    },
    /// One question id with two texts.
    #[error("the question `{id}` has different texts in different rows")]
    ConflictingQuestion {
        /// The id.
        id: String,
    },
}

/// The panel had to stop.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    /// The prompt template is broken.
    #[error("the judge prompt template cannot be used: {reason}")]
    Template {
        /// The engine's message.
        reason: String,
    },
    /// An approach has a name that is kept for canaries.
    #[error(
        "the approach `{name}` cannot be judged together with canaries: names that begin with `canary/` are reserved"
    )]
    ReservedName {
        /// The approach.
        name: String,
    },
    /// The HTTP client cannot be built.
    #[error("the client for the judges cannot be built: {reason}")]
    Client {
        /// The library's message.
        reason: String,
    },
    /// The sidecar failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The sidecar with the verdicts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system refused.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Another panel holds the file.
    #[error("another panel is writing `{}`", path.display())]
    Busy {
        /// The sidecar.
        path: PathBuf,
    },
    /// A whole line cannot be read.
    #[error("`{}` line {line} is no verdict: {reason}", path.display())]
    Damaged {
        /// The sidecar.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The writer is gone because an earlier verdict could not be written.
    #[error("the verdict of `{judge}` on `{question}` was not written")]
    Lost {
        /// The judge.
        judge: String,
        /// The question id.
        question: String,
    },
}
