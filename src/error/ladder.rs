//! How failures of the ladder are told.

use super::{Failure, Kind};
use crate::ladder::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Warehouse(inner) => inner.into(),
            Error::Catalogue(problems) => Failure {
                kind: Kind::Input,
                messages: problems.0.iter().map(ToString::to_string).collect(),
                hints: Vec::new(),
            },
            Error::Refused { gate, .. } => Failure::new(Kind::Finished, &error)
                .hint(format!("{} what is checked; nothing of this dataset was published", said_by(&gate.checks()))),
            Error::Outside { .. } => Failure::new(Kind::Input, error),
            Error::File { .. } => Failure::new(Kind::Outside, error),
        }
    }
}

fn said_by(checks: &[&str]) -> String {
    let files: Vec<String> = checks.iter().map(|check| format!("`sql/{check}_v1.sql`")).collect();
    if files.len() == 1 { format!("{} says", files.concat()) } else { format!("{} say", files.join(" and ")) }
}
