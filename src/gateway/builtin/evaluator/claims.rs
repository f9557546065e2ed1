//! The statements of a text, and which of them claim nothing.

use crate::gateway::builtin::sentences::sentences;
use crate::gateway::builtin::words::words;

/// Says by itself that there is no answer.
const REFUSALS: [&str; 16] = [
    "i do not know",
    "i am not sure",
    "cannot answer",
    "cannot be answered",
    "cannot determine",
    "cannot be determined",
    "cannot tell from",
    "unable to answer",
    "unable to determine",
    "unable to find",
    "no information about",
    "no information on",
    "not enough information",
    "insufficient information",
    "not enough context",
    "no answer in",
];

/// Says so when it is about the sources.
const SILENCES: [&str; 14] = [
    "not answer",
    "not say",
    "not state",
    "not mention",
    "not contain",
    "not provide",
    "not specify",
    "not include",
    "not describe",
    "not give",
    "not stated",
    "not specified",
    "no mention of",
    "no information",
];

/// Words for the sources of an answer.
const SOURCES: [&str; 13] = [
    "context",
    "contexts",
    "document",
    "documents",
    "file",
    "files",
    "passage",
    "passages",
    "source",
    "sources",
    "text",
    "texts",
    "information",
];

/// The sentences of a text that have anything to say: at least one content word that is not `yes`.
pub(super) fn statements(text: &str) -> Vec<String> {
    sentences(text)
        .into_iter()
        .map(|sentence| sentence.text)
        .filter(|text| words(text).iter().any(|word| word.is_content() && word.stem != "yes"))
        .collect()
}

/// The statements that claim something: all but the non-committal ones.
pub(super) fn claims(text: &str) -> Vec<String> {
    statements(text).into_iter().filter(|statement| !is_non_committal(statement)).collect()
}

/// True when a sentence only says that the sources hold no answer, or that the author does not know.
pub(super) fn is_non_committal(sentence: &str) -> bool {
    let plain = plain(sentence);
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| plain.contains(&format!(" {phrase} ")));
    says(&REFUSALS) || says(&SILENCES) && says(&SOURCES)
}

/// Lower case, contractions written out, every run of other characters one blank, a blank at both ends.
fn plain(sentence: &str) -> String {
    let lower = sentence.to_lowercase().replace('\u{2019}', "'").replace("can't", "cannot").replace("n't", " not");
    let mut plain = String::from(" ");
    for word in lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        plain.push_str(word);
        plain.push(' ');
    }
    plain.replace(" i m ", " i am ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::builtin::NO_ANSWER;

    #[test]
    fn silence_of_the_sources_is_no_claim() {
        for text in [
            NO_ANSWER,
            "The files do not say when the pool opens.",
            "I don\u{2019}t know.",
            "I'm not sure.",
            "The documents don't mention a price.",
            "This cannot be determined.",
            "There is no information about it.",
        ] {
            assert!(is_non_committal(text), "{text}");
            assert!(claims(text).is_empty());
        }
    }

    #[test]
    fn a_denial_is_a_claim() {
        for text in ["The pool does not open on Monday.", "Nobody knows Mr. Arvo.", "Arvo did not mention the price."] {
            assert!(!is_non_committal(text), "{text}");
            assert_eq!(claims(text).len(), 1);
        }
        assert!(statements("Yes. ").is_empty());
        assert!(statements("... --").is_empty());
    }
}
