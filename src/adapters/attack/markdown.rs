//! Foreign text in Markdown, in file names and in templates.
//!
//! Takes strings and gives strings; [`environment`] sets up a template engine in which no value can reach a document
//! unescaped. Never changes a name that has no meaning in Markdown: `KGH_SPY` and `LAPSUS$` stay as they are.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};

/// Longest slug in bytes.
const LONGEST_SLUG_BYTES: usize = 60;

/// Escapes what Markdown or HTML would take for markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before: Option<char> = None;
    for (offset, character) in text.char_indices() {
        let rest = &text[offset + character.len_utf8()..];
        let after = rest.chars().next();
        let is_markup = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' => true,
            // Inside a word an underscore is plain text.
            '_' => !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)),
            '&' => is_entity(rest),
            '#' | '-' | '+' | '=' => before.is_none(),
            // `1. ` at the start of a line opens a list.
            '.' | ')' => offset > 0 && text[..offset].bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(character);
        before = Some(character);
    }
    out
}

/// Says whether the text behind an ampersand completes a character reference such as `&lt;`.
fn is_entity(rest: &str) -> bool {
    rest.split_once(';').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
    })
}

/// Makes the part of a file name that people read: lower-case ASCII letters and digits, joined by single hyphens.
///
/// Empty when nothing of the text is left.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push('-');
        }
        out.push_str(&word.to_ascii_lowercase());
    }
    out.truncate(LONGEST_SLUG_BYTES);
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// A template engine that escapes every value and fails on an unknown one.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the delimiters are the usual ones"));
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("markdown".into()));
    environment.set_formatter(|out, _, value| {
        if value.is_undefined() {
            return Err(Error::from(minijinja::ErrorKind::UndefinedError));
        }
        let written = match value.as_str() {
            Some(text) if !value.is_safe() => out.write_str(&escape(text)),
            _ => write!(out, "{value}"),
        };
        written.map_err(Error::from)
    });
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_plain_names_stay() {
        for plain in
            ["KGH_SPY", "LAPSUS$", "AutoHotKey & AutoIT", "DEV#POPPER", "Startup Folder (x86)", "3CX", "a-b", "é"]
        {
            assert_eq!(escape(plain), plain);
        }
        for (text, escaped) in [
            ("[x](y)", "\\[x\\](y)"),
            ("<script>", "\\<script\\>"),
            ("# top", "\\# top"),
            ("- item", "\\- item"),
            ("12. item", "12\\. item"),
            ("_x_", "\\_x\\_"),
            ("&lt;b", "\\&lt;b"),
            ("a\\*b*", "a\\\\\\*b\\*"),
        ] {
            assert_eq!(escape(text), escaped);
        }
    }

    #[test]
    fn slugs_cannot_leave_a_folder() {
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("Registry Run Keys / Startup Folder"), "registry-run-keys-startup-folder");
        assert_eq!(slug("\u{202e}✝"), "");
        assert!(slug(&"ab ".repeat(90)).len() <= LONGEST_SLUG_BYTES);
        assert!(!slug(&"ab ".repeat(90)).ends_with('-'));
    }
}
