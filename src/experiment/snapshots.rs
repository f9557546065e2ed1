//! The catalogue's text with other published files: one dataset's entry changes, everything else stays to the letter.
//!
//! Reads and returns the text of `compare/datasets.yaml`; touches no file. Comments, blank lines, the order of keys, quotes
//! and line ends stay as they are. Every edit is read back and compared with what was meant, so a layout that cannot be
//! edited is refused and never damaged.

use super::document::{Entry, Node, Source, Style, Value};
use super::problem::{Place, Problem, Problems, quoted};
use super::yaml;

/// Sets text values of one dataset's entry. A key that is there gets the new value in its place, a new one stands at the
/// end of the entry.
///
/// `name` is the file as people name it.
pub fn with_values(text: &str, name: &str, dataset_id: &str, values: &[(String, String)]) -> Result<String, Problems> {
    let mut edited = text.to_owned();
    for (key, value) in values {
        edited = with_value(&edited, name, dataset_id, key, value)?;
    }
    Ok(edited)
}

fn with_value(text: &str, name: &str, dataset_id: &str, key: &str, value: &str) -> Result<String, Problems> {
    let before = read(text, name)?;
    let refused = || {
        let message = format!("the entry of dataset {} cannot be edited in its layout", quoted(dataset_id));
        let hint = format!("give it one key a line, or write {} yourself", quoted(&format!("{key}: {value}")));
        Problems::from(Problem::file(name, message).suggest(hint))
    };
    let entries = entry_of(&before, dataset_id).ok_or_else(refused)?;
    let lines = Lines::of(text);
    let known = entries.iter().find(|entry| entry.key == key);
    if known.is_some_and(|entry| entry.node.value == scalar(value)) {
        return Ok(text.to_owned());
    }
    let candidates: Vec<Option<String>> = match known {
        Some(entry) => vec![lines.replaced(entry.node.place, &written(value)), lines.filled(entry, &written(value))],
        None => entries
            .iter()
            .rev()
            .flat_map(|anchor| {
                let pair = format!("{key}: {}", written(value));
                [lines.with_line_after(anchor, entries, &pair), lines.with_pair_after(anchor, &pair)]
            })
            .collect(),
    };
    candidates
        .into_iter()
        .flatten()
        .find(|edited| read(edited, name).is_ok_and(|after| is_meant(&before, &after, dataset_id, key, value)))
        .ok_or_else(refused)
}

fn read(text: &str, name: &str) -> Result<Node, Problems> {
    let content = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut problems = Problems::default();
    let root = yaml::parse(content, &Source::new(name, content, true), &mut problems).flatten();
    problems.into_result(root)
}

fn entry_of<'a>(root: &'a Node, dataset_id: &str) -> Option<&'a [Entry]> {
    let Value::Mapping(top) = &root.value else { return None };
    let Value::List(datasets) = &top.iter().find(|entry| entry.key == "datasets")?.node.value else { return None };
    datasets.iter().find_map(|dataset| match &dataset.value {
        Value::Mapping(entries) => {
            let is_this = |entry: &Entry| entry.key == "id" && text_of(&entry.node) == Some(dataset_id);
            entries.iter().any(is_this).then_some(entries.as_slice())
        }
        _ => None,
    })
}

fn text_of(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(text, _) => Some(text),
        _ => None,
    }
}

/// A value as it will be read back.
fn scalar(value: &str) -> Value {
    Value::Scalar(value.to_owned(), if is_plain(value) { Style::Plain } else { Style::Quoted })
}

/// A value as it is written: bare where nothing in it could mean anything to YAML.
fn written(value: &str) -> String {
    if is_plain(value) {
        return value.to_owned();
    }
    serde_json::Value::String(value.to_owned()).to_string()
}

fn is_plain(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'))
}

/// Whether one document is the other with this one value set.
fn is_meant(before: &Node, after: &Node, dataset_id: &str, key: &str, value: &str) -> bool {
    let (Some(old), Some(new)) = (entry_of(before, dataset_id), entry_of(after, dataset_id)) else { return false };
    let is_set = new.iter().any(|entry| entry.key == key && entry.node.value == scalar(value));
    let others = |entries: &[Entry]| -> Vec<Entry> {
        entries.iter().filter(|entry| entry.key != key).map(without_places).collect()
    };
    is_set && others(old) == others(new) && rest(before, dataset_id) == rest(after, dataset_id)
}

