//! Words of a text, as the built-in judges compare them.
//!
//! Reads text, writes lower-case terms. Knows a few English function words; other languages keep all their words.

use std::collections::BTreeSet;

const FUNCTION_WORDS: [&str; 58] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "if", "in", "into", "is", "it", "its", "not", "of", "on", "or", "that", "the",
    "their", "them", "there", "these", "they", "this", "those", "to", "was", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// The distinct terms of a text: lower-case runs of letters and digits without function words and plural `s`.
pub fn terms(text: &str) -> BTreeSet<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !FUNCTION_WORDS.contains(&word.as_str()))
        .map(|word| match word.strip_suffix('s') {
            Some(singular) if singular.chars().count() >= 3 && !singular.ends_with('s') => singular.to_owned(),
            _ => word,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_drop_function_words_and_plural_endings() {
        let found: Vec<String> =
            terms("What do the WIDGET-ERR-7741 errors mean, and is glass a gas?").into_iter().collect();
        assert_eq!(found, ["7741", "err", "error", "gas", "glass", "mean", "widget"]);
    }
}
