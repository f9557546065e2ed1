//! Text with several statements taken apart at the semicolons that end them.
//!
//! Knows quotes, dollar quotes and comments as the engine's own reader does, and nothing else of SQL.

/// What a text holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pieces<'text> {
    /// The statements without their semicolons; empty ones and comments alone are left out.
    pub statements: Vec<&'text str>,
    /// Whether the last statement is ended, so that nobody waits for more of it.
    pub is_ended: bool,
}

/// Takes a text apart. An open quote or comment runs to the end.
pub fn split(text: &str) -> Pieces<'_> {
    let bytes = text.as_bytes();
    let mut pieces = Pieces { statements: Vec::new(), is_ended: true };
    let (mut start, mut at, mut has_words) = (0, 0, false);
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = match bytes[at] {
            b';' => {
                if has_words {
                    pieces.statements.push(text[start..at].trim());
                }
                (start, has_words, pieces.is_ended) = (at + 1, false, true);
                at += 1;
                continue;
            }
            b'-' if rest.starts_with("--") => Skipped::comment(rest.find('\n').unwrap_or(rest.len())),
            b'/' if rest.starts_with("/*") => Skipped::comment(block_comment(rest)),
            b'\'' => Skipped::words(quoted(rest, '\'', is_escaping(&text[..at]))),
            b'"' => Skipped::words(quoted(rest, '"', false)),
            b'$' => Skipped::words(dollar_quoted(rest)),
            byte if byte.is_ascii_whitespace() => Skipped::comment(1),
            _ => Skipped::words(rest.chars().next().map_or(1, char::len_utf8)),
        };
        has_words |= skipped.is_words;
        if skipped.is_words {
            pieces.is_ended = false;
        }
        at += skipped.bytes;
    }
    if has_words {
        pieces.statements.push(text[start..].trim());
    }
    pieces
}

struct Skipped {
    bytes: usize,
    is_words: bool,
}

impl Skipped {
    fn words(bytes: usize) -> Self {
        Self { bytes, is_words: true }
    }

    fn comment(bytes: usize) -> Self {
        Self { bytes, is_words: false }
    }
}

/// Whether the quote that follows belongs to a text like `e'...'`, in which a backslash escapes.
fn is_escaping(before: &str) -> bool {
    let mut characters = before.chars().rev();
    matches!(characters.next(), Some('e' | 'E'))
        && !characters.next().is_some_and(|character| character.is_alphanumeric() || character == '_')
}

/// Bytes of a quoted text; a doubled quote stands for itself.
fn quoted(text: &str, quote: char, escapes: bool) -> usize {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((index, character)) = characters.next() {
        if escapes && character == '\\' {
            characters.next();
        } else if character == quote {
            match characters.peek() {
                Some((_, next)) if *next == quote => {
                    characters.next();
                }
                _ => return index + 1,
            }
        }
    }
    text.len()
}

/// Bytes of `$tag$ ... $tag$`; a single dollar sign, as before a parameter, when it is none.
fn dollar_quoted(text: &str) -> usize {
    let Some(end) = text[1..].find('$').map(|index| index + 1) else { return 1 };
    let tag = &text[1..end];
    let is_tag = tag.chars().all(|character| character.is_alphanumeric() || character == '_')
        && !tag.starts_with(|first: char| first.is_ascii_digit());
    if !is_tag {
        return 1;
    }
    let fence = &text[..=end];
    text[end + 1..].find(fence).map_or(text.len(), |index| end + 1 + index + fence.len())
}

/// Bytes of a comment; comments can stand in comments.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(rest) = text.get(at..) {
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            match rest.chars().next() {
                Some(character) => at += character.len_utf8(),
                None => break,
            }
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semicolon_in_a_quote_or_a_comment_ends_nothing() {
        for (text, statements, is_ended) in [
            ("select 1", vec!["select 1"], false),
            ("select 1;", vec!["select 1"], true),
            ("select ';' ; select 2 -- ;\n", vec!["select ';'", "select 2 -- ;"], false),
            ("select 'it''s;' as \"a;b\";", vec!["select 'it''s;' as \"a;b\""], true),
            ("select $$a;b$$; select $x$;$$;$x$;", vec!["select $$a;b$$", "select $x$;$$;$x$"], true),
            ("select $name || ';' || $other;", vec!["select $name || ';' || $other"], true),
            ("/* a; /* b; */ c; */ ;;", vec![], true),
            ("select 'open;", vec!["select 'open;"], false),
            ("select e'\\';' ;", vec!["select e'\\';'"], true),
            ("-- only words", vec![], true),
            ("select 'é日';select 2;", vec!["select 'é日'", "select 2"], true),
            ("", vec![], true),
        ] {
            assert_eq!(split(text), Pieces { statements, is_ended }, "{text}");
        }
    }
}
