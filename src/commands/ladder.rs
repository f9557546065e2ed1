//! `ragsql ladder`: every rung measured, judged, checked and published, from the plainest dataset to the most relational.
//!
//! Order of work: refuse everything that can be refused, then for each dataset run its tiers, pass the gates, publish, and
//! make the pages again. A dataset is published whole or not at all; what earlier datasets published stays.

mod plan;
mod publishing;
mod rules;
mod telling;
mod tier;

use super::Ended;
use super::context::Context;
use super::interrupt::Stopper;
use super::report::{Material, Refreshed, refresh_published};
use crate::cli::LadderArgs;
use crate::error::{Failure, Result};
use crate::ui;
use plan::{Plan, Rung};

/// Climbs the ladder.
pub fn ladder(context: &Context, arguments: &LadderArgs) -> Result<Ended> {
    let stopper = Stopper::between_steps()?;
    let plan = Plan::make(context, arguments)?;
    plan.forget_published_runs(context)?;
    telling::header(&plan);
    let climb = Climb { context, arguments, plan: &plan, stopper: &stopper };
    match climb.carry_out() {
        Ok(Some(ended)) => Ok(ended),
        Ok(None) => {
            ui::hint(&plan.goes_on());
            Ok(Ended::Interrupted)
        }
        Err(failure) => Err(failure.hint(plan.goes_on())),
    }
}

/// A ladder that is being climbed.
struct Climb<'a> {
    context: &'a Context,
    arguments: &'a LadderArgs,
    plan: &'a Plan,
    stopper: &'a Stopper,
}

impl Climb<'_> {
    /// Climbs rung by rung; null when somebody asked to stop.
    fn carry_out(&self) -> Result<Option<Ended>> {
        let mut refreshed = Refreshed::default();
        for rung in &self.plan.rungs {
            if rung.is_published() {
                telling::published_already(rung);
                continue;
            }
            if !self.climb(rung)? {
                return Ok(None);
            }
            refreshed = self.pages()?;
        }
        if self.plan.rungs.iter().all(Rung::is_published) {
            refreshed = self.pages()?;
        }
        ui::data(&telling::outcome(&Material::open(self.context, None)?, self.plan)?);
        telling::waiting(&refreshed);
        let is_clean = refreshed.refused.is_empty();
        for (page, failure) in refreshed.refused {
            ui::failure(&Failure { messages: prefixed(&page, failure.messages), ..failure });
        }
        Ok(Some(if is_clean { Ended::Done } else { Ended::WithFailures }))
    }

    /// Runs what is missing of a dataset, and publishes it; false when somebody asked to stop.
    fn climb(&self, rung: &Rung) -> Result<bool> {
        for tier in rung.tiers.iter().filter(|tier| !tier.is_published) {
            if self.is_stopped(rung, "before its next tier")
                || !tier::measure(self.context, self.arguments, rung, tier)?
            {
                return Ok(false);
            }
        }
        if self.is_stopped(rung, "before its publication") {
            return Ok(false);
        }
        publishing::publish(self.context, self.plan, rung)?;
        Ok(true)
    }

    /// Makes the pages again, as far as they can be made.
    fn pages(&self) -> Result<Refreshed> {
        let refreshed = refresh_published(&Material::open(self.context, None)?)?;
        telling::pages(&refreshed);
        Ok(refreshed)
    }

    fn is_stopped(&self, rung: &Rung, place: &str) -> bool {
        let is_stopped = self.stopper.is_heard();
        if is_stopped {
            ui::status(&format!("stopped at `{}`, {place}", rung.dataset.id));
        }
        is_stopped
    }
}

/// Names the page that failures belong to.
fn prefixed(page: &str, messages: Vec<String>) -> Vec<String> {
    messages.into_iter().map(|message| format!("docs/{page} was left as it was: {message}")).collect()
}
