//! Answers to statements as template values: texts, with numbers apart from words.

use super::Problem;
use crate::warehouse::{Room, Table, Value as Cell};
use serde_json::{Map, Value, json};

/// Characters of one value that are shown; the rest is cut, and said to be.
const VALUE_CHARACTERS: usize = 2000;

/// How much of an answer is kept for the page. One character more than is shown tells that a value was cut.
pub const ROOM: Room = Room { value_characters: VALUE_CHARACTERS + 1, bytes: 16 << 20 };

/// What the console's template reads.
pub fn values(statement: &str, answer: Option<Result<(Table, Option<String>), Problem>>) -> Value {
    match answer {
        None => json!({"statement": statement, "answer": null, "problem": null}),
        Some(Err(problem)) => {
            let told = json!({"messages": problem.messages, "hints": problem.hints});
            json!({"statement": statement, "answer": null, "problem": told})
        }
        Some(Ok((table, notice))) => {
            let rows: Vec<Value> = table.rows.iter().map(|row| row.values.iter().map(cell).collect()).collect();
            let answer = json!({
                "columns": *table.columns, "rows": rows, "rows_n": rows.len(), "is_cut": table.truncated, "notice": notice,
            });
            json!({"statement": statement, "answer": answer, "problem": null})
        }
    }
}

/// Rows by the names of their columns.
pub fn rows(table: &Table) -> Vec<Value> {
    let named = |values: &[Cell]| -> Map<String, Value> {
        table.columns.iter().cloned().zip(values.iter().map(|value| json!(value.to_string()))).collect()
    };
    table.rows.iter().map(|row| named(&row.values).into()).collect()
}

fn cell(value: &Cell) -> Value {
    let kind = match value {
        Cell::Null => "null",
        Cell::Integer(_) | Cell::Float(_) => "number",
        Cell::Bool(_) | Cell::Text(_) => "text",
    };
    let text = if *value == Cell::Null { "null".to_owned() } else { value.to_string() };
    let shown: String = text.chars().take(VALUE_CHARACTERS).collect();
    let is_cut = shown.len() < text.len();
    json!({"kind": kind, "text": shown, "is_cut": is_cut})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_between_characters_and_say_so() {
        let long = cell(&Cell::Text("\u{e9}".repeat(2001)));
        assert_eq!(
            (long["text"].as_str().map(|text| text.chars().count()), &long["is_cut"]),
            (Some(2000), &json!(true))
        );
        assert_eq!(cell(&Cell::Null), json!({"kind": "null", "text": "null", "is_cut": false}));
        assert_eq!(cell(&Cell::Text("null".to_owned()))["kind"], "text");
    }
}
