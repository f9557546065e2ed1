//! Problems of the experiment files as a failure: one message each, exit code 2.

use super::{Failure, Kind};
use crate::experiment::problem::Problems;

/// How many problems are printed; the rest is counted.
const SHOWN: usize = 25;

impl From<Problems> for Failure {
    fn from(Problems(problems): Problems) -> Self {
        let count = problems.len();
        let messages = problems.iter().take(SHOWN).map(ToString::to_string).collect();
        let total = if count == 1 { "1 error".to_owned() } else { format!("{count} errors") };
        let shown = if count > SHOWN { format!(", the first {SHOWN} shown") } else { String::new() };
        Failure { kind: Kind::Input, messages, hints: Vec::new() }.hint(format!("{total}{shown}, nothing was called"))
    }
}
