//! Text from outside, made harmless for the page it goes to, and still readable to the letter.
//!
//! Reads any text; returns Markdown or HTML in which it shows as itself: no markup runs, no table breaks, nothing is
//! stripped. Characters that would not show (controls, direction overrides) are made visible.

use std::fmt::Write;

/// Which bytes stand for themselves wherever they are: printable ASCII but for some.
type Plain = [bool; 256];

const PLAIN_IN_MARKDOWN: Plain = plain_but(b"\\`*_[]|~$&<>#+-=");
const PLAIN_IN_HTML: Plain = plain_but(b"&<>\"'");
const PLAIN_IN_BLOCK: Plain = plain_but(b"");

const fn plain_but(special: &[u8]) -> Plain {
    let mut plain = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        plain[byte as usize] = true;
        byte += 1;
    }
    let mut place = 0;
    while place < special.len() {
        plain[special[place] as usize] = false;
        place += 1;
    }
    plain
}

/// Escapes a text: stretches of plain bytes as they are, every other character as `push` says. `push` is given what is
/// there already, the character, and what comes after it.
fn escape(text: &str, plain: &Plain, mut push: impl FnMut(&mut String, char, &str)) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    loop {
        let stretch = rest.bytes().position(|byte| !plain[usize::from(byte)]).unwrap_or(rest.len());
        escaped.push_str(&rest[..stretch]);
        let mut characters = rest[stretch..].chars();
        let Some(character) = characters.next() else { return escaped };
        rest = characters.as_str();
        push(&mut escaped, character, rest);
    }
}

/// Escapes for a place inside a line of Markdown, table cells included.
///
/// Line breaks become `<br>`; an underscore inside a word stays, because Markdown leaves it alone there.
pub fn markdown(text: &str) -> String {
    escape(text, &PLAIN_IN_MARKDOWN, |escaped, character, rest| match character {
        '\r' if rest.starts_with('\n') => {}
        '\n' | '\r' => escaped.push_str("<br>"),
        '&' => escaped.push_str("&amp;"),
        '<' => escaped.push_str("&lt;"),
        '>' => escaped.push_str("&gt;"),
        '_' if escaped.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric) => {
            escaped.push('_');
        }
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
            escaped.push('\\');
            escaped.push(character);
        }
        // At the start of a line they begin a heading, a list or a quotation.
        '#' | '+' | '-' | '=' if escaped.is_empty() || escaped.ends_with("<br>") => {
            escaped.push('\\');
            escaped.push(character);
        }
        _ => push_visible(escaped, character),
    })
}

/// Escapes for HTML text and for attributes in either kind of quotes.
pub fn html(text: &str) -> String {
    escape(text, &PLAIN_IN_HTML, |escaped, character, _| match character {
        '&' => escaped.push_str("&amp;"),
        '<' => escaped.push_str("&lt;"),
        '>' => escaped.push_str("&gt;"),
        '"' => escaped.push_str("&quot;"),
        '\'' => escaped.push_str("&#x27;"),
        // A blank line would end the HTML block within Markdown.
        '\n' => escaped.push_str("&#10;"),
        '\r' => escaped.push_str("&#13;"),
        _ => push_visible(escaped, character),
    })
}

/// Escapes for one part of a URL: everything but unreserved characters as percent and two digits (RFC 3986).
pub fn url_part(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// Escapes for a code span that stands in a line, table cells included.
///
/// A plain name becomes a code span. Anything else becomes a code element, because a pipe cannot stand in a code span of a
/// table, nor a backtick in a short fence.
pub fn code(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._:/@+-".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        return format!("`{text}`");
    }
    let mut escaped = String::from("<code>");
    for character in html(text).chars() {
        // Markdown is still read inside an inline element.
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped.push_str("</code>");
    escaped
}

/// A fenced block in which the text stands exactly as it is, whatever it holds.
pub fn fenced(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let body = escape(text, &PLAIN_IN_BLOCK, |escaped, character, rest| match character {
        '\r' if rest.starts_with('\n') => {}
        '\n' => escaped.push('\n'),
        '\r' => escaped.push('\u{240d}'),
        _ => push_visible(escaped, character),
    });
    format!("{fence}text\n{body}\n{fence}")
}

/// A character that people can see: controls as their symbols, direction overrides by their numbers.
fn push_visible(text: &mut String, character: char) {
    match character {
        '\t' => text.push('\t'),
        '\u{0}'..='\u{1f}' => text.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}')),
        '\u{7f}' => text.push('\u{2421}'),
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            let _ = write!(text, "(U+{:04X})", u32::from(character));
        }
        _ => text.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_links_and_table_borders_show_as_text() {
        assert_eq!(markdown("<img src=x onerror=\"a\">"), "&lt;img src=x onerror=\"a\"&gt;");
        assert_eq!(markdown("left | right\n| fake | row |"), "left \\| right<br>\\| fake \\| row \\|");
        assert_eq!(markdown("[x](javascript:void(0))"), "\\[x\\](javascript:void(0))");
        assert_eq!(markdown("b`tick"), "b\\`tick");
        assert_eq!(markdown("cyber_threat_intel _x_"), "cyber_threat_intel \\_x\\_");
        assert_eq!(markdown("# no\r\n- list"), "\\# no<br>\\- list");
        assert_eq!(markdown("vanilla-rag"), "vanilla-rag");
    }

    #[test]
    fn both_kinds_of_quotes_end_no_attribute() {
        assert_eq!(html("a\"onmouseover=\"x"), "a&quot;onmouseover=&quot;x");
        assert_eq!(html("it's <svg/onload=1>\n\n&"), "it&#x27;s &lt;svg/onload=1&gt;&#10;&#10;&amp;");
    }

    #[test]
    fn a_part_of_a_url_ends_nothing() {
        assert_eq!(url_part("r1&x=\"é/.."), "r1%26x%3D%22%C3%A9%2F..");
    }

    #[test]
    fn a_code_element_holds_pipes_and_backticks() {
        assert_eq!(code("a|b`c*"), "<code>a&#124;b&#96;c&#42;</code>");
        assert_eq!(code("gemma4:31b"), "`gemma4:31b`");
        assert_eq!(code(""), "<code></code>");
    }

    #[test]
    fn no_run_of_backticks_ends_a_block() {
        assert_eq!(fenced("a ```` b"), "`````text\na ```` b\n`````");
        assert_eq!(fenced("<plan>look up</plan>Noon & later"), "```text\n<plan>look up</plan>Noon & later\n```");
    }

    #[test]
    fn controls_and_direction_overrides_are_visible() {
        assert_eq!(markdown("\u{1b}[2J\u{202e}x"), "\u{241b}\\[2J(U+202E)x");
    }
}
