//! Which words and names a text is about.
//!
//! Source: `contract/gateway.md` section 2.7.2. A hand-written scanner instead of a pattern, because the word
//! boundary there (Unicode category letter or number, or `_`) is not the one of the `regex` crate.

use std::collections::HashMap;
use unicode_general_category::{GeneralCategory, get_general_category};

/// Words that are never concepts on their own; a closed list that published scores depend on.
const STOP_WORDS: [&str; 54] = [
    "about", "after", "also", "among", "and", "are", "because", "been", "before", "being", "between", "both", "but",
    "can", "could", "does", "each", "for", "from", "had", "has", "have", "into", "its", "may", "more", "most", "not",
    "over", "such", "than", "that", "the", "their", "then", "there", "these", "they", "this", "through", "under",
    "using", "was", "were", "what", "when", "where", "which", "while", "who", "will", "with", "would", "your",
];

/// The most words one phrase may have.
const PHRASE_WORDS: usize = 4;
/// The fewest characters of a word or token.
const SHORTEST: usize = 3;

/// Lists the concepts of a text, the most frequent first.
///
/// A phrase (two to four capitalised words) counts 2 for each occurrence, a token 1. Ties are settled by the place of
/// the first occurrence, then by the concept itself. At least one concept is kept whatever `limit` says; a text
/// without any gives an empty list.
pub fn extract_concepts(text: &str, limit: i64) -> Vec<String> {
    let scanner = Scanner::new(text);
    let mut found: HashMap<String, (u32, usize)> = HashMap::new();
    scanner.phrases(|start, key| count(&mut found, key, start, 2));
    scanner.tokens(|start, key| count(&mut found, key, start, 1));
    let mut ordered: Vec<(String, (u32, usize))> = found.into_iter().collect();
    ordered.sort_unstable_by(|(left, (left_count, left_start)), (right, (right_count, right_start))| {
        right_count.cmp(left_count).then(left_start.cmp(right_start)).then_with(|| left.cmp(right))
    });
    ordered.truncate(usize::try_from(limit).unwrap_or(0).max(1));
    ordered.into_iter().map(|(key, _)| key).collect()
}

fn count(found: &mut HashMap<String, (u32, usize)>, key: String, start: usize, weight: u32) {
    found.entry(key).or_insert((0, start)).0 += weight;
}

/// The characters of a text with what the two patterns need to know about each.
struct Scanner {
    characters: Vec<char>,
    is_word: Vec<bool>,
}

impl Scanner {
    fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let is_word = characters.iter().map(|character| is_word_character(*character)).collect();
        Self { characters, is_word }
    }

    /// Calls `found` with start and key of every phrase, left to right, without overlaps.
    fn phrases(&self, mut found: impl FnMut(usize, String)) {
        let mut at = 0;
        while at < self.characters.len() {
            match self.phrase_end(at) {
                Some(end) => {
                    found(at, self.key(at, end));
                    at = end;
                }
                None => at += 1,
            }
        }
    }

    /// Calls `found` with start and key of every token that may be a concept, left to right.
    fn tokens(&self, mut found: impl FnMut(usize, String)) {
        let mut at = 0;
        while at < self.characters.len() {
            let end = if self.characters[at].is_ascii_alphabetic() && self.boundary(at) {
                self.last_boundary(at, self.run_end(at))
            } else {
                None
            };
            let Some(end) = end else {
                at += 1;
                continue;
            };
            let key = self.key(at, end);
            let key = key.trim_matches(['.', '-', '_']);
            if key.len() >= SHORTEST && !STOP_WORDS.contains(&key) {
                found(at, key.to_owned());
            }
            at = end;
        }
    }

    /// Where the longest phrase that starts at `start` ends.
    fn phrase_end(&self, start: usize) -> Option<usize> {
        if !self.capitalised(start) || !self.boundary(start) {
            return None;
        }
        // Every word but the last is a whole run, for only blanks may follow it; the last may be cut at a boundary.
        let mut words = vec![(start, self.run_end(start))];
        while words.len() < PHRASE_WORDS {
            let end = words[words.len() - 1].1;
            let next = end + self.characters[end..].iter().take_while(|character| is_blank(**character)).count();
            if next == end || !self.capitalised(next) {
                break;
            }
            words.push((next, self.run_end(next)));
        }
        words[1..].iter().rev().find_map(|(word, end)| self.last_boundary(*word, *end))
    }

    /// True when a capital letter and at least two more concept characters begin here.
    fn capitalised(&self, at: usize) -> bool {
        self.characters.get(at).is_some_and(char::is_ascii_uppercase) && self.run_end(at) - at >= SHORTEST
    }

    /// Where the run of concept characters that includes `at` ends.
    fn run_end(&self, at: usize) -> usize {
        at + self.characters[at..].iter().take_while(|character| is_concept_character(**character)).count()
    }

    /// The last word boundary in `start + SHORTEST ..= end`.
    fn last_boundary(&self, start: usize, end: usize) -> Option<usize> {
        (start + SHORTEST..=end).rev().find(|at| self.boundary(*at))
    }

    fn boundary(&self, at: usize) -> bool {
        let before = at > 0 && self.is_word[at - 1];
        let after = self.is_word.get(at).copied().unwrap_or(false);
        before != after
    }

    /// The text between two places in lower case, each run of blanks as one space.
    fn key(&self, start: usize, end: usize) -> String {
        let mut key = String::with_capacity(end - start);
        for character in &self.characters[start..end] {
            if !is_blank(*character) {
                key.push(character.to_ascii_lowercase());
            } else if !key.ends_with(' ') {
                key.push(' ');
            }
        }
        key
    }
}

fn is_concept_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-')
}

/// Python's idea of a blank: Unicode white space and the four information separators.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

fn is_word_character(character: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, OtherLetter, OtherNumber, TitlecaseLetter,
        UppercaseLetter,
    };
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    matches!(
        get_general_category(character),
        UppercaseLetter
            | LowercaseLetter
            | TitlecaseLetter
            | ModifierLetter
            | OtherLetter
            | DecimalNumber
            | LetterNumber
            | OtherNumber
    )
}
