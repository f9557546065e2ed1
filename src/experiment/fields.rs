//! Typed reading of a mapping's fields. Every wrong field is recorded; reading goes on with the next one.
//!
//! Reads nodes; writes problems. Never converts: `"3"` is not 3, `yes` is not `true`, 1.0 is not 1.

use super::document::{Document, Entry, Node, Source, Style, Value};
use super::problem::{Place, Problem, Problems, correction, listed, nearest, quoted};
use std::ops::RangeInclusive;

/// From here on an upper end is only what the type can hold, and not worth a word until it is passed.
const NO_LIMIT: u64 = u32::MAX as u64;

/// Records problems of one file. In its methods `name` is how a message calls the value: `` `retries` ``, "a judge".
pub struct Check<'a> {
    source: &'a Source,
    problems: &'a mut Problems,
}

/// The range of a number.
#[derive(Debug, Clone, Copy)]
pub struct NumberRange {
    /// Lowest value.
    pub min: f64,
    /// Whether the lowest value itself is refused.
    pub above: bool,
    /// Highest value, itself allowed.
    pub max: f64,
}

impl<'a> Check<'a> {
    /// Checks the nodes of a document.
    pub fn new(document: &'a Document, problems: &'a mut Problems) -> Self {
        Self { source: &document.source, problems }
    }

    /// Records a problem at a place.
    pub fn refuse(&mut self, place: Place, message: impl Into<String>, suggestion: impl Into<Option<String>>) {
        self.problems.add(self.source.problem(place, message).suggest(suggestion));
    }

    /// Records a problem without quoting its line, because what stands there may be a secret.
    pub fn refuse_unseen(&mut self, place: Place, message: impl Into<String>, suggestion: impl Into<Option<String>>) {
        let problem = self.source.problem(place, message).suggest(suggestion);
        self.problems.add(Problem { source_line: None, ..problem });
    }

    /// Text that is there, one character at least. Unquoted text is kept as typed, except for null.
    pub fn text(&mut self, node: &Node, name: &str) -> Option<String> {
        if node.is_null() {
            let (message, suggestion) = match &node.value {
                Value::Scalar(text, _) if text.is_empty() => (format!("{name} has no value"), None),
                _ => (format!("{name} must be text, not null"), Some("quote it if the word is meant".to_owned())),
            };
            self.refuse(node.place, message, suggestion);
            return None;
        }
        self.typed_text(node, name)
    }

    /// An id: text exactly as typed, so `007`, `1.10`, `no` and `null` stay what they look like.
    pub fn identifier(&mut self, node: &Node, name: &str) -> Option<String> {
        match &node.value {
            Value::Scalar(text, Style::Plain) if text.is_empty() => self.text(node, name),
            _ => self.typed_text(node, name),
        }
    }

    /// Text or null. The outer null means that a problem was recorded.
    #[allow(clippy::option_option)]
    pub fn text_or_null(&mut self, node: &Node, name: &str) -> Option<Option<String>> {
        if node.is_null() {
            return Some(None);
        }
        match &node.value {
            Value::Scalar(text, Style::Quoted) if text.is_empty() => Some(Some(String::new())),
            _ => self.typed_text(node, name).map(Some),
        }
    }

    fn typed_text(&mut self, node: &Node, name: &str) -> Option<String> {
        match &node.value {
            Value::Scalar(text, Style::Literal) => {
                let message = format!("{name} must be text, not {}", quoted(text));
                self.refuse(node.place, message, "quote it".to_owned());
                None
            }
            Value::Scalar(text, _) if text.is_empty() => {
                self.refuse(node.place, format!("{name} must not be empty"), None);
                None
            }
            Value::Scalar(text, _) => Some(text.clone()),
            _ => self.wrong_kind(node, name, "text"),
        }
    }

    /// A whole number in decimal digits.
    pub fn integer(&mut self, node: &Node, name: &str, range: RangeInclusive<u64>) -> Option<u64> {
        let text = self.unquoted(node, name, "a whole number")?;
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && no_leading_zero(digits);
        if !whole {
            self.refuse(node.place, format!("{name} must be a whole number, not {}", quoted(&text)), None);
            return None;
        }
        let (min, max) = range.clone().into_inner();
        let wanted = match text.parse::<u64>() {
            Ok(value) if range.contains(&value) => return Some(value),
            _ if min == max => format!("{min}"),
            _ if max < NO_LIMIT => format!("{min} to {max}"),
            Ok(value) if value < min => format!("at least {min}"),
            Err(_) if text.starts_with('-') => format!("at least {min}"),
            _ => format!("at most {max}"),
        };
        self.refuse(node.place, format!("{name} must be {wanted}, not {}", quoted(&text)), None);
        None
    }

    /// A finite number in decimal notation.
    pub fn number(&mut self, node: &Node, name: &str, range: NumberRange) -> Option<f64> {
        let text = self.unquoted(node, name, "a number")?;
        let Some(value) = decimal(&text) else {
            self.refuse(node.place, format!("{name} must be a finite number, not {}", quoted(&text)), None);
            return None;
        };
        let high_enough = if range.above { value > range.min } else { value >= range.min };
        if high_enough && value <= range.max {
            return Some(value);
        }
        let NumberRange { min, max, above } = range;
        let range = if above { format!("above {min} and at most {max}") } else { format!("{min} to {max}") };
        self.refuse(node.place, format!("{name} must be {range}, not {}", quoted(&text)), None);
        None
    }

