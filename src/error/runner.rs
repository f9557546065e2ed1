//! Failures of the runner's machinery, as people see them.

use super::{Failure, Kind};
use crate::runner::RunError;

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Client(error) => error.into(),
            RunError::Sink { ref source, .. } => {
                let hint = source.hint.clone();
                let failure = Failure::new(Kind::Outside, &error);
                match hint {
                    Some(hint) => failure.hint(hint),
                    None => failure,
                }
            }
            RunError::Budget(_) => {
                Failure::new(Kind::Finished, &error).hint("the same command goes on from there with a new budget")
            }
            RunError::Encode(error) => Failure::new(Kind::Outside, &error),
        }
    }
}
