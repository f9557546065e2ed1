//! What is wrong with the experiment files, collected whole and told with the place and the line.
//!
//! Reads nothing, writes nothing; turns a place in a file into the text people see. Never stops at the first problem.

use std::fmt;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The widest source line that is shown uncut, in characters.
const LINE_WIDTH: usize = 100;
/// What is kept left of the offending text when a line is cut, in characters.
const LEFT_CONTEXT: usize = 24;
/// The longest value that a message repeats, in characters.
const VALUE_WIDTH: usize = 60;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// One-based.
    pub line: usize,
    /// One-based, in characters.
    pub column: usize,
    /// Characters to underline; 0 underlines one.
    pub width: usize,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file as people name it: relative to the project where it can be; null for an argument.
    pub file: Option<String>,
    /// Where in the file; null when the whole file or an argument is meant.
    pub place: Option<Place>,
    /// What is wrong, in one line, lower case.
    pub message: String,
    /// The line at the place; null when there is none.
    pub source_line: Option<String>,
    /// The next step, for instance the nearest valid name.
    pub suggestion: Option<String>,
}

impl Problem {
    /// Makes a problem of an argument or of the files taken together.
    pub fn general(message: impl Into<String>) -> Self {
        Self { file: None, place: None, message: message.into(), source_line: None, suggestion: None }
    }

    /// Makes a problem of a whole file.
    pub fn file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..Self::general(message) }
    }

    /// Adds the next step.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<Option<String>>) -> Self {
        self.suggestion = suggestion.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(formatter, "{file}:")?;
            if let Some(place) = self.place {
                write!(formatter, "{}:{}:", place.line, place.column)?;
            }
            formatter.write_str(" ")?;
        }
        formatter.write_str(&self.message)?;
        match (self.place, &self.source_line) {
            (Some(place), Some(line)) => write_excerpt(formatter, place, line, self.suggestion.as_deref()),
            _ => self.suggestion.as_ref().map_or(Ok(()), |suggestion| write!(formatter, " ({suggestion})")),
        }
    }
}

/// The line with user names and passwords of URLs replaced, character by character, so that columns stay.
fn without_user_info(line: &str) -> String {
    let mut parts = line.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'');
        let authority = &part[..part.find(ends).unwrap_or(part.len())];
        let hidden = authority.rfind('@').unwrap_or(0);
        shown.push_str("://");
        shown.extend(part[..hidden].chars().map(|_| '*'));
        shown.push_str(&part[hidden..]);
    }
    shown
}

fn write_excerpt(formatter: &mut fmt::Formatter, place: Place, line: &str, suggestion: Option<&str>) -> fmt::Result {
    let number = place.line.to_string();
    let line = without_user_info(line);
    let characters: Vec<char> = line.chars().map(|c| if c == '\t' { ' ' } else { printable(c) }).collect();
    let start = place.column.saturating_sub(1).min(characters.len());
    let first = if characters.len() > LINE_WIDTH { start.saturating_sub(LEFT_CONTEXT) } else { 0 };
    let last = characters.len().min(first + LINE_WIDTH);
    let cut_left = if first > 0 { "..." } else { "" };
    let cut_right = if last < characters.len() { "..." } else { "" };
    let shown: String = characters[first..last].iter().collect();
    let before: String = characters[first..start].iter().collect();
    let end = (start + place.width.max(1)).min(last);
    let marked: usize = characters[start..end.max(start)].iter().map(|c| c.width().unwrap_or(0)).sum();

    write!(formatter, "\n  {number} | {cut_left}{shown}{cut_right}")?;
    let (gutter, indent) = (" ".repeat(number.len()), " ".repeat(cut_left.len() + before.width()));
    write!(formatter, "\n  {gutter} | {indent}{}", "^".repeat(marked.max(1)))?;
    suggestion.map_or(Ok(()), |suggestion| write!(formatter, " {suggestion}"))
}

/// Everything that is wrong. A loader that recorded a problem gives no value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Records one more.
    pub fn add(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Records what another reading found.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Orders the problems of one file by place; files stay in the order they were read.
    fn sort(&mut self) {
        let mut files: Vec<Option<String>> = Vec::new();
        for problem in &self.0 {
            if !files.contains(&problem.file) {
                files.push(problem.file.clone());
            }
        }
        let place = |problem: &Problem| problem.place.map(|place| (place.line, place.column));
        self.0.sort_by_key(|problem| (files.iter().position(|file| *file == problem.file), place(problem)));
    }

    /// Gives the value when nothing is wrong; with a problem recorded there is no value, however much was read.
    pub fn into_result<T>(mut self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => {
                self.sort();
                Err(self)
            }
        }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (position, problem) in self.0.iter().enumerate() {
            write!(formatter, "{}{problem}", if position > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Puts a value from a file into backticks: control characters made harmless, long text cut.
pub fn quoted(value: &str) -> String {
    let mut shown: String = value.chars().take(VALUE_WIDTH).map(printable).collect();
    if value.chars().nth(VALUE_WIDTH).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// Lists names for a sentence: `` `a`, `b` or `c` ``.
pub fn listed<T: AsRef<str>>(names: &[T], joiner: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name.as_ref())).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} {joiner} {last}", rest.join(", ")),
    }
}

/// Finds the valid name that a misspelt one most likely means; null when none is near.
pub fn nearest<'a>(word: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    choices
        .into_iter()
        .map(|choice| (strsim::damerau_levenshtein(&word, &choice.to_lowercase()), choice))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, choice)| choice)
}

/// Words the next step after a wrong name: the nearest valid one, else all of them.
pub fn correction<T: AsRef<str>>(word: &str, choices: &[T]) -> String {
    match nearest(word, choices.iter().map(AsRef::as_ref)) {
        Some(choice) => format!("did you mean `{choice}`?"),
        None => format!("valid: {}", listed(choices, "and")),
    }
}

/// Replaces what could move a terminal's cursor or hide text.
fn printable(character: char) -> char {
    let hides = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if character.is_control() || hides || character == '\u{feff}' { '\u{fffd}' } else { character }
}
