//! What a run has spent, and whether it may go on.
//!
//! Reads the rows of this run as they are stored; keeps counters in memory. An answer whose usage or price is unknown is
//! unknown, never free: it counts as much as the dearest one so far, and an answer of unknown cost that nothing with a
//! cost can be compared with ends the run. What evaluator and judges cost is not in the rows' usage, and not counted.

use crate::evidence::row::{Row, Status};
use crate::experiment::prices::Prices;
use serde_json::{Map, Value};
use std::sync::{Mutex, PoisonError};

/// The budget of one run.
#[derive(Debug)]
pub struct Spending {
    limit: f64,
    prices: Prices,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    known: f64,
    known_n: u64,
    unknown_n: u64,
    dearest: f64,
}

impl State {
    fn spent(&self) -> f64 {
        self.known + self.unknown_n as f64 * self.dearest
    }
}

/// Why a run must stop.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Overspent {
    /// The limit is reached.
    #[error(
        "the budget of {limit} {currency} is reached: {roughly}{spent:.6} {currency} on the answers of {answers_n} cells"
    )]
    Reached {
        /// As given.
        limit: f64,
        /// Of the prices file.
        currency: String,
        /// `about ` when some of it is an estimate.
        roughly: &'static str,
        /// In the currency.
        spent: f64,
        /// Cells counted.
        answers_n: u64,
    },
    /// Nobody can say what an answer cost.
    #[error("the cost of an answer of `{model}` is unknown: {reason}")]
    Unknown {
        /// The model that answered, or the alias.
        model: String,
        /// No usage, or no price.
        reason: &'static str,
    },
}

impl Spending {
    /// A budget in the currency of the prices.
    pub fn new(limit: f64, prices: Prices) -> Self {
        Self { limit, prices, state: Mutex::new(State::default()) }
    }

    /// Counts one row; an error means that no further cell may start.
    pub fn count(&self, row: &Row) -> Result<(), Overspent> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match self.cost(row) {
            Ok(cost) => {
                state.known += cost;
                state.known_n += 1;
                state.dearest = state.dearest.max(cost);
            }
            Err(unknown) => {
                state.unknown_n += 1;
                // A call that failed may have cost nothing; an answer has cost something.
                if row.status == Status::Ok && state.dearest == 0.0 {
                    return Err(unknown);
                }
            }
        }
        if state.spent() < self.limit { Ok(()) } else { Err(self.reached(&state)) }
    }

    /// What is told in the end: cells that were in flight when the limit was reached have been counted meanwhile.
    pub fn brought_up_to_date(&self, overspent: Overspent) -> Overspent {
        match overspent {
            Overspent::Reached { .. } => self.reached(&self.state.lock().unwrap_or_else(PoisonError::into_inner)),
            unknown @ Overspent::Unknown { .. } => unknown,
        }
    }

    fn reached(&self, state: &State) -> Overspent {
        Overspent::Reached {
            limit: self.limit,
            currency: self.prices.currency.clone(),
            roughly: if state.unknown_n > 0 { "about " } else { "" },
            spent: state.spent(),
            answers_n: state.known_n + state.unknown_n,
        }
    }

    fn cost(&self, row: &Row) -> Result<f64, Overspent> {
        let answered = row.evidence.response_model.as_str().unwrap_or_default();
        let name = if answered.is_empty() { row.approach.model.as_str() } else { answered };
        let unknown = |reason| Overspent::Unknown { model: name.to_owned(), reason };
        let (prompt, completion) = tokens(&row.evidence.token_usage).ok_or_else(|| unknown("it came without usage"))?;
        let price = self.prices.find(&[answered, &row.approach.model]);
        let price = price.ok_or_else(|| unknown("compare/prices.yaml has no price for it"))?;
        Ok(price.of(prompt, completion))
    }
}

/// Prompt and completion tokens; null unless both are whole numbers: a part of the usage is not the usage.
pub fn tokens(usage: &Map<String, Value>) -> Option<(u64, u64)> {
    Some((usage.get("prompt_tokens")?.as_u64()?, usage.get("completion_tokens")?.as_u64()?))
}
