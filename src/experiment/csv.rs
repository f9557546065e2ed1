//! Comma-separated values (RFC 4180) to the same tree that YAML gives: a list with one mapping a record.
//!
//! Reads a string; writes nothing. The first record names the columns, whatever their order. Every cell is text exactly
//! as typed, line breaks inside quotes included; an empty cell is a field that is not there. `relevant_sources` holds
//! one document, or a JSON list of several. Never guesses a delimiter and never repairs a record.

use super::document::{Entry, Node, Source, Style, Value};
use super::problem::{Place, Problems, correction, nearest, quoted};
use super::question::FIELDS;
use crate::json;
use ::csv::{ErrorKind, ReaderBuilder, StringRecord};

/// The field below which people keep keys of their own; a column each, as `extra.NAME`.
const OWN_KEYS: &str = "extra";
/// The one column whose cells hold a list.
const LIST_COLUMN: &str = "relevant_sources";

/// Parses every record; wrong ones are recorded and left out.
///
/// The outer null means that the text cannot be read as records; the inner one that it holds nothing.
#[allow(clippy::option_option)]
pub fn parse(text: &str, source: &Source, problems: &mut Problems) -> Option<Option<Node>> {
    if text.trim().is_empty() {
        return Some(None);
    }
    if let Some(line) = unclosed_quote(text) {
        problems.add(source.problem(at(line), "a quoted cell begins here and never ends"));
        return None;
    }
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut records = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => records.push(record),
            Err(error) => {
                let line = error.position().map_or(1, |position| line_of(text, position.byte()));
                let message = match error.kind() {
                    ErrorKind::Utf8 { .. } => "a cell is not UTF-8".to_owned(),
                    _ => format!("not valid CSV: {error}"),
                };
                problems.add(source.problem(at(line), message));
                return None;
            }
        }
    }
    let mut lines = Lines { text, byte: 0, line: 1 };
    let mut records = records.into_iter().map(|record| (lines.start_of(&record), record));
    let (header_line, header) = records.next()?;
    let columns = columns(&header, header_line, source, problems)?;
    let items = records.filter_map(|(line, record)| item(&record, line, &columns, source, problems)).collect();
    Some(Some(Node { place: at(header_line), value: Value::List(items) }))
}

