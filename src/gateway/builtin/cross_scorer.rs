//! `builtin/lexical-cross-scorer`: how well a text answers to a query, from shared words alone.
//!
//! Pure; equal input gives equal scores.

use super::sentences::sentences;
use super::words::{Kind, pairs, stems, words};
use std::collections::{BTreeMap, BTreeSet};

/// The part of the score that words anywhere in the text earn.
const ANYWHERE: f64 = 0.45;
/// The part that the best single sentence, with its headings, earns.
const TOGETHER: f64 = 0.4;
/// The part that neighbouring words of the query earn by being neighbours in the text.
const IN_ORDER: f64 = 0.15;

/// Scores a text against a query: 0 (no word shared) to 1 (every word in one sentence, in order).
///
/// Words weigh by kind: codes 3, names 1.5, numbers 1.2, others 1; function words nothing. An empty query scores 0.
pub fn score(query: &str, text: &str) -> f64 {
    let wanted = words(query);
    let weights: BTreeMap<&str, f64> =
        wanted.iter().filter(|word| word.is_content()).map(|word| (word.stem.as_str(), weight(word.kind))).collect();
    let total: f64 = weights.values().sum();
    if total == 0.0 {
        return 0.0;
    }
    let share = |stems: &BTreeSet<String>| -> f64 {
        weights.iter().filter(|(stem, _)| stems.contains(**stem)).map(|(_, weight)| weight).sum::<f64>() / total
    };
    let there = words(text);
    let anywhere = share(&stems(&there));
    let together = sentences(text)
        .iter()
        .map(|sentence| share(&stems(&words(&format!("{}\n{}", sentence.heading, sentence.text)))))
        .fold(0.0, f64::max);
    let neighbours = pairs(&wanted);
    let in_order = if neighbours.is_empty() {
        anywhere
    } else {
        neighbours.intersection(&pairs(&there)).count() as f64 / neighbours.len() as f64
    };
    (ANYWHERE * anywhere + TOGETHER * together + IN_ORDER * in_order).clamp(0.0, 1.0)
}

fn weight(kind: Kind) -> f64 {
    match kind {
        Kind::Stop => 0.0,
        Kind::Plain => 1.0,
        Kind::Number => 1.2,
        Kind::Name => 1.5,
        Kind::Identifier => 3.0,
    }
}