/// The document without places, and without the keys of one dataset.
fn rest(root: &Node, dataset_id: &str) -> Node {
    let mut root = bare(root);
    if let Value::Mapping(top) = &mut root.value {
        for entry in top.iter_mut().filter(|entry| entry.key == "datasets") {
            let Value::List(datasets) = &mut entry.node.value else { continue };
            for dataset in datasets {
                let Value::Mapping(entries) = &mut dataset.value else { continue };
                if entries.iter().any(|entry| entry.key == "id" && text_of(&entry.node) == Some(dataset_id)) {
                    entries.retain(|entry| entry.key == "id");
                }
            }
        }
    }
    root
}

fn without_places(entry: &Entry) -> Entry {
    Entry { key: entry.key.clone(), place: NOWHERE, node: bare(&entry.node) }
}

const NOWHERE: Place = Place { line: 0, column: 0, width: 0 };

fn bare(node: &Node) -> Node {
    let value = match &node.value {
        Value::Scalar(text, style) => Value::Scalar(text.clone(), *style),
        Value::List(items) => Value::List(items.iter().map(bare).collect()),
        Value::Mapping(entries) => Value::Mapping(entries.iter().map(without_places).collect()),
    };
    Node { place: NOWHERE, value }
}

/// A text and where its lines begin, counted as places count them.
struct Lines<'a> {
    text: &'a str,
    /// Byte offsets; the first is behind a byte order mark.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(index, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(first).chain(ends.map(|(index, _)| index + 1)).collect();
        Self { text, starts }
    }

    /// The byte offset of a place, `further` characters on.
    fn offset(&self, place: Place, further: usize) -> Option<usize> {
        let start = *self.starts.get(place.line.checked_sub(1)?)?;
        let skipped = place.column.checked_sub(1)? + further;
        let rest = self.text.get(start..)?;
        rest.char_indices().map(|(index, _)| index).chain([rest.len()]).nth(skipped).map(|index| start + index)
    }

    /// Puts other text where a value stands.
    fn replaced(&self, place: Place, value: &str) -> Option<String> {
        let (from, to) = (self.offset(place, 0)?, self.offset(place, place.width)?);
        let to = from + without_remark(&self.text[from..to]).len();
        (to > from).then(|| format!("{}{value}{}", &self.text[..from], &self.text[to..]))
    }

    /// Puts a value behind the colon of a key that has none.
    fn filled(&self, entry: &Entry, value: &str) -> Option<String> {
        let from = self.offset(entry.place, entry.place.width)?;
        let colon = from + self.text.get(from..)?.find(':')? + 1;
        Some(format!("{} {value}{}", &self.text[..colon], &self.text[colon..]))
    }

    /// Puts a line behind that of an entry, indented like the first key of the mapping.
    fn with_line_after(&self, anchor: &Entry, entries: &[Entry], line: &str) -> Option<String> {
        let indent = " ".repeat(entries.first()?.place.column.checked_sub(1)?);
        let last = anchor.place.line.max(anchor.node.place.line);
        let end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        Some(match self.starts.get(last) {
            Some(next) => format!("{}{indent}{line}{end}{}", &self.text[..*next], &self.text[*next..]),
            None => format!("{}{end}{indent}{line}{end}", self.text),
        })
    }

    /// Puts a pair behind an entry, on its line, as `{key: value, key: value}` needs it.
    fn with_pair_after(&self, anchor: &Entry, pair: &str) -> Option<String> {
        let place = anchor.node.place;
        let end = self.offset(place, place.width)?;
        (place.width > 0).then(|| format!("{}, {pair}{}", &self.text[..end], &self.text[end..]))
    }
}

/// A value on its line without the remark behind it, which the reader counts to quoted ones.
fn without_remark(stretch: &str) -> &str {
    let end = match stretch.chars().next() {
        Some('\'') => {
            let mut quotes = stretch.char_indices().skip(1).filter(|(_, character)| *character == '\'').peekable();
            std::iter::from_fn(|| {
                let (index, _) = quotes.next()?;
                // Two in a row are one quote within the text.
                Some(quotes.next_if(|(next, _)| *next == index + 1).map_or(Some(index + 1), |_| None))
            })
            .flatten()
            .next()
        }
        Some('"') => {
            let mut is_escaped = false;
            let closing = stretch.char_indices().skip(1).find(|(_, character)| {
                let closes = *character == '"' && !is_escaped;
                is_escaped = *character == '\\' && !is_escaped;
                closes
            });
            closing.map(|(index, _)| index + 1)
        }
        _ => stretch.find(" #"),
    };
    stretch[..end.unwrap_or(stretch.len())].trim_end()
}

