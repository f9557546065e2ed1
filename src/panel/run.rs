//! Asks every judge about every question, and can be killed at any moment.
//!
//! Reads a [`Plan`] and the sidecar, makes the calls that are missing, appends each verdict as it arrives. Judges come
//! one after the other, so a large local model is loaded once; questions run concurrently within a judge. Dropping the
//! future stops the panel; what was heard is on disk. Writes no artifact.

use super::ask::{Ask, asks};
use super::call::Caller;
use super::canary;
use super::converse::converse;
use super::error::PanelError;
use super::plan::Plan;
use super::prompt::Template;
use super::reply::{Reading, Reason};
use super::settings::Address;
use super::store::Store;
use super::verdict::Verdict;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::HashMap;
use std::path::Path;

/// What a run of the panel ends with.
#[derive(Debug)]
pub struct Outcome {
    /// All verdicts by judge, question and direction, without the texts of the replies.
    pub verdicts: Vec<Verdict>,
    /// HTTP calls made by this run.
    pub calls: usize,
    /// Verdicts taken from the sidecar.
    pub reused: usize,
}

/// Runs the panel to its end, with `sidecar` as its memory.
///
/// `on_verdict` hears each new verdict once it is durable. A judge that fails is a verdict with a reason, never an
/// error; an error means that the prompt cannot be written or a verdict cannot be stored.
pub async fn run(
    plan: &Plan,
    address: &Address,
    template: &Template,
    sidecar: &Path,
    on_verdict: &(dyn Fn(&Verdict) + Sync),
) -> Result<Outcome, PanelError> {
    if plan.with_canaries {
        canary::refuse_reserved_names(&plan.input)?;
    }
    let caller = Caller::new(&plan.settings, address, plan.limits.timeout)?;
    let (store, stored) = Store::open(sidecar)?;
    let known = Known::new(stored);
    let mut outcome = Outcome { verdicts: Vec::new(), calls: 0, reused: 0 };
    for judge in &plan.settings.judges {
        // Prompts are written as they are needed, so a panel of any size holds few of them at a time.
        let prepared = plan.input.questions.iter().flat_map(|question| {
            match asks(judge, question, &plan.order, plan.with_canaries, template) {
                Ok(asks) => asks.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        });
        let mut heard = stream::iter(prepared.enumerate())
            .map(|(place, ask)| judge_one(plan, &caller, &store, &known, place, ask))
            .buffer_unordered(plan.limits.concurrency.max(1));
        let mut placed: Vec<(usize, Verdict)> = Vec::new();
        while let Some(answer) = heard.try_next().await? {
            if answer.is_reused {
                outcome.reused += 1;
            } else {
                on_verdict(&answer.verdict);
                outcome.calls += answer.verdict.attempts.len();
            }
            placed.push((answer.place, answer.verdict));
        }
        placed.sort_unstable_by_key(|(place, _)| *place);
        outcome.verdicts.extend(placed.into_iter().map(|(_, verdict)| verdict));
    }
    Ok(outcome)
}

/// One verdict, and where it belongs among those of its judge.
struct Answered {
    place: usize,
    verdict: Verdict,
    is_reused: bool,
}

/// The verdicts of earlier runs, found by judge and question.
struct Known(HashMap<(String, String), Vec<Verdict>>);

impl Known {
    fn new(stored: Vec<Verdict>) -> Self {
        let mut by_key: HashMap<(String, String), Vec<Verdict>> = HashMap::new();
        for verdict in stored {
            by_key.entry((verdict.judge.clone(), verdict.question_id.clone())).or_default().push(verdict);
        }
        Self(by_key)
    }

    /// The last verdict that answers `ask` under the plan's settings and need not be asked for again.
    fn find(&self, ask: &Ask, plan: &Plan) -> Option<Verdict> {
        let settings = plan.call_settings();
        let candidates = self.0.get(&(ask.judge.clone(), ask.question_id.clone()))?;
        let last = candidates.iter().rev().find(|verdict| verdict.answers(ask, &settings))?;
        let is_final = match last.reason {
            None | Some(Reason::NoAnswers) => true,
            Some(reason) => !reason.is_call_failure() && !plan.asks_unscored_again,
        };
        is_final.then(|| last.clone())
    }
}

/// Gets one verdict from memory, or from the judge and makes it durable.
async fn judge_one(
    plan: &Plan,
    caller: &Caller,
    store: &Store,
    known: &Known,
    place: usize,
    ask: Result<Ask, PanelError>,
) -> Result<Answered, PanelError> {
    let ask = ask?;
    if let Some(verdict) = known.find(&ask, plan) {
        return Ok(Answered { place, verdict, is_reused: true });
    }
    let (attempts, reading) = if ask.order.is_empty() {
        (Vec::new(), Reading::failed(Reason::NoAnswers, "the question has no answers"))
    } else {
        converse(plan.limits, caller, &ask).await
    };
    let verdict = Verdict::new(plan, &ask, attempts, reading);
    store.append(&verdict).await?;
    Ok(Answered { place, verdict: verdict.without_texts(), is_reused: false })
}
