//! The terms of a text, for keyword search.
//!
//! Documents and questions go through the same function. Pure; reads and writes nothing.

use unicode_segmentation::UnicodeSegmentation;

/// Characters that join words into one identifier, as in `E-4417` or `rev/2`.
const JOINERS: [char; 5] = ['-', '/', '.', ':', '+'];

/// Gives the terms of a text in order of appearance (a whole after its parts), lower-cased, repetitions kept.
///
/// Words are those of Unicode Standard Annex 29. A word with marks inside (`a1.2`, `openai's`) also gives its
/// alphanumeric pieces of two or more characters. Words joined without blanks by one of `- / . : +` give, when a digit
/// is among them, one more term for the whole (`E-4417` gives `e`, `4417`, `e-4417`). Empty text gives no term.
pub fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut compound: Option<Compound> = None;
    for (start, word) in text.unicode_word_indices() {
        let end = start + word.len();
        compound = match compound {
            Some(open) if joins(text, open.end, start) => Some(Compound { end, words: open.words + 1, ..open }),
            other => {
                push_compound(&mut found, text, other);
                Some(Compound { start, end, words: 1 })
            }
        };
        push_word(&mut found, word);
    }
    push_compound(&mut found, text, compound);
    found
}

struct Compound {
    start: usize,
    end: usize,
    words: usize,
}

fn joins(text: &str, end: usize, start: usize) -> bool {
    let mut between = text[end..start].chars();
    matches!((between.next(), between.next()), (Some(mark), None) if JOINERS.contains(&mark))
}

fn push_word(found: &mut Vec<String>, word: &str) {
    found.push(word.to_lowercase());
    if word.chars().all(char::is_alphanumeric) {
        return;
    }
    for piece in word.split(|character: char| !character.is_alphanumeric()) {
        if piece.len() < word.len() && piece.chars().nth(1).is_some() {
            found.push(piece.to_lowercase());
        }
    }
}

fn push_compound(found: &mut Vec<String>, text: &str, compound: Option<Compound>) {
    let Some(Compound { start, end, words }) = compound else { return };
    let whole = &text[start..end];
    if words > 1 && whole.chars().any(char::is_numeric) {
        found.push(whole.to_lowercase());
    }
}

#[cfg(test)]
mod tests {
    use super::terms;

    #[test]
    fn identifiers_are_found_whole_and_in_parts() {
        assert_eq!(terms("Code E-4417 failed"), ["code", "e", "4417", "e-4417", "failed"]);
        assert_eq!(terms("CVE-2024-3094."), ["cve", "2024", "3094", "cve-2024-3094"]);
        assert_eq!(terms("Pump A1.2!"), ["pump", "a1.2", "a1"]);
        assert_eq!(terms("well-known"), ["well", "known"]);
    }

    #[test]
    fn words_are_lower_case_in_every_script() {
        assert_eq!(terms("Ärger, OpenAI's ΣΟΦΟΣ"), ["ärger", "openai's", "openai", "σοφος"]);
        assert_eq!(terms("  \u{0}—!  "), Vec::<String>::new());
    }
}
