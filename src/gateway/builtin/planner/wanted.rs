//! What a question still wants: its terms that no finding has, and names that the findings lead to.

use crate::gateway::builtin::names::{Known, names};
use crate::gateway::builtin::sentences::sentences;
use crate::gateway::builtin::words::{Kind, Word, stems, words};
use crate::gateway::roles::Context;

/// A query for missing terms has at most so many.
const MOST_TERMS: usize = 6;

/// The content words of a question.
pub fn terms(question: &str) -> Vec<Word<'_>> {
    words(question).into_iter().filter(Word::is_content).collect()
}

/// The names, numbers and codes of the question that no finding has, as a query; none when every one was found.
///
/// Ordinary words are not missed: a finding may say the same in others.
pub fn missing(question: &str, findings: &[Context]) -> Option<String> {
    let texts = findings.iter().flat_map(|context| [context.title.as_str(), context.text.as_str()]);
    let found: Vec<_> = texts.map(|text| stems(&words(text))).collect();
    let is_missing = |word: &Word<'_>| {
        let telling = word.is_exact() || word.kind == Kind::Name;
        telling && found.iter().all(|stems| !stems.contains(&word.stem))
    };
    let query: Vec<&str> =
        terms(question).into_iter().filter(is_missing).map(|word| word.text).take(MOST_TERMS).collect();
    (!query.is_empty()).then(|| query.join(" "))
}

/// The first name of a text that neither the question nor a query has; none when there is no such name.
pub fn bridge(question: &str, text: &str, queries: &[&str]) -> Option<String> {
    let known = Known::learn(sentences(text).iter().map(|sentence| sentence.text.as_str()));
    let asked: Vec<String> = queries.iter().chain([&question]).map(|text| text.to_lowercase()).collect();
    let is_new = |name: &String| asked.iter().all(|text| !text.contains(&name.to_lowercase()));
    let found = sentences(text).into_iter().flat_map(|sentence| names(&sentence.text, &known).names);
    found.map(|name| name.text).find(is_new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(text: &str) -> Context {
        Context { title: "harbor/pump.md".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn names_and_codes_are_missed_and_ordinary_words_are_not() {
        let question = "Which station repairs Pump Alpha after error E-4417?";
        assert_eq!(missing(question, &[finding("Pump Alpha has a manual.")]).as_deref(), Some("E-4417"));
        assert_eq!(missing(question, &[finding("Alpha E-4417")]), None, "the title counts too");
        assert_eq!(missing("who repairs it?", &[]), None);
    }

    #[test]
    fn a_new_name_is_a_bridge() {
        let text = "In 2021 the pump went to Grid Nine. The engineer Ann Marlow leads Grid Nine.";
        assert_eq!(bridge("Who leads it?", text, &[]).as_deref(), Some("Grid Nine"));
        assert_eq!(bridge("Who leads it?", text, &["grid nine owners"]).as_deref(), Some("Ann Marlow"));
        assert_eq!(bridge("Does Ann Marlow lead Grid Nine?", text, &[]), None);
    }
}
