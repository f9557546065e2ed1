//! Where the characters of a text begin, so that a long document is not counted again for every chunk.
//!
//! Pure; reads and writes nothing.

/// Every so many characters the byte position is remembered.
const STEP_CHARS: usize = 4096;

/// Byte positions of every 4096th character of one text.
pub struct Positions {
    marks: Vec<usize>,
    characters_n: usize,
}

impl Positions {
    /// Counts a text.
    pub fn new(text: &str) -> Self {
        let mut marks = Vec::new();
        let mut characters_n = 0;
        for (byte, _) in text.char_indices() {
            if characters_n % STEP_CHARS == 0 {
                marks.push(byte);
            }
            characters_n += 1;
        }
        Self { marks, characters_n }
    }

    /// How many characters the text has.
    pub fn characters_n(&self) -> usize {
        self.characters_n
    }

    /// How many characters lie before a byte position, which must be a character boundary of the same text.
    pub fn character_at(&self, text: &str, byte: usize) -> usize {
        let mark = self.marks.partition_point(|mark| *mark <= byte).saturating_sub(1);
        let start = self.marks.get(mark).copied().unwrap_or(0);
        mark * STEP_CHARS + text[start..byte].chars().count()
    }

    /// The byte position of a character of the same text; the text's length for one behind its end.
    pub fn byte_at(&self, text: &str, character: usize) -> usize {
        let Some(start) = self.marks.get(character / STEP_CHARS) else { return text.len() };
        text[*start..].char_indices().nth(character % STEP_CHARS).map_or(text.len(), |(byte, _)| start + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::Positions;

    #[test]
    fn bytes_and_characters_agree_across_marks() {
        let text: String = "aé日🔎".repeat(4000);
        let positions = Positions::new(&text);
        assert_eq!(positions.characters_n(), 16_000);
        for (character, (byte, _)) in text.char_indices().enumerate().step_by(37) {
            assert_eq!(positions.byte_at(&text, character), byte);
            assert_eq!(positions.character_at(&text, byte), character);
        }
        assert_eq!(positions.byte_at(&text, 16_000), text.len());
        assert_eq!(positions.character_at(&text, text.len()), 16_000);
        assert_eq!(Positions::new("").byte_at("", 0), 0);
    }
}
