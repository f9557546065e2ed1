//! The labels that were shown, and what a verdict says about each.
//!
//! Reads verdict objects, writes [`Reading`]s. A name that was not shown is kept apart and scores nobody; a label without
//! a score is listed with its reason.

use super::node::Node;
use super::reason::Reason;
use super::score::{self, Score};
use super::{LabelScore, Parse, Reading, one_line};
use serde_json::Value;
use std::collections::HashMap;

/// The labels shown, for looking up what a reply names.
pub struct Labels<'a> {
    shown: &'a [String],
    positions: HashMap<&'a str, usize>,
}

impl<'a> Labels<'a> {
    /// Prepares the labels, in the order shown.
    pub fn new(shown: &'a [String]) -> Self {
        Self { shown, positions: shown.iter().enumerate().map(|(index, label)| (label.as_str(), index)).collect() }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name.trim().to_ascii_uppercase().as_str()).copied()
    }

    /// Whether `node` is a verdict: an object whose `scores` is an object that names at least one label.
    pub fn are_scored_in(&self, node: &Node) -> bool {
        let Node::Object(entries) = node else { return false };
        scores_in(entries).any(|scores| scores.iter().any(|(name, _)| self.position(name).is_some()))
    }

    /// Reads the entries of a verdict.
    ///
    /// A repeated `scores` with another value makes the verdict ambiguous, a repeated `best` makes it name nobody.
    pub fn interpret(&self, entries: &[(String, Node)], parse: Parse) -> Reading {
        let Ok(scores) = only(entries, "scores") else {
            return Reading::failed(Reason::Ambiguous, "the verdict holds `scores` twice");
        };
        let scores = match scores {
            Some(Node::Object(scores)) => scores.as_slice(),
            _ => &[],
        };
        let (scores, surplus) = self.scores(scores);
        let best = match only(entries, "best") {
            Ok(Some(Node::Text(name))) => self.position(name).map(|position| self.shown[position].clone()),
            _ => None,
        };
        let remark = entries.iter().rev().find(|(key, _)| key == "reason");
        let remark = remark.map_or_else(|| Value::String(String::new()), |(_, node)| node.to_value());
        let failure = shared_reason(&scores);
        let detail = if failure.is_some() { "the verdict scores nobody" } else { "" };
        Reading { parse: Some(parse), scores, best, remark, surplus, failure, detail: detail.to_owned() }
    }

    /// Scores in reply order, missing labels last, and the names nobody was shown under.
    fn scores(&self, entries: &[(String, Node)]) -> (Vec<LabelScore>, Vec<String>) {
        let mut scores: Vec<LabelScore> = Vec::new();
        let mut places: Vec<Option<usize>> = vec![None; self.shown.len()];
        let mut surplus = Vec::new();
        for (name, node) in entries {
            let Some(position) = self.position(name) else {
                surplus.push(one_line(name));
                continue;
            };
            let score = score::read_score(node);
            match places[position] {
                None => {
                    places[position] = Some(scores.len());
                    scores.push(LabelScore { label: self.shown[position].clone(), score });
                }
                Some(place) if scores[place].score != score => {
                    scores[place].score = Score::Unscored { reason: Reason::Ambiguous, value: node.to_value() };
                }
                Some(_) => {}
            }
        }
        for (label, _) in self.shown.iter().zip(&places).filter(|(_, place)| place.is_none()) {
            let score = Score::Unscored { reason: Reason::MissingLabel, value: Value::Null };
            scores.push(LabelScore { label: label.clone(), score });
        }
        (scores, surplus)
    }
}

/// Every `scores` object of an object.
fn scores_in(entries: &[(String, Node)]) -> impl Iterator<Item = &[(String, Node)]> {
    entries.iter().filter(|(key, _)| key == "scores").filter_map(|(_, node)| match node {
        Node::Object(scores) => Some(scores.as_slice()),
        _ => None,
    })
}

/// The one value behind a key, nothing without the key, an error when the key is repeated with another value.
fn only<'a>(entries: &'a [(String, Node)], key: &str) -> Result<Option<&'a Node>, ()> {
    let mut values = entries.iter().filter(|(name, _)| name == key).map(|(_, node)| node);
    let first = values.next();
    if values.all(|other| Some(other) == first) { Ok(first) } else { Err(()) }
}

/// Why nobody is scored: the reason all named labels share, else `judge_schema`; null when somebody is scored.
fn shared_reason(scores: &[LabelScore]) -> Option<Reason> {
    let mut reasons = Vec::new();
    for entry in scores {
        match &entry.score {
            Score::Scored(_) => return None,
            Score::Unscored { reason: Reason::MissingLabel, .. } => {}
            Score::Unscored { reason, .. } => reasons.push(*reason),
        }
    }
    let first = reasons.first().copied()?;
    Some(if reasons.iter().all(|reason| *reason == first) { first } else { Reason::Schema })
}
