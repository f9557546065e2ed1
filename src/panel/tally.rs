//! How each judge did: the summary that keeps a blank panel from hiding its cause.
//!
//! Reads verdicts, writes counts. Canary verdicts are counted like any other call; their scores are not looked at.

use super::reply::Reason;
use super::verdict::{State, Verdict};
use std::collections::BTreeMap;

/// The counts of one judge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// The judge.
    pub judge: String,
    /// Verdicts, whatever their state: the denominator of the next three.
    pub total: usize,
    /// Verdicts that score every answer shown.
    pub scored: usize,
    /// Verdicts that score some.
    pub incomplete: usize,
    /// Verdicts that score nobody.
    pub unscored: usize,
    /// Why verdicts score nobody: most frequent first, then by word.
    pub verdict_reasons: Vec<(Reason, usize)>,
    /// Why single answers have no score within verdicts that score others: most frequent first, then by word.
    pub score_reasons: Vec<(Reason, usize)>,
}

impl Tally {
    /// Whether every verdict of this judge scores every answer.
    pub fn is_complete(&self) -> bool {
        self.scored == self.total
    }
}

/// Counts the verdicts of each judge, in the order of `judges`. A judge without verdicts has zeros.
pub fn tally(judges: &[String], verdicts: &[Verdict]) -> Vec<Tally> {
    judges.iter().map(|judge| tally_one(judge, verdicts)).collect()
}

fn tally_one(judge: &str, verdicts: &[Verdict]) -> Tally {
    let mut tally = Tally { judge: judge.to_owned(), ..Tally::default() };
    let mut verdict_reasons = BTreeMap::new();
    let mut score_reasons = BTreeMap::new();
    for verdict in verdicts.iter().filter(|verdict| verdict.judge == judge) {
        tally.total += 1;
        match verdict.state {
            State::Scored => tally.scored += 1,
            State::Incomplete => tally.incomplete += 1,
            State::Unscored => tally.unscored += 1,
        }
        if let Some(reason) = verdict.reason {
            *verdict_reasons.entry(reason).or_default() += 1;
            continue;
        }
        for reason in verdict.scores.iter().filter_map(|entry| entry.reason) {
            *score_reasons.entry(reason).or_default() += 1;
        }
    }
    tally.verdict_reasons = by_frequency(verdict_reasons);
    tally.score_reasons = by_frequency(score_reasons);
    tally
}

fn by_frequency(counts: BTreeMap<Reason, usize>) -> Vec<(Reason, usize)> {
    let mut counts: Vec<(Reason, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), reason.as_str()));
    counts
}
