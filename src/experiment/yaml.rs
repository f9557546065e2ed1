//! Strict YAML 1.2: text to a tree of nodes, with the line and column of everything that is refused.
//!
//! Reads a string; writes nothing. Never guesses types, never expands an anchor, never lets a later key replace an
//! earlier one. Anchors, aliases, merge keys, tags and further documents are refused, because an experiment file that
//! needs them cannot be read at a glance, and expanding them can exhaust memory.

use super::document::{Entry, Node, Source, Style, Value};
use super::problem::{Place, Problems, quoted};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput};
use std::collections::HashMap;

/// The deepest nesting of lists and mappings.
const MAX_DEPTH: usize = 64;
/// How many refusals are collected before the rest of a file is given up.
const MAX_PROBLEMS: usize = 20;

/// Parses one YAML document.
///
/// The outer null means that the text could not be read to its end; the inner one that it holds no value. What is
/// refused but can be stepped over (a repeated key, an anchor, a tag) is recorded, and reading goes on; only aliases
/// leave no tree behind, because what they stand for is unknown.
#[allow(clippy::option_option)]
pub fn parse(text: &str, source: &Source, problems: &mut Problems) -> Option<Option<Node>> {
    let mut reader = Reader { parser: Parser::new_from_str(text), source, problems, refused: 0, aliases: 0 };
    let mut root = None;
    let mut documents = 0;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => return (reader.aliases == 0).then_some(root),
            Event::DocumentStart(_) if documents > 0 => {
                reader.refuse(reader.place(span), "a second document begins here: one file holds one document", None);
                return None;
            }
            Event::DocumentStart(_) => documents += 1,
            Event::StreamStart | Event::DocumentEnd | Event::Nothing => {}
            other => {
                let node = reader.tree(other, span)?;
                root = (!matches!(&node.value, Value::Scalar(text, Style::Plain) if text.is_empty())).then_some(node);
            }
        }
    }
}

/// A list or mapping that is still open.
enum Open {
    List(Place, Vec<Node>),
    Mapping(OpenMapping),
}

struct OpenMapping {
    place: Place,
    entries: Vec<Entry>,
    /// Line of every key so far.
    lines: HashMap<String, usize>,
    /// The key whose value comes next; the inner null when the value must not be kept.
    key: Option<(Option<String>, Place)>,
}

struct Reader<'text, 'out> {
    parser: Parser<'text, StrInput<'text>>,
    source: &'out Source,
    problems: &'out mut Problems,
    refused: usize,
    aliases: usize,
}

