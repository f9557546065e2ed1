//! A reader for the JSON that judges write: strict in grammar, and it keeps what a strict reader would throw away.
//!
//! Reads a text from a position, writes nothing. It differs from `json::parse_strict` in three points, each needed to
//! say *why* a score does not count: repeated keys are kept, `NaN` and `Infinity` are tokens, and a number of any size
//! keeps its digits. It never repairs: single quotes, trailing commas and bare words stay errors.

use serde_json::{Map, Number, Value};

/// Objects and arrays may nest this deep; deeper text is refused, never a stack overflow.
const MAX_DEPTH: usize = 32;

/// One JSON value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The characters of a number, or one of `NaN`, `Infinity`, `-Infinity`.
    Number(String),
    /// A string without its escapes.
    Text(String),
    /// The items in order.
    Array(Vec<Node>),
    /// The entries in order, repeated keys included.
    Object(Vec<(String, Node)>),
}

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Something that JSON does not allow.
    Syntax,
    /// The text ended inside a value that was fine so far.
    Ended,
    /// More than 32 levels.
    TooDeep,
}

impl Node {
    /// Converts to an ordinary JSON value.
    ///
    /// A number without a finite double becomes its text; of repeated keys the last one stays.
    pub fn to_value(&self) -> Value {
        match self {
            Node::Null => Value::Null,
            Node::Bool(value) => Value::Bool(*value),
            Node::Number(token) => number_value(token),
            Node::Text(text) => Value::String(text.clone()),
            Node::Array(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Node::Object(entries) => {
                let map: Map<String, Value> =
                    entries.iter().map(|(key, node)| (key.clone(), node.to_value())).collect();
                Value::Object(map)
            }
        }
    }
}

fn number_value(token: &str) -> Value {
    let finite = token.parse::<f64>().is_ok_and(f64::is_finite);
    match serde_json::from_str::<Number>(token) {
        Ok(number) if finite => Value::Number(number),
        _ => Value::String(token.to_owned()),
    }
}

/// Reads the value that begins at byte `start`, after blanks.
///
/// Returns the value or the reason it is none, and the byte position reached, which is also the work done.
pub fn read(text: &str, start: usize) -> (Result<Node, Stop>, usize) {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: start };
    let result = reader.value(0);
    (result, reader.at)
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The next byte after blanks, or [`Stop::Ended`].
    fn next_token(&mut self) -> Result<u8, Stop> {
        self.skip_blanks();
        self.peek().ok_or(Stop::Ended)
    }

    fn value(&mut self, depth: usize) -> Result<Node, Stop> {
        match self.next_token()? {
            b'{' | b'[' if depth >= MAX_DEPTH => Err(Stop::TooDeep),
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Node::Text),
            b'n' => self.word("null", Node::Null),
            b't' => self.word("true", Node::Bool(true)),
            b'f' => self.word("false", Node::Bool(false)),
            b'N' => self.word("NaN", Node::Number("NaN".to_owned())),
            b'I' => self.word("Infinity", Node::Number("Infinity".to_owned())),
            b'-' if self.bytes.get(self.at + 1) == Some(&b'I') => {
                self.word("-Infinity", Node::Number("-Infinity".to_owned()))
            }
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(Stop::Syntax),
        }
    }

    fn word(&mut self, word: &str, node: Node) -> Result<Node, Stop> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(node);
        }
        Err(if word.as_bytes().starts_with(rest) { Stop::Ended } else { Stop::Syntax })
    }

    fn number(&mut self) -> Result<Node, Stop> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Node::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        match self.peek() {
            _ if self.at > start => Ok(()),
            None => Err(Stop::Ended),
            Some(_) => Err(Stop::Syntax),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Node, Stop> {
        self.at += 1;
        let mut items = Vec::new();
        if self.next_token()? == b']' {
            self.at += 1;
            return Ok(Node::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            match self.next_token()? {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Ok(Node::Array(items));
                }
                _ => return Err(Stop::Syntax),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Node, Stop> {
        self.at += 1;
        let mut entries = Vec::new();
        if self.next_token()? == b'}' {
            self.at += 1;
            return Ok(Node::Object(entries));
        }
        loop {
            if self.next_token()? != b'"' {
                return Err(Stop::Syntax);
            }
            let key = self.string()?;
            if self.next_token()? != b':' {
                return Err(Stop::Syntax);
            }
            self.at += 1;
            entries.push((key, self.value(depth + 1)?));
            match self.next_token()? {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Ok(Node::Object(entries));
                }
                _ => return Err(Stop::Syntax),
            }
        }
    }

    fn string(&mut self) -> Result<String, Stop> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte != b'"' && byte != b'\\' && byte >= b' ') {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                None => return Err(Stop::Ended),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => return Err(Stop::Syntax),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Stop> {
        let letter = *self.bytes.get(self.at + 1).ok_or(Stop::Ended)?;
        self.at += 2;
        out.push(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            _ => return Err(Stop::Syntax),
        });
        Ok(())
    }

    /// The character of a `\u` escape; half a surrogate pair reads as U+FFFD.
    fn unicode(&mut self) -> Result<char, Stop> {
        let first = self.hex4()?;
        if !(0xd800..0xdc00).contains(&first) || !self.bytes[self.at..].starts_with(b"\\u") {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before_second = self.at;
        self.at += 2;
        let second = self.hex4()?;
        if (0xdc00..0xe000).contains(&second) {
            let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = before_second;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, Stop> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().ok_or(Stop::Ended)?;
            code = code * 16 + char::from(digit).to_digit(16).ok_or(Stop::Syntax)?;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_repeated_keys_and_tokens_without_a_double() {
        let (node, end) = read(r#" {"a":NaN,"a":-Infinity,"b":1e400} rest"#, 0);
        assert_eq!(
            node.unwrap(),
            Node::Object(vec![
                ("a".into(), Node::Number("NaN".into())),
                ("a".into(), Node::Number("-Infinity".into())),
                ("b".into(), Node::Number("1e400".into())),
            ])
        );
        assert_eq!(end, 34);
    }

    #[test]
    fn tells_an_end_from_an_error() {
        for text in ["{", "{\"a", "{\"a\":", "{\"a\":1", "[1,", "tr", "-", "\"\\u12", "{\"a\":[{\"b\":\"x"] {
            assert_eq!(read(text, 0).0, Err(Stop::Ended), "{text}");
        }
        for text in ["{'a':1}", "{\"a\":1,}", "[1,]", "{a:1}", "01x]", "\"\n\"", "\"\\x\"", "+1", "nul!"] {
            let (result, end) = read(text, 0);
            assert!(result == Err(Stop::Syntax) || end < text.len(), "{text}");
        }
        assert_eq!(read(&"[".repeat(1_000_000), 0).0, Err(Stop::TooDeep));
    }

    #[test]
    fn surrogate_pairs_join_and_halves_are_replaced() {
        let (node, _) = read(r#""\ud83d\udd0e \ud83d \udd0e \ud83d\u0041""#, 0);
        assert_eq!(node.unwrap(), Node::Text("🔎 \u{fffd} \u{fffd} \u{fffd}A".into()));
    }
}