    /// `true` or `false`, unquoted.
    pub fn switch(&mut self, node: &Node, name: &str) -> Option<bool> {
        let text = self.unquoted(node, name, "`true` or `false`")?;
        match text.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            other => {
                let meant = match other.to_ascii_lowercase().as_str() {
                    "yes" | "on" | "y" | "true" | "1" => Some("write `true`".to_owned()),
                    "no" | "off" | "n" | "false" | "0" => Some("write `false`".to_owned()),
                    _ => None,
                };
                self.refuse(node.place, format!("{name} must be `true` or `false`, not {}", quoted(other)), meant);
                None
            }
        }
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&mut self, node: &Node, name: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, name)?;
        if let Some((_, value)) = choices.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let message = format!("{name} must be {}, not {}", listed(&words, "or"), quoted(&text));
        let near = nearest(&text, words.iter().copied());
        self.refuse(node.place, message, near.map(|word| format!("did you mean `{word}`?")));
        None
    }

    /// A list; may be empty.
    pub fn list<'n>(&mut self, node: &'n Node, name: &str) -> Option<&'n [Node]> {
        match &node.value {
            Value::List(items) => Some(items),
            _ => self.wrong_kind(node, name, "a list"),
        }
    }

    /// A mapping whose keys are free.
    pub fn mapping<'n>(&mut self, node: &'n Node, name: &str) -> Option<&'n [Entry]> {
        match &node.value {
            Value::Mapping(entries) => Some(entries),
            _ => self.wrong_kind(node, name, "a mapping"),
        }
    }

    fn wrong_kind<T>(&mut self, node: &Node, name: &str, wanted: &str) -> Option<T> {
        let found = match &node.value {
            Value::Scalar(text, _) if !text.is_empty() => quoted(text),
            _ => node.kind().to_owned(),
        };
        self.refuse(node.place, format!("{name} must be {wanted}, not {found}"), None);
        None
    }

    fn unquoted(&mut self, node: &Node, name: &str, wanted: &str) -> Option<String> {
        match &node.value {
            Value::Scalar(text, Style::Quoted) => {
                let message = format!("{name} must be {wanted}, not the text {}", quoted(text));
                self.refuse(node.place, message, "drop the quotes".to_owned());
                None
            }
            Value::Scalar(text, _) if !text.is_empty() => Some(text.clone()),
            Value::Scalar(..) => {
                self.refuse(node.place, format!("{name} has no value; it must be {wanted}"), None);
                None
            }
            _ => self.wrong_kind(node, name, wanted),
        }
    }
}

/// The fields of one mapping.
pub struct Fields<'n> {
    place: Place,
    what: String,
    entries: &'n [Entry],
    /// Known fields that a misspelt one most likely means: they are not reported as missing, too.
    meant: Vec<String>,
}

impl<'n> Fields<'n> {
    /// Opens a mapping and refuses every field that is not known; `what` names the thing in messages.
    ///
    /// A known list that holds `extra` gives people a place for their own keys: a mapping that nobody reads.
    pub fn open(node: &'n Node, what: &str, known: &[&str], check: &mut Check) -> Option<Self> {
        let Value::Mapping(entries) = &node.value else {
            check.refuse(node.place, format!("{what} must be a mapping, not {}", node.kind()), None);
            return None;
        };
        let mut meant = Vec::new();
        for entry in entries {
            if !known.contains(&entry.key.as_str()) {
                let message = format!("unknown {what} field {}", quoted(&entry.key));
                let own: Vec<&str> = known.iter().copied().filter(|name| *name != "extra").collect();
                let mut correction = correction(&entry.key, &own);
                match nearest(&entry.key, own.iter().copied()) {
                    Some(name) => meant.push(name.to_owned()),
                    None if own.len() < known.len() => correction.push_str("; keys of your own go under `extra`"),
                    None => {}
                }
                check.refuse(entry.place, message, correction);
            } else if entry.key == "extra" && !entry.node.is_null() {
                check.mapping(&entry.node, "`extra`");
            }
        }
        Some(Self { place: node.place, what: what.to_owned(), entries, meant })
    }

    /// The whole entry of a field that is there.
    pub fn entry(&self, key: &str) -> Option<&'n Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Reads a field that must be there.
    pub fn required<'c, T>(
        &self,
        key: &str,
        check: &mut Check<'c>,
        read: impl FnOnce(&mut Check<'c>, &'n Node, &str) -> Option<T>,
    ) -> Option<T> {
        match self.entry(key) {
            Some(entry) => read(check, &entry.node, &format!("`{key}`")),
            None => {
                if !self.meant.iter().any(|name| name == key) {
                    check.refuse(self.place, format!("{} needs the field `{key}`", self.what), None);
                }
                None
            }
        }
    }

    /// Reads a field that may be absent; a field that is there must be right.
    pub fn optional<'c, T>(
        &self,
        key: &str,
        default: T,
        check: &mut Check<'c>,
        read: impl FnOnce(&mut Check<'c>, &'n Node, &str) -> Option<T>,
    ) -> Option<T> {
        self.entry(key).map_or(Some(default), |entry| read(check, &entry.node, &format!("`{key}`")))
    }
}

/// Decimal digits with an optional fraction and exponent; null for anything else or beyond a double's range.
fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let shaped = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
        && no_leading_zero(digits);
    if !shaped {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// `007` may be seven or octal: refused as a number.
fn no_leading_zero(digits: &str) -> bool {
    !(digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit())
}
