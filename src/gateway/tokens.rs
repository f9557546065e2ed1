//! Counting GPT-2 tokens in any part of a text that was tokenised once.
//!
//! The vocabulary is the tokenizer crate's; what is our own is the cutting into pieces before byte-pair merging, which
//! lets the pieces' counts be remembered. Pure; no I/O.

use std::collections::HashMap;
use tiktoken_rs::CoreBPE;
use unicode_general_category::{GeneralCategory, get_general_category};

/// The longest piece that is merged in one go; merging is quadratic, and no word is this long.
const STRETCH_BYTES: usize = 512;
/// How many pieces a counter remembers.
const REMEMBERED_PIECES: usize = 100_000;

/// Counts tokens and remembers the counts of pieces it has seen.
pub struct TokenCounter {
    model: &'static CoreBPE,
    seen: HashMap<String, u32>,
}

/// Where pieces end in a text, and how many tokens lie before each end.
pub struct TokenMap {
    /// Byte offsets of piece boundaries, rising, from 0 to the text's length.
    offsets: Vec<usize>,
    /// Tokens before each of `offsets`.
    tokens: Vec<usize>,
}

impl Default for TokenCounter {
    fn default() -> Self {
        Self { model: tiktoken_rs::r50k_base_singleton(), seen: HashMap::new() }
    }
}

impl TokenCounter {
    /// Tokenises a text.
    ///
    /// Equal to GPT-2 except for pieces beyond 512 bytes (a word of that length), which are counted in stretches.
    pub fn map(&mut self, text: &str) -> TokenMap {
        let mut map = TokenMap { offsets: vec![0], tokens: vec![0] };
        let mut start = 0;
        let mut total = 0;
        while start < text.len() {
            let end = start + piece_length(&text[start..]);
            let mut rest = &text[start..end];
            while !rest.is_empty() {
                let (stretch, after) = rest.split_at(rest.floor_char_boundary(STRETCH_BYTES));
                total += self.count_piece(stretch);
                start += stretch.len();
                map.offsets.push(start);
                map.tokens.push(total);
                rest = after;
            }
        }
        map
    }

    fn count_piece(&mut self, piece: &str) -> usize {
        if let Some(count) = self.seen.get(piece) {
            return *count as usize;
        }
        let count = self.model.count_ordinary(piece);
        if self.seen.len() < REMEMBERED_PIECES {
            self.seen.insert(piece.to_owned(), u32::try_from(count).unwrap_or(u32::MAX));
        }
        count
    }
}

impl TokenMap {
    /// How many tokens touch the bytes from `start` to `end`; a piece that is cut counts whole.
    pub fn between(&self, start: usize, end: usize) -> usize {
        let first = self.offsets.partition_point(|offset| *offset <= start).saturating_sub(1);
        let last = self.offsets.partition_point(|offset| *offset < end).min(self.offsets.len() - 1);
        self.tokens[last].saturating_sub(self.tokens[first])
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Letter,
    Number,
    Blank,
    Other,
}

/// The length in bytes of the first piece of a text that is not empty.
///
/// The pieces are those of GPT-2's published pattern: contractions, then runs of letters, of numbers, or of other marks, each with one
/// space before it, then runs of blanks, of which the last blank is left to the word that follows.
fn piece_length(text: &str) -> usize {
    if let Some(length) = contraction(text) {
        return length;
    }
    let after_space = text.strip_prefix(' ').unwrap_or(text);
    if let Some(class) = after_space.chars().next().map(class).filter(|class| *class != Class::Blank) {
        return text.len() - after_space.len() + run_length(after_space, class);
    }
    let blanks = run_length(text, Class::Blank);
    let last = text[..blanks].chars().next_back().map_or(0, char::len_utf8);
    if blanks == text.len() || blanks == last { blanks } else { blanks - last }
}

fn contraction(text: &str) -> Option<usize> {
    let after = text.strip_prefix('\'')?;
    ["s", "d", "m", "t", "ll", "ve", "re"]
        .iter()
        .find(|ending| after.starts_with(*ending))
        .map(|ending| ending.len() + 1)
}

fn run_length(text: &str, wanted: Class) -> usize {
    text.char_indices().find(|(_, character)| class(*character) != wanted).map_or(text.len(), |(index, _)| index)
}

fn class(character: char) -> Class {
    use GeneralCategory::{
        DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, OtherLetter, OtherNumber, TitlecaseLetter,
        UppercaseLetter,
    };
    match character {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Number,
        _ if character.is_whitespace() => Class::Blank,
        _ if character.is_ascii() => Class::Other,
        _ => match get_general_category(character) {
            LowercaseLetter | ModifierLetter | OtherLetter | TitlecaseLetter | UppercaseLetter => Class::Letter,
            DecimalNumber | LetterNumber | OtherNumber => Class::Number,
            _ => Class::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_equal_those_of_the_tokenizer_crate() {
        let model = tiktoken_rs::r50k_base_singleton();
        let mut counter = TokenCounter::default();
        for text in [
            "Hello world, it's 2024!  Two  spaces\n\nand\tlines   ",
            "Ärger naïve Straße étude 日本語テキスト ²³ Ⅷ e\u{301} \u{a0}x \u{1f50e}\u{1f469}\u{200d}\u{1f4bb}",
            "they'll we've don't 'S 'x   're\r\n  # Heading\n- item _snake_case_ a1b2",
            "",
            "   ",
        ] {
            let map = counter.map(text);
            assert_eq!(map.between(0, text.len()), model.count_ordinary(text), "{text:?}");
        }
    }

    #[test]
    fn a_part_of_a_text_is_counted_by_the_pieces_it_touches() {
        let map = TokenCounter::default().map("one two three");
        assert_eq!(map.between(3, 7), 1);
        assert_eq!(map.between(1, 5), 2);
        assert_eq!(map.between(7, 7), 0);
    }
}
