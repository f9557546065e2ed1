//! How failures of reports are told.

use super::{Failure, Kind};
use crate::report::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Warehouse(inner) => inner.into(),
            Error::NoRows => Failure::new(Kind::Input, error),
            Error::Json(inner) => Failure::new(Kind::Input, inner),
            Error::File { .. } => Failure::new(Kind::Outside, error),
            Error::Snapshot { .. } | Error::UnknownPage { .. } | Error::Template { .. } => {
                Failure::new(Kind::Input, error)
            }
            Error::Check { check, messages } => {
                let hint = format!("`ragsql sql @{check}` lists what the check found");
                Failure { kind: Kind::Input, messages, hints: vec![hint] }
            }
        }
    }
}
