//! What can go wrong while a report is made.

/// Everything a report refuses or fails at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A statement failed, or its result is not what its header promises.
    #[error(transparent)]
    Warehouse(#[from] crate::warehouse::Error),
    /// There is nothing to report on.
    #[error("there are no rows to summarise")]
    NoRows,
    /// A template is missing, malformed, or asks for a value it was not given.
    #[error("template `{name}`: {source}")]
    Template {
        /// Path below `templates/`.
        name: String,
        /// What the template engine says.
        source: Box<minijinja::Error>,
    },
    /// No view has this name.
    #[error("no view is called `{name}`; there are {}", known.join(", "))]
    UnknownView {
        /// As asked for.
        name: String,
        /// The views there are.
        known: Vec<String>,
    },
    /// The text could not be written.
    #[error("cannot write the report: {0}")]
    Write(std::io::Error),
    /// A number has no JSON text.
    #[error(transparent)]
    Json(#[from] crate::json::WriteError),
}
