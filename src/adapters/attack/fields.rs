//! Typed reading of foreign JSON objects.
//!
//! Reads one `serde_json` object at a time and never guesses: a value of another type is an error that names the
//! object and the field. Text comes out on one line, without control or direction characters.

use super::identity::{AttackId, Kind};
use super::month::Month;
use serde_json::{Map, Value};
use std::fmt;

/// Longest accepted name, alias or platform in characters; ATT&CK's own longest has 57.
const LONGEST_NAME_CHARACTERS: usize = 200;

/// Which field of which object is unusable, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldProblem {
    /// The object, for instance `software[12]`; empty for the whole file.
    pub place: String,
    /// The field; empty when the object itself is the problem.
    pub field: String,
    /// What is wrong, in a few words.
    pub problem: String,
}

impl fmt::Display for FieldProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match (self.place.as_str(), self.field.as_str()) {
            (place, "") => write!(formatter, "`{place}` {}", self.problem),
            ("", field) => write!(formatter, "`{field}` {}", self.problem),
            (place, field) => write!(formatter, "`{place}.{field}` {}", self.problem),
        }
    }
}

/// One JSON object with the words for finding it again.
pub struct Record<'a> {
    map: &'a Map<String, Value>,
    place: String,
}

impl<'a> Record<'a> {
    /// Takes an object; anything else is an error.
    pub fn new(value: &'a Value, place: String) -> Result<Self, FieldProblem> {
        match value {
            Value::Object(map) => Ok(Self { map, place }),
            _ => Err(FieldProblem { place, field: String::new(), problem: "is not an object".to_owned() }),
        }
    }

    /// Makes an error about one field.
    pub fn problem(&self, field: &str, problem: impl Into<String>) -> FieldProblem {
        FieldProblem { place: self.place.clone(), field: field.to_owned(), problem: problem.into() }
    }

    /// Reads text exactly as it is.
    pub fn text(&self, field: &str) -> Result<&'a str, FieldProblem> {
        self.optional_text(field)?.ok_or_else(|| self.problem(field, "is missing"))
    }

    /// Reads text that may be absent or null.
    pub fn optional_text(&self, field: &str) -> Result<Option<&'a str>, FieldProblem> {
        match self.map.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.problem(field, "is not text")),
        }
    }

    /// Reads a flag; absent or null is false.
    pub fn flag(&self, field: &str) -> Result<bool, FieldProblem> {
        match self.map.get(field) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.problem(field, "is not true or false")),
        }
    }

    /// Reads a list; absent or null is empty.
    pub fn list(&self, field: &str) -> Result<&'a [Value], FieldProblem> {
        match self.map.get(field) {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(_) => Err(self.problem(field, "is not a list")),
        }
    }

    /// Reads a list of objects.
    pub fn records(&self, field: &str) -> Result<Vec<Record<'a>>, FieldProblem> {
        let place = |index: usize| format!("{}.{field}[{index}]", self.place);
        self.list(field)?.iter().enumerate().map(|(index, value)| Record::new(value, place(index))).collect()
    }

    /// Reads a list of texts exactly as they are.
    pub fn texts(&self, field: &str) -> Result<Vec<&'a str>, FieldProblem> {
        let text = |value: &'a Value| value.as_str().ok_or_else(|| self.problem(field, "has an item that is not text"));
        self.list(field)?.iter().map(text).collect()
    }

    /// Reads a name: one line, not empty, at most 200 characters.
    pub fn name(&self, field: &str) -> Result<String, FieldProblem> {
        self.clean(field, self.text(field)?)
    }

    /// Reads a list of names, sorted, each once.
    pub fn names(&self, field: &str) -> Result<Vec<String>, FieldProblem> {
        let mut names = Vec::new();
        for text in self.texts(field)? {
            names.push(self.clean(field, text)?);
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Reads an ATT&CK identifier of a kind.
    pub fn attack_id(&self, field: &str, kind: Kind) -> Result<AttackId, FieldProblem> {
        let text = self.text(field)?;
        AttackId::parse(kind, text).ok_or_else(|| {
            self.problem(field, format!("is `{}`, not an identifier of a {}", text.escape_debug(), kind.word()))
        })
    }

    /// Reads the identifier of a tactic, for instance `TA0011`.
    pub fn tactic_id(&self, field: &str) -> Result<String, FieldProblem> {
        let text = self.text(field)?;
        let well_formed = text.len() == 6 && text.starts_with("TA") && text.bytes().skip(2).all(|b| b.is_ascii_digit());
        match well_formed {
            true => Ok(text.to_owned()),
            false => Err(self.problem(field, format!("is `{}`, not an identifier of a tactic", text.escape_debug()))),
        }
    }

    /// Reads the month of a timestamp that may be absent.
    pub fn month(&self, field: &str) -> Result<Option<Month>, FieldProblem> {
        let Some(text) = self.optional_text(field)? else { return Ok(None) };
        let month = Month::parse(text)
            .ok_or_else(|| self.problem(field, format!("is `{}`, not a timestamp", text.escape_debug())))?;
        Ok(Some(month))
    }

    /// Reads a version such as `18.1` or `11.0-beta`, or null when it is absent.
    pub fn version(&self, field: &str) -> Result<Option<String>, FieldProblem> {
        let Some(text) = self.optional_text(field)? else { return Ok(None) };
        let well_formed = text.len() <= 20 && text.starts_with(|c: char| c.is_ascii_digit());
        match well_formed && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte)) {
            true => Ok(Some(text.to_owned())),
            false => Err(self.problem(field, format!("is `{}`, not a version", text.escape_debug()))),
        }
    }

    fn clean(&self, field: &str, text: &str) -> Result<String, FieldProblem> {
        let clean = one_line(text);
        if clean.is_empty() {
            return Err(self.problem(field, "is empty"));
        }
        if clean.chars().count() > LONGEST_NAME_CHARACTERS {
            return Err(self.problem(field, format!("is longer than {LONGEST_NAME_CHARACTERS} characters")));
        }
        Ok(clean)
    }
}

/// Puts blanks of any kind to single spaces and drops characters that control a terminal or the reading direction.
fn one_line(text: &str) -> String {
    let visible = |c: &char| !matches!(*c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let spaced = text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c });
    let kept: String = spaced.filter(visible).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_come_out_on_one_visible_line() {
        let value = json!({"name": " A\n# B\u{1b}[31m\u{202e}\u{0}C ", "blank": "\u{200b} \n"});
        let record = Record::new(&value, "objects[0]".to_owned()).unwrap();
        assert_eq!(record.name("name").unwrap(), "A # B [31m C");
        assert_eq!(record.name("blank").unwrap_err().to_string(), "`objects[0].blank` is empty");
    }

    #[test]
    fn a_value_of_another_type_names_object_and_field() {
        let value = json!({"name": 7, "aliases": ["a", 1], "revoked": "yes"});
        let record = Record::new(&value, "objects[3]".to_owned()).unwrap();
        assert_eq!(record.name("name").unwrap_err().to_string(), "`objects[3].name` is not text");
        assert_eq!(
            record.names("aliases").unwrap_err().to_string(),
            "`objects[3].aliases` has an item that is not text"
        );
        assert_eq!(record.flag("revoked").unwrap_err().to_string(), "`objects[3].revoked` is not true or false");
        assert_eq!(record.text("id").unwrap_err().to_string(), "`objects[3].id` is missing");
    }
}
