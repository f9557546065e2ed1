//! How much patience one cell has left. Pure.

use crate::wire::failure::CallFailure;
use crate::wire::retry::{Decision, RetryPolicy};

/// Refusals that a cell may wait out without using up a retry.
const CROWD_WAITS: u32 = 10;

/// What a cell has spent so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    retries: u32,
    crowd_waits: u32,
}

impl Budget {
    /// Decides what follows a failure, and books it.
    ///
    /// A refusal that our own crowd explains is no fault of the cell: the limit is cut, and the cell waits at the
    /// crowd's expense, up to ten times. Everything else costs a retry. Without retries nothing is ever repeated.
    pub fn spend(&mut self, policy: &RetryPolicy, failure: &CallFailure, crowded: bool, share: f64) -> Decision {
        let at_the_crowds_expense =
            crowded && policy.retries > 0 && self.crowd_waits < CROWD_WAITS && !policy.asks_too_much(failure);
        if at_the_crowds_expense {
            let wait_s = policy.wait_s(failure, self.retries + self.crowd_waits, share);
            self.crowd_waits += 1;
            return Decision::Wait { wait_s };
        }
        let decision = policy.decide(failure, self.retries, share);
        self.retries += 1;
        decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(policy: &RetryPolicy, failure: &CallFailure, crowded: bool) -> usize {
        let mut budget = Budget::default();
        std::iter::from_fn(|| match budget.spend(policy, failure, crowded, 0.5) {
            Decision::Wait { .. } => Some(()),
            Decision::GiveUp => None,
        })
        .take(100)
        .count()
    }

    #[test]
    fn a_crowd_pays_for_ten_waits_and_the_cell_for_its_retries() {
        let refused = CallFailure::from_status(429, None, "");
        assert_eq!(waits(&RetryPolicy::new(2), &refused, true), 12);
        assert_eq!(waits(&RetryPolicy::new(2), &refused, false), 2);
        assert_eq!(waits(&RetryPolicy::new(0), &refused, true), 0);
        let tomorrow = CallFailure::from_status(429, Some(43_200.0), "");
        assert_eq!(waits(&RetryPolicy::new(2), &tomorrow, true), 0);
    }
}
