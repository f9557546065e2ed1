//! One score of a verdict: what counts as a number on the scale, and why everything else does not.
//!
//! Reads a node of the reply, writes a score or a reason with the value as it was. Never clamps, never rescales.

use super::node::Node;
use super::reason::Reason;
use serde_json::Value;

/// The lowest score a judge may give.
pub const SCALE_MIN: f64 = 1.0;
/// The highest score a judge may give.
pub const SCALE_MAX: f64 = 5.0;

/// What one judge said about one answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// A number within 1..=5.
    Scored(f64),
    /// No usable number.
    Unscored {
        /// Why it does not count.
        reason: Reason,
        /// The value as the judge wrote it; null when there was none.
        value: Value,
    },
}

impl Score {
    /// The number, if there is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Score::Scored(number) => Some(*number),
            Score::Unscored { .. } => None,
        }
    }
}

/// Reads the value behind a label.
///
/// A JSON number counts, and so does text that is nothing but a JSON number (`"4.5"`) or a fraction of the scale's
/// maximum (`"4/5"`). Booleans, null, `NaN`, numbers beyond a double, other text, lists and objects are `judge_type`;
/// a finite number outside 1..=5 is `out_of_range` and keeps its value.
pub fn read_score(node: &Node) -> Score {
    let number = match node {
        Node::Number(token) => token.parse::<f64>().ok(),
        Node::Text(text) => number_in_text(text),
        _ => None,
    };
    let unscored = |reason| Score::Unscored { reason, value: node.to_value() };
    match number {
        Some(number) if !number.is_finite() => unscored(Reason::Type),
        Some(number) if (SCALE_MIN..=SCALE_MAX).contains(&number) => Score::Scored(number),
        Some(_) => unscored(Reason::OutOfRange),
        None => unscored(Reason::Type),
    }
}

fn number_in_text(text: &str) -> Option<f64> {
    match text.split_once('/') {
        None => json_number(text),
        Some((numerator, denominator)) => {
            json_number(denominator).filter(|value| *value == SCALE_MAX)?;
            json_number(numerator)
        }
    }
}

/// The value of text that is exactly one JSON number between blanks.
fn json_number(text: &str) -> Option<f64> {
    let trimmed = text.trim();
    match super::node::read(trimmed, 0) {
        (Ok(Node::Number(token)), end) if end == trimmed.len() => token.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_counts_only_when_it_is_a_number_or_a_fraction_of_five() {
        let read = |text: &str| read_score(&Node::Text(text.into())).number();
        assert_eq!(read("4"), Some(4.0));
        assert_eq!(read(" 4.0 "), Some(4.0));
        assert_eq!(read("4.5/5"), Some(4.5));
        assert_eq!(read("4 / 5"), Some(4.0));
        for text in
            ["6/15", "9/10", "4,5", "seven", "nan", "Infinity", "", "4/", "/5", "+4", "4 5", "٤", "4/5/5", "0x4"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_outside_the_scale_keep_their_value() {
        for token in ["42", "-1", "5.0001", "0.9999999999999999"] {
            let Score::Unscored { reason, value } = read_score(&Node::Number(token.into())) else { panic!("{token}") };
            assert_eq!(reason, Reason::OutOfRange);
            assert_eq!(value.to_string(), token);
        }
    }
}
