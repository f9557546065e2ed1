//! How failures of reports are told.

use super::{Failure, Kind};
use crate::report::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Warehouse(inner) => inner.into(),
            Error::Write(_) => Failure::new(Kind::Outside, error),
            Error::NoRows | Error::Template { .. } | Error::UnknownView { .. } => Failure::new(Kind::Input, error),
            Error::Json(inner) => Failure::new(Kind::Input, inner),
            Error::File { .. } | Error::PageFile { .. } => Failure::new(Kind::Outside, error),
            Error::Snapshot { .. } | Error::UnknownPage { .. } | Error::Page { .. } | Error::Place { .. } => {
                Failure::new(Kind::Input, error)
            }
            Error::Check { check, messages } => {
                let hint =
                    format!("`sql/{}` says what is checked; no page was written", check.replace('@', "_v") + ".sql");
                Failure { kind: Kind::Input, messages, hints: vec![hint] }
            }
        }
    }
}
