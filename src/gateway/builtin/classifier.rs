//! `builtin/complexity-classifier`: whether a question needs several steps, told from its wording.
//!
//! Counts signs and knows nothing of the corpus, so a plain question with a hidden second step looks simple to it. Pure;
//! equal input gives equal classes.

use super::names::{Known, names};
use super::sentences::sentences;
use super::words::words;
use std::collections::BTreeSet;

/// One look at the corpus will do.
pub const SIMPLE: &str = "simple";
/// Several steps or sources have to be combined.
pub const COMPLEX: &str = "complex";

/// So many points make a question complex.
const COMPLEX_POINTS: usize = 2;
/// More content words than this are a sign.
const MANY_WORDS: usize = 14;
/// Names beyond the first give a point each, up to so many.
const MOST_NAME_POINTS: usize = 2;
/// Words that ask for a comparison, a connection or an order, separated by blanks: each is proof by itself.
const COMBINING: &str = "\
    afterwards alike between both chain common compare compared connect connected connection differ difference each \
    follow intersection link linked longer more order relate related relationship respectively same shared steps tie \
    timeline trace versus vs";
/// Words that begin a further question behind `and`.
const ASKING: &[&str] = &["did", "how", "was", "were", "what", "when", "where", "which", "who", "whom", "whose", "why"];
/// Words that describe a thing instead of naming it, when they stand inside a question.
const DESCRIBING: &[&str] = &["that", "which", "who", "whose", "whom"];

/// Says [`COMPLEX`] or [`SIMPLE`]; a question without words is simple.
pub fn classify(question: &str) -> &'static str {
    let lower: Vec<String> = words(question).iter().map(|word| word.text.to_lowercase()).collect();
    let is = |at: usize, list: &[&str]| lower.get(at).is_some_and(|word| list.contains(&word.as_str()));
    if lower.iter().any(|word| COMBINING.split_whitespace().any(|combining| combining == word)) {
        return COMPLEX;
    }
    let further = (1..lower.len()).filter(|at| lower[at - 1] == "and" && is(*at, ASKING)).count();
    let described =
        (2..lower.len()).any(|at| is(at, DESCRIBING) && lower[at - 1] != "and" && !is(at - 1, PREPOSITIONS));
    let long = words(question).iter().filter(|word| word.is_content()).count() > MANY_WORDS;
    let points = further.min(1)
        + usize::from(described)
        + usize::from(long)
        + names_n(question).saturating_sub(1).min(MOST_NAME_POINTS);
    if points >= COMPLEX_POINTS { COMPLEX } else { SIMPLE }
}

/// Words before which `which` and its like ask instead of describing.
const PREPOSITIONS: &[&str] = &["at", "by", "for", "from", "in", "of", "on", "to", "under", "with"];

/// How many different names a question has.
fn names_n(question: &str) -> usize {
    let known = Known::trusting();
    let found = sentences(question).into_iter().flat_map(|sentence| names(&sentence.text, &known).names);
    found.map(|name| name.text).collect::<BTreeSet<String>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_several_steps_make_a_question_complex() {
        for question in [
            "Which group uses both Rowboat and Lantern?",
            "Compare the two harbours.",
            "The company that built Pump Alpha was sold. To whom, and what did Grid Nine pay?",
            "How did Ann Marlow come to lead Grid Nine after Harbor Lock closed?",
            "Give the dated steps from the first plan to the opening.",
        ] {
            assert_eq!(classify(question), COMPLEX, "{question}");
        }
        for question in
            ["", "?!", "What does E-4417 mean?", "When was Pump Alpha built?", "Who runs the Valve Station?"]
        {
            assert_eq!(classify(question), SIMPLE, "{question}");
        }
    }
}
