//! Finds the verdict in a reply that is not JSON as a whole.
//!
//! Reads text, writes candidates. One pass from left to right: objects are read with a real reader, so braces and tags
//! inside strings mean nothing; closed think blocks are skipped; a closing think tag without an opening one makes
//! everything before it reasoning. Never looks at prose for numbers or letters.

use super::node::{Node, Stop, read};

/// Reading attempts may look at this many bytes for each byte of the reply, so no reply takes quadratic time.
const WORK_PER_BYTE: usize = 16;

const OPENING_TAGS: [&str; 2] = ["<think>", "<thinking>"];
const CLOSING_TAGS: [&str; 2] = ["</think>", "</thinking>"];

/// What a pass over a reply found.
#[derive(Debug, Default)]
pub struct Scan {
    /// The first verdict.
    pub verdict: Option<Node>,
    /// A second verdict differs from the first.
    pub several: bool,
    /// An object, or a think block without a verdict before it, was still open at the end.
    pub unclosed: bool,
    /// There was an object with a `scores` key that is no verdict.
    pub near_miss: bool,
    /// The pass was given up because the reply would have taken too much work.
    pub gave_up: bool,
}

impl Scan {
    /// Collects the verdicts inside `node`, outermost first; what is inside a verdict is part of it.
    pub fn collect(&mut self, node: Node, is_verdict: &dyn Fn(&Node) -> bool) {
        if is_verdict(&node) {
            match &self.verdict {
                Some(first) => self.several |= *first != node,
                None => self.verdict = Some(node),
            }
            return;
        }
        match node {
            Node::Array(items) => items.into_iter().for_each(|item| self.collect(item, is_verdict)),
            Node::Object(entries) => {
                self.near_miss |= entries.iter().any(|(key, _)| key == "scores");
                entries.into_iter().for_each(|(_, value)| self.collect(value, is_verdict));
            }
            _ => {}
        }
    }

    fn forget(&mut self) {
        *self = Scan::default();
    }
}

/// Scans the whole text for verdicts.
///
/// Identical verdicts count once. An object that the text ends in is `unclosed`, whatever was found before it.
pub fn scan(text: &str, is_verdict: &dyn Fn(&Node) -> bool) -> Scan {
    let mut found = Scan::default();
    let mut work_left = text.len().saturating_mul(WORK_PER_BYTE);
    let mut at = 0;
    while let Some(offset) = text.as_bytes()[at..].iter().position(|byte| matches!(byte, b'{' | b'<')) {
        at += offset;
        if let Some(length) = tag_at(text, at, &OPENING_TAGS) {
            let Some(end) = end_of_thought(text, at + length) else {
                found.unclosed |= found.verdict.is_none();
                return found;
            };
            at = end;
        } else if let Some(length) = tag_at(text, at, &CLOSING_TAGS) {
            found.forget();
            at += length;
        } else if text.as_bytes()[at] == b'<' {
            at += 1;
        } else {
            let (result, end) = read(text, at);
            if work_left < end - at {
                found.gave_up = true;
                return found;
            }
            work_left -= end - at;
            match result {
                Ok(node) => {
                    found.collect(node, is_verdict);
                    at = end;
                }
                Err(stop) => {
                    found.unclosed |= stop == Stop::Ended;
                    at += 1;
                }
            }
        }
    }
    found
}

/// The length of the tag that starts at `at`, whatever its case.
fn tag_at(text: &str, at: usize, tags: &[&str]) -> Option<usize> {
    let rest = &text.as_bytes()[at..];
    tags.iter().map(|tag| tag.len()).zip(tags).find_map(|(length, tag)| {
        rest.get(..length).is_some_and(|head| head.eq_ignore_ascii_case(tag.as_bytes())).then_some(length)
    })
}

/// The position behind the next closing tag.
fn end_of_thought(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(offset) = text.as_bytes()[at..].iter().position(|byte| *byte == b'<') {
        at += offset;
        if let Some(length) = tag_at(text, at, &CLOSING_TAGS) {
            return Some(at + length);
        }
        at += 1;
    }
    None
}
