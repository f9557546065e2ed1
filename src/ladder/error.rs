//! What the ladder refuses or fails at.

use super::gates::Gate;
use crate::experiment::problem::Problems;
use std::path::{Path, PathBuf};

/// Everything the ladder refuses or fails at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Results did not pass a gate.
    #[error("gate {} of {} ({gate}) found {} in run `{run_id}`\n  {}", gate.number(), Gate::ALL.len(),
        findings(messages.len()), shown(messages).join("\n  "))]
    Refused {
        /// Which gate.
        gate: Gate,
        /// The run whose results these are.
        run_id: String,
        /// Everything that was found, at least one.
        messages: Vec<String>,
    },
    /// The catalogue cannot name the published files.
    #[error("the catalogue cannot name what is published")]
    Catalogue(Problems),
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A folder that files are to be published in lies outside the project, so that the catalogue cannot name them.
    #[error("`{}` lies outside the project", path.display())]
    Outside {
        /// The folder.
        path: PathBuf,
    },
    /// A statement failed.
    #[error(transparent)]
    Warehouse(#[from] crate::warehouse::Error),
}

/// How many findings of a gate are shown.
const SHOWN: usize = 5;

fn shown(messages: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = messages.iter().take(SHOWN).cloned().collect();
    if messages.len() > SHOWN {
        lines.push(format!("... and {} more", messages.len() - SHOWN));
    }
    lines
}

fn findings(count: usize) -> String {
    if count == 1 { "1 fault".to_owned() } else { format!("{count} faults") }
}

impl Error {
    /// Names what was tried on which path.
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }
}