#[cfg(test)]
mod tests {
    use super::with_values;

    const BLOCK: &str = "# The ladder.\ndatasets:\n  - id: plain   # easy\n    label: 'Plain: one'\n    status: candidate\n\
                         \x20   extra: {note: mine}\n\n  # harder\n  - id: bridges\n    status: measured\n";

    fn set(text: &str, id: &str, pairs: &[(&str, &str)]) -> Result<String, String> {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        with_values(text, "datasets.yaml", id, &pairs).map_err(|problems| problems.0[0].to_string())
    }

    #[test]
    fn new_keys_stand_in_the_entry_and_comments_stay() {
        let pairs = [("status", "measured"), ("matrix_snapshot", "docs/results/a-matrix.json")];
        let edited = set(BLOCK, "plain", &pairs).unwrap();
        let expected = BLOCK
            .replace("status: candidate\n", "status: measured\n")
            .replace("extra: {note: mine}\n", "extra: {note: mine}\n    matrix_snapshot: docs/results/a-matrix.json\n");
        assert_eq!(edited, expected);
        assert_eq!(set(&edited, "plain", &pairs).unwrap(), edited, "the same again changes nothing");
    }

    #[test]
    fn the_last_entry_of_a_file_without_a_final_line_end_grows_too() {
        let text = BLOCK.trim_end();
        let edited = set(text, "bridges", &[("matrix_snapshot", "docs/m.json")]).unwrap();
        assert_eq!(edited, format!("{text}\n    matrix_snapshot: docs/m.json\n"));
    }

    #[test]
    fn a_value_is_replaced_where_it_stands_with_its_remark() {
        let text =
            "datasets:\n- id: \"a\"\n  matrix_snapshot: 'old one'  # last year\n  evidence_snapshot:\n  label: x\n";
        let edited = set(text, "a", &[("matrix_snapshot", "docs/new"), ("evidence_snapshot", "docs/e #1")]).unwrap();
        let expected = "datasets:\n- id: \"a\"\n  matrix_snapshot: docs/new  # last year\n  \
                        evidence_snapshot: \"docs/e #1\"\n  label: x\n";
        assert_eq!(edited, expected);
    }

    #[test]
    fn a_remark_behind_a_value_is_no_part_of_it() {
        for (stretch, value) in [
            ("'old one'  # last year", "'old one'"),
            ("'it''s # here' # no", "'it''s # here'"),
            ("\"a \\\" # b\" # c", "\"a \\\" # b\""),
            ("plain#1  # c", "plain#1"),
            ("plain", "plain"),
        ] {
            assert_eq!(super::without_remark(stretch), value);
        }
    }

    #[test]
    fn entries_in_braces_carriage_returns_and_marks_at_the_start_are_kept() {
        let flow = "datasets: [{id: a, status: measured, extra: {x: 1}}, {id: b}]\n";
        let edited = set(flow, "a", &[("matrix_snapshot", "docs/m")]).unwrap();
        assert_eq!(edited, "datasets: [{id: a, status: measured, matrix_snapshot: docs/m, extra: {x: 1}}, {id: b}]\n");
        let windows = format!("\u{feff}{}", BLOCK.replace('\n', "\r\n"));
        let edited = set(&windows, "bridges", &[("matrix_snapshot", "docs/m")]).unwrap();
        assert_eq!(edited, format!("{windows}    matrix_snapshot: docs/m\r\n"));
    }

    #[test]
    fn texts_over_several_lines_stay_whole() {
        let text = "datasets:\n  - id: a\n    status: measured\n    label: >-\n      long\n      label\n    graph_nature: one\n      \
                    two\n";
        let edited = set(text, "a", &[("matrix_snapshot", "docs/m")]).unwrap();
        assert_eq!(edited.replace("    matrix_snapshot: docs/m\n", ""), text);
    }

    #[test]
    fn what_cannot_be_edited_is_refused_with_what_to_write() {
        let text = "datasets:\n  - id: a\n    matrix_snapshot: >-\n      docs/\n      m\n";
        let told = set(text, "a", &[("matrix_snapshot", "docs/m")]).unwrap_err();
        assert!(told.contains("cannot be edited in its layout") && told.contains("matrix_snapshot: docs/m"), "{told}");
        assert!(set(text, "b", &[("matrix_snapshot", "docs/m")]).is_err());
    }
}
