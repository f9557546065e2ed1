//! How rows of comparisons and gates are written: numbers, ranges, and whole rows as JSON.

use super::Result;
use crate::warehouse::{Row, Value};
use serde_json::{Value as Json, json};

/// Most digits behind the point.
const DIGITS_MAX: usize = 6;

/// What the names of built-in models begin with.
const BUILT_IN: &str = "builtin/";

/// A row as JSON, columns by name.
pub fn object(row: &Row) -> Json {
    let pairs = row.columns().iter().zip(&row.values);
    Json::Object(pairs.map(|(column, value)| (column.clone(), plain(value))).collect())
}

/// Whether a built-in algorithm measured it, alone or among others.
pub fn is_heuristic(row: &Row) -> bool {
    row.text("measured_by").is_ok_and(|names| names.split(", ").any(|name| name.starts_with(BUILT_IN)))
}

/// A change with its sign; `-` for none.
pub fn signed(number: Option<f64>) -> String {
    number.map_or_else(
        || "-".to_owned(),
        |number| if number == 0.0 { "0.000".to_owned() } else { format!("{number:+.3}") },
    )
}

/// A ratio; `-` for none.
pub fn times(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}x"))
}

/// Two ends of an interval; `-` when there is none.
pub fn range(row: &Row, lower: &str, upper: &str, write: impl Fn(Option<f64>) -> String) -> Result<String> {
    let (lower, upper) = (row.float_or_null(lower)?, row.float_or_null(upper)?);
    Ok(if lower.is_none() || upper.is_none() {
        "-".to_owned()
    } else {
        format!("{} to {}", write(lower), write(upper))
    })
}

/// A number with three digits, or as many as it takes to see that it differs from the one it is held against.
pub fn told_apart(number: f64, other: Option<f64>) -> String {
    let shown = |digits: usize| (format!("{number:.digits$}"), other.map(|other| format!("{other:.digits$}")));
    let differs = |digits: &usize| {
        let (number_text, other_text) = shown(*digits);
        other.is_none_or(|other| other.to_bits() == number.to_bits()) || other_text != Some(number_text)
    };
    let digits = (3..=DIGITS_MAX).find(differs).unwrap_or(DIGITS_MAX);
    shown(digits).0
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_shows_the_digits_that_a_verdict_rests_on() {
        assert_eq!(told_apart(0.912_345, Some(0.7)), "0.912");
        assert_eq!(told_apart(0.699_96, Some(0.7)), "0.69996");
        assert_eq!(told_apart(0.7, Some(0.7)), "0.700");
        assert_eq!(told_apart(0.7, None), "0.700");
        assert_eq!(
            (signed(Some(-0.05)), signed(Some(0.0)), times(None)),
            ("-0.050".into(), "0.000".into(), "-".into())
        );
    }
}
