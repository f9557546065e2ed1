//! How definite an answer is.
//!
//! Reads a case and one answer, writes a share of 0..=1: names, numbers and quotations that the question does not
//! already hold, less when the answer admits that it found nothing. It does not see the sources, so it cannot tell a
//! quotation from an invention. Scripts without capitals score by numbers and quotations alone.

use super::Case;
use super::words::terms;
use std::collections::BTreeSet;

/// This many definite things are enough for full marks.
const ENOUGH: usize = 8;
/// What an answer keeps when it says that it failed or found nothing.
const KEPT_AFTER_FAILURE: f64 = 0.25;

const FAILURE_NOTICES: [&str; 14] = [
    "i don't know",
    "i do not know",
    "i'm sorry",
    "i am sorry",
    "i cannot",
    "i can't",
    "unable to",
    "no information",
    "not mentioned",
    "not provided",
    "does not contain",
    "do not contain",
    "could not find",
    "an error occurred",
];

/// The share of definite things among those that are enough, cut down by a failure notice.
pub fn rate(case: &Case, answer: &str) -> f64 {
    let asked = terms(case.question);
    let definite = definite_words(answer).difference(&asked).count() + quotations(answer);
    let share = definite.min(ENOUGH) as f64 / ENOUGH as f64;
    let lower = answer.to_lowercase().replace('\u{2019}', "'");
    let failed = FAILURE_NOTICES.iter().any(|notice| lower.contains(notice));
    if failed { share * KEPT_AFTER_FAILURE } else { share }
}

/// Terms of words with a digit, and of capitalised words that do not begin a sentence.
fn definite_words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut begins_sentence = true;
    for word in text.split_whitespace() {
        let core = word.trim_matches(|character: char| !character.is_alphanumeric());
        let is_number = core.contains(|character: char| character.is_numeric());
        let is_name = core.starts_with(char::is_uppercase) && !begins_sentence;
        if is_number || is_name {
            found.extend(terms(core));
        }
        begins_sentence = word.ends_with(['.', '!', '?', ':', '*', '-', '#']);
    }
    found
}

/// Spans of at least two words between double quotation marks.
fn quotations(text: &str) -> usize {
    let plain = text.replace(['\u{201c}', '\u{201d}'], "\"");
    // An unfinished last span is no quotation: with an even number of pieces the last one was opened and never closed.
    let pieces: Vec<&str> = plain.split('"').collect();
    let closed = pieces.len().saturating_sub(1) / 2;
    pieces.iter().skip(1).step_by(2).take(closed).filter(|span| span.split_whitespace().count() >= 2).count()
}