impl<'text> Reader<'text, '_> {
    /// Takes the next event; null after a syntax error or too many refusals.
    fn next(&mut self) -> Option<(Event<'text>, Span)> {
        if self.refused >= MAX_PROBLEMS {
            return None;
        }
        match self.parser.next_event()? {
            Ok(event) => Some(event),
            Err(error) => {
                let place = start_of(*error.marker());
                self.refuse(place, &format!("not valid YAML: {}", error.info()), None);
                None
            }
        }
    }

    /// Builds the node that an event begins, without recursion: depth is data here, not stack.
    fn tree(&mut self, event: Event<'text>, span: Span) -> Option<Node> {
        let mut open: Vec<Open> = Vec::new();
        let (mut event, mut span) = (event, span);
        loop {
            if let Some(node) = self.step(event, span, &mut open)? {
                match open.last_mut() {
                    None => return Some(node),
                    Some(parent) => self.attach(parent, node),
                }
            }
            (event, span) = self.next()?;
        }
    }

    /// Handles one event: a finished node, or nothing yet. The outer null gives the file up.
    #[allow(clippy::option_option)]
    fn step(&mut self, event: Event<'text>, span: Span, open: &mut Vec<Open>) -> Option<Option<Node>> {
        let place = self.place(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_decoration(place, anchor, tag.as_deref());
                let style = if style == ScalarStyle::Plain { Style::Plain } else { Style::Quoted };
                Some(Some(Node { place, value: Value::Scalar(text.into_owned(), style) }))
            }
            Event::Alias(_) => {
                self.aliases += 1;
                self.refuse(place, "aliases (`*name`) are not supported", Some("write the value out"));
                Some(Some(Node { place, value: Value::Scalar(String::new(), Style::Plain) }))
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_decoration(place, anchor, tag.as_deref());
                self.push(open, Open::List(Place { width: 0, ..place }, Vec::new()), place)
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_decoration(place, anchor, tag.as_deref());
                let place = Place { width: 0, ..place };
                let (entries, lines, key) = (Vec::new(), HashMap::new(), None);
                self.push(open, Open::Mapping(OpenMapping { place, entries, lines, key }), place)
            }
            Event::SequenceEnd | Event::MappingEnd => Some(open.pop().map(|closed| match closed {
                Open::List(place, items) => Node { place, value: Value::List(items) },
                Open::Mapping(mapping) => Node { place: mapping.place, value: Value::Mapping(mapping.entries) },
            })),
            _ => Some(None),
        }
    }

    #[allow(clippy::option_option)]
    fn push(&mut self, open: &mut Vec<Open>, opened: Open, place: Place) -> Option<Option<Node>> {
        if open.len() >= MAX_DEPTH {
            self.refuse(place, &format!("nested deeper than {MAX_DEPTH} levels"), None);
            return None;
        }
        open.push(opened);
        Some(None)
    }

    /// Gives a finished node to the list or mapping around it.
    fn attach(&mut self, parent: &mut Open, node: Node) {
        match parent {
            Open::List(_, items) => items.push(node),
            Open::Mapping(mapping) => match mapping.key.take() {
                Some((Some(key), place)) => mapping.entries.push(Entry { key, place, node }),
                Some((None, _)) => {}
                None => {
                    let key = self.key(&mapping.lines, &node);
                    if let Some(key) = &key {
                        mapping.lines.insert(key.clone(), node.place.line);
                    }
                    mapping.key = Some((key, node.place));
                }
            },
        }
    }

    /// Checks a key; null when its value must not be kept.
    fn key(&mut self, lines: &HashMap<String, usize>, node: &Node) -> Option<String> {
        let Value::Scalar(key, style) = &node.value else {
            self.refuse(node.place, &format!("a key must be text, not {}", node.kind()), None);
            return None;
        };
        if *style == Style::Plain && key == "<<" {
            self.refuse(node.place, "merge keys (`<<`) are not supported", Some("write the fields out"));
            return None;
        }
        if let Some(first) = lines.get(key) {
            let message = format!("the field {} appears twice; it is first on line {first}", quoted(key));
            self.refuse(node.place, &message, Some("keep one of them"));
            return None;
        }
        Some(key.clone())
    }

    fn refuse_decoration(&mut self, place: Place, anchor: usize, tag: Option<&saphyr_parser::Tag>) {
        if anchor != 0 {
            self.refuse(place, "anchors (`&name`) are not supported", Some("write the value out"));
        }
        if let Some(tag) = tag {
            let tag = if tag.is_yaml_core_schema() { format!("!!{}", tag.suffix) } else { tag.to_string() };
            self.refuse(place, &format!("tags are not supported: {}", quoted(&tag)), None);
        }
    }

    fn refuse(&mut self, place: Place, message: &str, suggestion: Option<&str>) {
        self.refused += 1;
        self.problems.add(self.source.problem(place, message).suggest(suggestion.map(str::to_owned)));
    }

    /// The place of a span; a span over several lines is underlined to the end of its first.
    fn place(&self, span: Span) -> Place {
        let start = start_of(span.start);
        let rest = self.source.width_from(start.line, start.column);
        let width =
            if span.start.line() == span.end.line() { span.end.col().saturating_sub(span.start.col()) } else { rest };
        Place { width: width.min(rest), ..start }
    }
}

fn start_of(marker: Marker) -> Place {
    Place { line: marker.line(), column: marker.col() + 1, width: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that end, open or nest something.
    const PIECES: [&str; 26] = [
        "a", ":", " ", "\n", "-", "[", "]", "{", "}", ",", "&a", "*a", "!t", "|", ">", "'", "\"", "#", "?", "%", "\t",
        "\r", "\u{feff}", "---", "...", "\0",
    ];

    #[test]
    fn no_sequence_of_odd_pieces_panics_or_hangs() {
        for first in PIECES {
            for second in PIECES {
                for third in PIECES {
                    for text in [format!("{first}{second}{third}"), format!("x: {first}{second}{third}\ny: 1")] {
                        let mut problems = Problems::default();
                        let source = Source::new("x.yaml", &text, true);
                        let read = parse(&text, &source, &mut problems);
                        assert!(read.is_some() || !problems.0.is_empty(), "{text:?} was lost without a word");
                        assert!(problems.0.iter().all(|problem| !problem.to_string().is_empty()));
                    }
                }
            }
        }
    }
}
