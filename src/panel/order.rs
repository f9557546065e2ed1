//! In which order, and under which labels, a judge sees the answers.
//!
//! Reads names and seeds, writes permutations. Every order is a pure function of its inputs, never of input order, and
//! is recorded with the verdict. Source: `contract/evaluation.md` section 5.2.

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The rule that orders answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderRule {
    /// The same order for every judge, from the question id.
    Stable,
    /// A permutation for each (question, judge), drawn from this seed, so that position bias can cancel.
    PerJudge {
        /// Recorded with every verdict.
        seed: String,
    },
    /// The stable order and its reverse, one call each.
    Swap,
}

impl OrderRule {
    /// The stored word.
    pub fn as_str(&self) -> &'static str {
        match self {
            OrderRule::Stable => "stable",
            OrderRule::PerJudge { .. } => "per_judge",
            OrderRule::Swap => "swap",
        }
    }

    /// The seed, where the rule has one.
    pub fn seed(&self) -> Option<&str> {
        match self {
            OrderRule::PerJudge { seed } => Some(seed),
            OrderRule::Stable | OrderRule::Swap => None,
        }
    }

    /// Orders `names` for the first call of a judge about a question.
    pub fn forward(&self, question_id: &str, judge: &str, names: &[&str]) -> Vec<usize> {
        match self {
            OrderRule::Stable | OrderRule::Swap => stable(question_id, names),
            OrderRule::PerJudge { seed } => per_judge(seed, question_id, judge, names),
        }
    }
}

/// Positions of `names` by the hexadecimal SHA-1 of seed and name written without a separator.
pub fn stable(seed: &str, names: &[&str]) -> Vec<usize> {
    sorted_by_key(names, |name| Sha1::new().chain_update(seed).chain_update(name).finalize().to_vec())
}

/// Positions of `names` by the SHA-256 of seed, question, judge and name, each with its length in front.
pub fn per_judge(seed: &str, question_id: &str, judge: &str, names: &[&str]) -> Vec<usize> {
    sorted_by_key(names, |name| {
        let mut hash = Sha256::new();
        for part in [seed, question_id, judge, name] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().to_vec()
    })
}

/// Equal digests mean equal names; those keep the order of the names.
fn sorted_by_key(names: &[&str], key: impl Fn(&str) -> Vec<u8>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_cached_key(|&index| (key(names[index]), names[index]));
    order
}

/// The label of the answer at `position`: A to Z, then AA, AB and so on.
pub fn label(position: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = position + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(b'A' + (rest % 26) as u8);
        rest /= 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}
