//! How much of question and need an answer talks about.
//!
//! Reads a case and one answer, writes a share of 0..=1. Compares words, not meaning.

use super::Case;
use super::words::terms;
use std::collections::BTreeSet;

/// A word of the question weighs as much as this many words of the need, which often speaks about retrieval.
const QUESTION_WEIGHT: usize = 3;
/// An answer that adds fewer terms of its own only repeats the question, and is marked down in proportion.
const OWN_TERMS: usize = 5;

/// The weighted share of wanted terms that the answer uses, times how far it goes beyond repeating them.
pub fn rate(case: &Case, answer: &str) -> f64 {
    let asked = terms(case.question);
    let needed: BTreeSet<String> = terms(case.need).difference(&asked).cloned().collect();
    let used = terms(answer);
    let wanted = QUESTION_WEIGHT * asked.len() + needed.len();
    if wanted == 0 {
        return 0.0;
    }
    let covered = QUESTION_WEIGHT * asked.intersection(&used).count() + needed.intersection(&used).count();
    let own = used.difference(&asked).count().min(OWN_TERMS);
    covered as f64 / wanted as f64 * own as f64 / OWN_TERMS as f64
}
