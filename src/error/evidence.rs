//! Failures of the `evidence` room.

use super::{Failure, Kind};
use crate::evidence::Error;
use crate::evidence::provenance::ProvenanceError;
use crate::evidence::resume::ResumeError;
use std::io::ErrorKind;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Torn { .. } | Error::Damaged { .. } | Error::Duplicate { .. } => Kind::Input,
            _ => Kind::Outside,
        };
        let failure = Failure::new(kind, &error);
        match &error {
            Error::Torn { .. } => failure.hint(
                "`ragsql doctor --quarantine` moves the torn bytes aside; the cell they belonged to will run again",
            ),
            Error::Damaged { .. } => failure.hint(
                "`ragsql doctor --quarantine` moves the damaged line aside; the cell it belonged to will run again",
            ),
            Error::Duplicate { .. } => {
                failure.hint("`ragsql doctor --quarantine` keeps the first of the two and moves the other aside")
            }
            Error::Io { source, .. } if matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                failure.hint("free some space and run the same command again; every row stored so far is whole")
            }
            Error::Stopped { .. } | Error::Removed { .. } => {
                failure.hint("run the same command again once the cause is gone; stored rows are kept")
            }
            _ => failure,
        }
    }
}

impl From<ResumeError> for Failure {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Store(error) => error.into(),
            ResumeError::Refused(refusal) => {
                let hint = format!("give this run a new --run-id, or move {} away", refusal.path.display());
                Failure::new(Kind::Input, refusal).hint(hint)
            }
        }
    }
}

impl From<ProvenanceError> for Failure {
    fn from(error: ProvenanceError) -> Self {
        Failure::new(Kind::Outside, error)
    }
}
