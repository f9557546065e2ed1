//! Words of a sentence with the marks around them.
//!
//! Pure; reads and writes nothing.

/// A word of a sentence, without the marks around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'text> {
    /// The word; possessive endings are cut off.
    pub text: &'text str,
    /// Whether a mark stands before it, so that it goes on with nothing.
    pub begins_phrase: bool,
    /// Whether a mark stands behind it, so that nothing goes on with it.
    pub ends_phrase: bool,
    /// Whether round brackets hold this word alone.
    pub in_brackets: bool,
}

/// Abbreviations whose full stop ends nothing.
const OPEN_ABBREVIATIONS: &[&str] = &["v", "vs", "st", "inc", "corp", "ltd", "co", "mr", "mrs", "ms", "dr"];

impl Token<'_> {
    pub fn lower(&self) -> String {
        self.text.to_lowercase()
    }

    pub fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// A capital behind a small letter at the front, as in `xAI`.
    pub fn has_inner_capital(&self) -> bool {
        self.text.starts_with(char::is_lowercase) && self.text.chars().skip(1).any(char::is_uppercase)
            || self.text.chars().zip(self.text.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase())
    }

    /// Two capitals or more and no small letter.
    pub fn is_acronym(&self) -> bool {
        let letters = self.text.chars().filter(|character| character.is_alphabetic());
        letters.clone().count() > 1 && letters.clone().all(char::is_uppercase)
    }

    /// A capital first and a digit somewhere, as in `E-4417`.
    pub fn is_code(&self) -> bool {
        self.is_capitalised() && self.text.chars().any(|character| character.is_ascii_digit())
    }

    pub fn is_name(&self) -> bool {
        self.is_capitalised() || self.has_inner_capital()
    }
}

/// Splits a sentence at blanks; addresses are left out, and of Markdown links the text is kept.
pub(super) fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let mut rest = sentence;
    while let Some(start) = rest.find(|character: char| !character.is_whitespace()) {
        let word = &rest[start..];
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let (piece, length) = linked(&word[..end]);
        rest = &word[length..];
        if piece.contains("://") {
            continue;
        }
        match token(piece) {
            Some(token) => found.push(token),
            // A mark between blanks separates what stands around it; a slash or an ampersand joins.
            None if matches!(piece, "/" | "&") => {
                found.push(Token { text: piece, begins_phrase: false, ends_phrase: false, in_brackets: false });
            }
            None => {
                if let Some(last) = found.last_mut() {
                    last.ends_phrase = true;
                }
            }
        }
    }
    found
}

/// Cuts the target off `text](target)`; gives what is read and how many bytes it took.
fn linked(word: &str) -> (&str, usize) {
    match word.find("](") {
        Some(at) => {
            let after = word[at..].find(')').map_or(word.len(), |close| at + close + 1);
            (&word[..at + 1], after)
        }
        None => (word, word.len()),
    }
}

fn token(piece: &str) -> Option<Token<'_>> {
    let start = piece.find(char::is_alphanumeric)?;
    let end = piece.rfind(char::is_alphanumeric).map_or(piece.len(), |at| at + char_length(&piece[at..]));
    let (before, word, after) = (&piece[..start], &piece[start..end], &piece[end..]);
    let (text, possessive) = without_possessive(word);
    let dotted = after == "." && OPEN_ABBREVIATIONS.contains(&text.to_lowercase().as_str());
    Some(Token {
        text,
        begins_phrase: before.contains(['(', '[', '"', '\u{201c}']),
        ends_phrase: possessive || !dotted && after.contains(|mark: char| !matches!(mark, '*' | '_' | '`')),
        in_brackets: before.ends_with('(') && after.starts_with(')'),
    })
}

fn without_possessive(word: &str) -> (&str, bool) {
    for ending in ["'s", "\u{2019}s"] {
        if let Some(text) = word.strip_suffix(ending).filter(|text| !text.is_empty()) {
            return (text, true);
        }
    }
    (word, false)
}

fn char_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}
