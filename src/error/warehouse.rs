//! How failures of the warehouse are told.

use super::{Failure, Kind};
use crate::warehouse::Error;
use std::path::Path;

/// For rows that a run or an import wrote; moving lines out of anybody's own file would damage it.
const QUARANTINE: &str = "`ragsql doctor --quarantine` moves damaged rows aside";

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Memory { .. } => Kind::Memory,
            Error::File { .. } | Error::Busy { .. } | Error::Open { .. } | Error::Statement { .. } => Kind::Outside,
            Error::Check { .. } => Kind::Finished,
            _ => Kind::Input,
        };
        let failure = Failure::new(kind, &error);
        match error {
            Error::Busy { .. } => failure.hint("wait for the other command to end; evidence is not affected"),
            Error::Foreign { .. } => {
                failure.hint("move that file away; the warehouse is rebuilt from the evidence by the next command")
            }
            Error::Row { path, .. } if is_result(&path) => failure.hint(QUARANTINE),
            Error::Repeated { other: Some(_), .. } => {
                failure.hint("two files hold the same run: keep one of them, or move it out of the project")
            }
            Error::Repeated { path, .. } if is_result(&path) => failure.hint(QUARANTINE),
            Error::AdHoc { hint: Some(hint), .. } => failure.hint(hint),
            Error::Memory { query: None, .. } => failure.hint("name fewer columns, above all those with long texts"),
            _ => failure,
        }
    }
}

/// Whether a file lies among a project's results.
fn is_result(path: &Path) -> bool {
    path.ancestors().any(|folder| folder.ends_with("compare/results"))
}
