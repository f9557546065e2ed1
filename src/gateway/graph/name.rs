//! The form in which names are compared.
//!
//! Pure; reads and writes nothing.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Marks that stay when letters or digits stand on both sides.
const INNER_MARKS: [char; 9] = ['-', '.', '/', '\'', '\u{2019}', '&', '+', '_', ':'];

/// Lower-cases a name, makes runs of blanks and of marks around words one blank, and drops a leading `the` and a possessive
/// ending.
///
/// Marks inside words stay (`T1059.001`, `AT&T`). A name without letters and digits gives the empty text.
pub fn normalised(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut text = String::with_capacity(name.len());
    for (index, character) in characters.iter().enumerate() {
        let inside = || {
            index > 0
                && belongs(characters[index - 1])
                && characters.get(index + 1).is_some_and(|next| belongs(*next))
        };
        if belongs(*character) {
            text.extend(character.to_lowercase());
        } else if INNER_MARKS.contains(character) && inside() {
            text.push(if *character == '\u{2019}' { '\'' } else { *character });
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
    let text = text.trim_end();
    let text = text.strip_suffix("'s").unwrap_or(text);
    text.strip_prefix("the ").unwrap_or(text).to_owned()
}

/// Letters, digits, and marks that combine with them.
fn belongs(character: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    character.is_alphanumeric()
        || !character.is_ascii()
            && matches!(get_general_category(character), NonspacingMark | SpacingMark | EnclosingMark)
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn spellings_of_one_name_agree() {
        for (name, expected) in [
            ("  The  Federal Trade\nCommission ", "federal trade commission"),
            ("Epic v. Apple", "epic v apple"),
            ("Registry Run Keys / Startup Folder", "registry run keys startup folder"),
            ("\"OpenAI's\"", "openai"),
            ("D\u{2019}Angelo", "d'angelo"),
            ("T1059.001", "t1059.001"),
            ("AT&T", "at&t"),
            ("Cafe\u{301}", "cafe\u{301}"),
            ("The", "the"),
            (" -- ", ""),
            ("", ""),
        ] {
            assert_eq!(normalised(name), expected, "{name:?}");
        }
    }
}
