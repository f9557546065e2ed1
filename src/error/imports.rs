//! Failures of the `imports` room.

use super::{Failure, Kind};
use crate::imports::ImportError;

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        let kind = match &error {
            ImportError::Read { source, .. } if source.kind() != std::io::ErrorKind::NotFound => Kind::Outside,
            _ => Kind::Input,
        };
        Failure::new(kind, &error).hint("nothing of this file was imported")
    }
}
