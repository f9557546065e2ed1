//! How failures of outputs are told.

use super::{Failure, Kind};
use crate::export::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Report(inner) => inner.into(),
            Error::Value(_) | Error::ParquetType { .. } => {
                Failure::new(Kind::Input, error).hint("ask for it as text: cast(... as varchar)")
            }
            Error::UnknownFormat { .. } => Failure::new(Kind::Input, error),
            Error::Write(_) | Error::Arrow(_) | Error::Parquet(_) => Failure::new(Kind::Outside, error),
        }
    }
}