/// Where the cells of a column go.
enum Column {
    /// The field of a question.
    Field(&'static str),
    /// A key below `extra`, which nobody reads.
    Own(String),
    /// Nowhere; the name was refused.
    Refused,
}

/// The columns by their names, each told once when it is unknown; null when one has no name or that of another.
fn columns(header: &StringRecord, line: usize, source: &Source, problems: &mut Problems) -> Option<Vec<Column>> {
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    if names.len() == 1 && names.iter().any(|name| name.contains([';', '\t'])) {
        let hint = "separate cells with commas, or save the file as JSON Lines".to_owned();
        problems.add(source.problem(at(line), "the header is one single column").suggest(hint));
        return None;
    }
    let before = problems.0.len();
    for (index, name) in names.iter().enumerate() {
        if name.is_empty() {
            problems.add(source.problem(at(line), format!("column {} has no name", index + 1)));
        } else if names[..index].contains(name) {
            problems.add(source.problem(at(line), format!("the column {} appears twice", quoted(name))));
        }
    }
    if problems.0.len() != before {
        return None;
    }
    let known: Vec<&'static str> = FIELDS.into_iter().filter(|field| *field != OWN_KEYS).collect();
    let column = |name: &&str| {
        if let Some(field) = known.iter().find(|field| *field == name) {
            return Column::Field(field);
        }
        if let Some((OWN_KEYS, own)) = name.split_once('.').filter(|(_, own)| !own.is_empty()) {
            return Column::Own(own.to_owned());
        }
        let hint = format!("{}; columns of your own are called `{OWN_KEYS}.NAME`", correction(name, &known));
        problems.add(source.problem(at(line), format!("unknown question field {}", quoted(name))).suggest(hint));
        // The field that was meant is not missing, too.
        let meant = nearest(name, known.iter().copied()).filter(|meant| !names.contains(meant));
        meant
            .and_then(|meant| known.iter().find(|field| **field == meant))
            .map_or(Column::Refused, |f| Column::Field(f))
    };
    Some(names.iter().map(column).collect())
}

fn item(
    record: &StringRecord,
    line: usize,
    columns: &[Column],
    source: &Source,
    problems: &mut Problems,
) -> Option<Node> {
    if record.len() != columns.len() {
        let message = format!("the record has {} cells, and the header {}", record.len(), columns.len());
        let hint = "put a cell that holds a comma into double quotes".to_owned();
        problems.add(source.problem(at(line), message).suggest(hint));
        return None;
    }
    let place = at(line);
    let (mut entries, mut own) = (Vec::new(), Vec::new());
    for (column, cell) in columns.iter().zip(record).filter(|(_, cell)| !cell.is_empty()) {
        match column {
            Column::Field(LIST_COLUMN) => {
                entries.push(Entry { key: LIST_COLUMN.to_owned(), place, node: list(cell, place, source, problems)? });
            }
            Column::Field(name) => entries.push(Entry { key: (*name).to_owned(), place, node: text_node(cell, place) }),
            Column::Own(name) => own.push(Entry { key: name.clone(), place, node: text_node(cell, place) }),
            Column::Refused => {}
        }
    }
    if !own.is_empty() {
        entries.push(Entry { key: OWN_KEYS.to_owned(), place, node: Node { place, value: Value::Mapping(own) } });
    }
    Some(Node { place, value: Value::Mapping(entries) })
}

/// One document, or the JSON list in the cell.
fn list(cell: &str, place: Place, source: &Source, problems: &mut Problems) -> Option<Node> {
    if !cell.trim_start().starts_with('[') {
        return Some(Node { place, value: Value::List(vec![text_node(cell, place)]) });
    }
    let texts: Option<Vec<String>> = json::parse_strict(cell)
        .ok()
        .and_then(|value| value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect());
    let Some(texts) = texts else {
        let hint = "for instance `[\"a.md\", \"b.md\"]`, its quotes doubled inside a quoted cell".to_owned();
        problems.add(source.problem(place, format!("`{LIST_COLUMN}` must be a JSON list of texts")).suggest(hint));
        return None;
    };
    Some(Node { place, value: Value::List(texts.iter().map(|text| text_node(text, place)).collect()) })
}

fn text_node(text: &str, place: Place) -> Node {
    Node { place, value: Value::Scalar(text.to_owned(), Style::Quoted) }
}

fn at(line: usize) -> Place {
    Place { line, column: 1, width: 0 }
}

/// Lines of places that come one after the other; each byte is looked at once.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line a record begins on. The reader says where it began to look, which may be blank lines before.
    fn start_of(&mut self, record: &StringRecord) -> usize {
        let byte = record.position().map_or(0, ::csv::Position::byte);
        let start = usize::try_from(byte).unwrap_or(0).clamp(self.byte, self.text.len());
        let rest = &self.text[start..];
        let start = start + rest.len() - rest.trim_start_matches(['\n', '\r']).len();
        self.line += self.text.as_bytes()[self.byte..start].iter().filter(|byte| **byte == b'\n').count();
        self.byte = start;
        self.line
    }
}

fn line_of(text: &str, byte: u64) -> usize {
    let end = usize::try_from(byte).unwrap_or(usize::MAX).min(text.len());
    text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The line of a quote that opens a cell and is never closed; a reader would take the rest of the file for that cell.
fn unclosed_quote(text: &str) -> Option<usize> {
    let (mut inside, mut at_start, mut line, mut opened) = (false, true, 1, 0);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if inside && characters.peek() == Some(&'"') => {
                characters.next();
            }
            '"' if inside => inside = false,
            '"' if at_start => (inside, opened) = (true, line),
            _ => {}
        }
        at_start = !inside && matches!(character, ',' | '\n' | '\r');
        line += usize::from(character == '\n');
    }
    inside.then_some(opened)
}
