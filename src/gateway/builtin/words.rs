//! Words as the built-in models compare them: lower-cased, stemmed a little, told apart by kind.
//!
//! English rules only; other languages pass through whole words. Pure; reads and writes nothing.

mod stem;
mod stop;

pub(super) use stop::is_stop_word;

use std::collections::BTreeSet;
use stem::stem;

/// What a word is good for when texts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function word that says nothing about the topic.
    Stop,
    /// Any other word.
    Plain,
    /// Capitalised inside a sentence, or all capitals.
    Name,
    /// Digits, or a number written out.
    Number,
    /// Letters and digits in one: a code, a model, a docket. Near is not good enough for these.
    Identifier,
}

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'text> {
    /// As it stands in the text.
    pub text: &'text str,
    /// The form that is compared.
    pub stem: String,
    /// What it is good for.
    pub kind: Kind,
}

impl Word<'_> {
    /// True for everything but function words.
    pub fn is_content(&self) -> bool {
        self.kind != Kind::Stop
    }

    /// True when the word must be met exactly: a number or an identifier.
    pub fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Identifier)
    }
}

/// Numbers written out, with their digits. `one` is left out: it is a pronoun more often.
const NUMBER_WORDS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
];

/// The stems of all content words.
pub(super) fn stems(words: &[Word<'_>]) -> BTreeSet<String> {
    words.iter().filter(|word| word.is_content()).map(|word| word.stem.clone()).collect()
}

/// The stems of content words that follow each other, function words left out.
pub(super) fn pairs(words: &[Word<'_>]) -> BTreeSet<(String, String)> {
    let content: Vec<&String> = words.iter().filter(|word| word.is_content()).map(|word| &word.stem).collect();
    content.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// The words of a text in order.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut rest = 0;
    let mut sentence_start = true;
    while let Some(start) = text[rest..].find(char::is_alphanumeric).map(|at| rest + at) {
        if text[rest..start].contains(['.', '!', '?', '\n', ':', '|']) {
            sentence_start = true;
        }
        let end = word_end(text, start);
        for piece in pieces(&text[start..end]) {
            let lower = piece.to_lowercase().replace('\u{2019}', "'");
            let lower = lower.strip_suffix("'s").unwrap_or(&lower);
            let kind = kind(piece, lower, sentence_start);
            found.push(Word { text: piece, stem: comparable(lower, kind), kind });
            sentence_start = false;
        }
        rest = end;
    }
    found
}

/// Where the run of letters, digits and joiners between them that begins at `start` ends.
fn word_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut before = ' ';
    let mut characters = text[start..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = characters.peek().map_or(' ', |(_, next)| *next);
        if !character.is_alphanumeric() && !joins(before, character, after) {
            break;
        }
        end = start + at + character.len_utf8();
        before = character;
    }
    end
}

fn joins(before: char, joiner: char, after: char) -> bool {
    match joiner {
        '\'' | '\u{2019}' => before.is_alphanumeric() && after.is_alphabetic(),
        ',' => before.is_ascii_digit() && after.is_ascii_digit(),
        '.' | '-' | '/' | ':' | '_' => before.is_alphanumeric() && after.is_alphanumeric(),
        // Combining marks belong to the letter before them.
        '\u{300}'..='\u{36f}' => before.is_alphabetic(),
        _ => false,
    }
}

/// Splits a joined run unless it is one thing: a number, a dotted acronym or an identifier.
fn pieces(run: &str) -> Vec<&str> {
    if !run.contains(['-', '/', ':', '_']) {
        return dotted(run);
    }
    let parts: Vec<&str> = run.split(['-', '/', ':', '_']).collect();
    let has_digit = |part: &&str| part.contains(|character: char| character.is_ascii_digit());
    let with_digits = parts.iter().filter(|part| has_digit(part)).count();
    let first = parts[0];
    let code_prefix =
        first.starts_with(char::is_alphabetic) && (first.starts_with(char::is_uppercase) || first.chars().count() <= 2);
    let identifier = with_digits >= 1 && code_prefix || parts.len() >= 3 && with_digits >= 2 && !run.contains('_');
    let slashed = with_digits == parts.len() && !run.contains('-');
    if identifier || slashed { vec![run] } else { parts.into_iter().flat_map(dotted).collect() }
}

/// Splits at full stops, except in decimals (`4.3`), acronyms (`U.S`) and codes (`v1.2`).
fn dotted(run: &str) -> Vec<&str> {
    if !run.contains('.') {
        return vec![run];
    }
    let parts: Vec<&str> = run.split('.').collect();
    let acronym = parts.iter().all(|part| part.chars().count() == 1);
    let with_digits = parts.iter().all(|part| part.contains(|character: char| character.is_ascii_digit()));
    if acronym || with_digits { vec![run] } else { parts }
}

fn kind(piece: &str, lower: &str, sentence_start: bool) -> Kind {
    let digits = piece.chars().filter(char::is_ascii_digit).count();
    let letters = piece.chars().filter(|character| character.is_alphabetic()).count();
    if digits > 0 {
        let ordinal = letters == 2 && ["st", "nd", "rd", "th"].iter().any(|suffix| piece.ends_with(suffix));
        return if letters == 0 || ordinal { Kind::Number } else { Kind::Identifier };
    }
    let capitals = piece.chars().filter(|character| character.is_uppercase()).count();
    let shouted = capitals > 1 && capitals == letters;
    if is_stop_word(lower) && piece != "US" || lower.ends_with("n't") {
        Kind::Stop
    } else if NUMBER_WORDS.iter().any(|(word, _)| *word == lower) {
        Kind::Number
    } else if shouted || (!sentence_start && piece.starts_with(char::is_uppercase)) {
        Kind::Name
    } else {
        Kind::Plain
    }
}

fn comparable(lower: &str, kind: Kind) -> String {
    match kind {
        Kind::Stop | Kind::Identifier => lower.to_owned(),
        Kind::Number => match NUMBER_WORDS.iter().find(|(word, _)| *word == lower) {
            Some((_, digits)) => (*digits).to_owned(),
            None => lower.chars().filter(|character| *character != ',' && !character.is_alphabetic()).collect(),
        },
        Kind::Plain | Kind::Name => stem(&lower.replace('.', "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(String, Kind)> {
        words(text).into_iter().map(|word| (word.stem, word.kind)).collect()
    }

    #[test]
    fn identifiers_stay_whole_and_ordinary_compounds_fall_apart() {
        let stems = |text: &str| words(text).into_iter().map(|word| word.stem).collect::<Vec<_>>().join(" ");
        assert_eq!(
            stems("E-4417 CVE-2023-34362 1:20-cv-03010 2022/2380"),
            "e-4417 cve-2023-34362 1:20-cv-03010 2022/2380"
        );
        assert_eq!(stems("multi-factor 500-million mid-2023 2022-2024"), "multi factor 500 million mid 2023 2022 2024");
        assert_eq!(stems("1,250 4.3 U.S. two 20th"), "1250 4.3 us 2 20");
        assert_eq!(stems("end.Next file.md"), "end next fil md");
    }

    #[test]
    fn kinds_tell_names_numbers_and_codes_apart() {
        use Kind::{Identifier, Name, Number, Plain, Stop};
        let kinds: Vec<Kind> =
            seen("The Board paid Figma 1 billion for P7").into_iter().map(|(_, kind)| kind).collect();
        assert_eq!(kinds, [Stop, Name, Plain, Name, Number, Plain, Stop, Identifier]);
        assert_eq!(
            seen("give us the US"),
            [("giv".to_owned(), Plain), ("us".to_owned(), Stop), ("the".to_owned(), Stop), ("us".to_owned(), Name)]
        );
    }

    #[test]
    fn odd_input_is_no_problem() {
        assert!(words("").is_empty());
        assert!(words(" \u{0} -- '' ...").is_empty());
        assert_eq!(seen("\u{e9}t\u{e9} \u{4f60}\u{597d} e\u{301}t").len(), 3);
        assert_eq!(seen("\u{4f60}\u{597d}"), [("\u{4f60}\u{597d}".to_owned(), Kind::Plain)], "no case, no name");
    }

    #[test]
    fn apostrophes_hide_no_name_and_no_code() {
        let stems = |text: &str| words(text).into_iter().map(|word| word.stem).collect::<Vec<_>>().join(" ");
        assert_eq!(stems("P7's E-4417\u{2019}s OpenAI's"), "p7 e-4417 openai");
        assert_eq!(stems("D'Angelo D\u{2019}Angelo"), "d'angelo d'angelo");
        assert!(words("It doesn't, they don\u{2019}t.").iter().all(|word| word.kind == Kind::Stop));
    }
}
