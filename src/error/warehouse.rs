//! How failures of the warehouse are told.

use super::{Failure, Kind};
use crate::warehouse::Error;

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
            Error::Row { .. } => failure.hint("`ragsql doctor --quarantine` moves damaged rows aside"),
            Error::Repeated { other: Some(_), .. } => {
                failure.hint("two files hold the same run: keep one of them, or move it out of the project")
            }
            Error::Repeated { .. } => failure.hint("`ragsql doctor --quarantine` moves damaged rows aside"),
            Error::AdHoc { hint: Some(hint), .. } => failure.hint(hint),
            Error::Memory { query: None, .. } => failure.hint("name fewer columns, above all those with long texts"),
            _ => failure,
        }
    }
}
