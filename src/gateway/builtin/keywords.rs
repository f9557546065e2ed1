//! `builtin/question-keywords`: the names of a question, and what it says about them.
//!
//! Names are keywords of the low level, the other content words those of the high level. Pure; equal input gives equal
//! keywords.

use super::names::{Known, names};
use super::sentences::sentences;
use super::words::{Kind, words};
use crate::gateway::roles::Keywords;

/// Neither list is longer.
const MOST_KEYWORDS: usize = 16;

/// Reads a question.
///
/// A question without names gives its content words at both levels, one of names alone gives them at both levels too, and
/// one without content words gives nothing.
pub fn keywords(question: &str) -> Keywords {
    let known = Known::trusting();
    let mut low_level: Vec<String> = Vec::new();
    for sentence in sentences(question) {
        for name in names(&sentence.text, &known).names {
            push(&mut low_level, name.text);
            name.alias.into_iter().for_each(|alias| push(&mut low_level, alias));
        }
    }
    let mut high_level: Vec<String> = Vec::new();
    for word in words(question).iter().filter(|word| matches!(word.kind, Kind::Plain)) {
        let lower = word.text.to_lowercase();
        let named = low_level.iter().any(|name| name.split(' ').any(|part| part.to_lowercase() == lower));
        if !named {
            push(&mut high_level, lower);
        }
    }
    match (low_level.is_empty(), high_level.is_empty()) {
        (true, false) => low_level.clone_from(&high_level),
        (false, true) => high_level.clone_from(&low_level),
        _ => {}
    }
    Keywords { low_level, high_level }
}

fn push(list: &mut Vec<String>, keyword: String) {
    if list.len() < MOST_KEYWORDS && !list.contains(&keyword) {
        list.push(keyword);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_low_and_the_rest_is_high() {
        let found = keywords("Which groups use Cobalt Strike (S0154) against banks?");
        assert_eq!(found.low_level, ["Cobalt Strike", "S0154"]);
        assert!(found.high_level.contains(&"groups".to_owned()) && found.high_level.contains(&"banks".to_owned()));
        assert!(!found.high_level.contains(&"cobalt".to_owned()));
    }

    #[test]
    fn a_level_that_would_be_empty_takes_the_other() {
        let found = keywords("who repairs pumps");
        assert_eq!(found.low_level, found.high_level);
        assert!(found.low_level.contains(&"pumps".to_owned()));
        assert_eq!(keywords("Arvo?").high_level, ["Arvo"]);
        assert_eq!(keywords(" ?! "), Keywords::default());
        assert!(keywords(&"Alpha beta ".repeat(5000)).high_level.len() <= MOST_KEYWORDS);
    }
}
