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
    /// A file could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    File {
        /// The file or folder.
        path: std::path::PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A line of a published evidence file cannot be read.
    #[error("`{path}`:{line}: {reason}")]
    Snapshot {
        /// As the catalogue writes it.
        path: String,
        /// One-based physical line.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// No page has this name.
    #[error("no page is called `{name}`{}", nearest(.suggestion))]
    UnknownPage {
        /// As asked for.
        name: String,
        /// The closest known name, when one is close.
        suggestion: Option<String>,
    },
    /// A page's template does not say what it needs, or fails.
    #[error("`{template}`: {reason}")]
    Page {
        /// Path below `templates/`.
        template: String,
        /// What is wrong with it, with the line where it is known.
        reason: String,
    },
    /// A page's path leads out of the folder that pages go to.
    #[error("a page cannot go to `{path}`: it must stay below its folder")]
    Place {
        /// As the template says it.
        path: String,
    },
    /// A page could not be put where it goes.
    #[error("cannot write `{}`: {source}", path.display())]
    PageFile {
        /// The file or folder.
        path: std::path::PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A check that a page rests on found something.
    #[error("{}", messages.join("\n"))]
    Check {
        /// Name and version of the check.
        check: String,
        /// What it found, one sentence each.
        messages: Vec<String>,
    },
}

fn nearest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
