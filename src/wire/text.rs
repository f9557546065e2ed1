//! White space as the earlier Python system saw it.
//!
//! Answers, titles and score texts are trimmed by this rule, so that rows of both systems agree. Pure.

/// Whether `character` counts as white space: Unicode white space, and U+001C to U+001F as well.
///
/// U+200B and U+FEFF are not white space. Source: `contract/evaluation.md` section 2.5.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Removes white space from both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::trim;

    #[test]
    fn trimming_removes_separators_that_rusts_trim_keeps() {
        assert_eq!(trim("\u{1c}\u{1f}\u{85}\u{a0}\u{2028} a b \u{1d}\n"), "a b");
        assert_eq!(trim("\u{200b}a\u{feff}"), "\u{200b}a\u{feff}");
    }
}
