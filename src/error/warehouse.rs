//! How failures of the warehouse are told.

use super::{Failure, Kind};
use crate::warehouse::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::File { .. } => Kind::Outside,
            _ => Kind::Input,
        };
        Failure::new(kind, &error)
    }
}
