//! The answer to an ad hoc statement, as a table.
//!
//! Reads a result; returns text that fits the terminal. Numbers line up right; a null is `null`, which no text can be
//! mistaken for, because texts that read so are quoted.

use super::terminal::{Column, table};
use crate::json::float_text;
use crate::warehouse::{Table, Value};

/// Lays a result out in `width` columns, with a line that counts its rows and says what was left out.
pub fn terminal(result: &Table, width: usize) -> String {
    let columns: Vec<Column> = result
        .columns
        .iter()
        .enumerate()
        .map(|(index, name)| if is_number(result, index) { Column::right(name) } else { Column::left(name) })
        .collect();
    let rows: Vec<Vec<String>> = result.rows.iter().map(|row| row.values.iter().map(text).collect()).collect();
    let count = match result.rows.len() {
        1 => "1 row".to_owned(),
        rows => format!("{rows} rows"),
    };
    let more = if result.truncated { "; more were left out, narrow the statement or add a limit" } else { "" };
    format!("{}({count}{more})\n", table(&columns, &rows, width))
}

/// Whether every value of a column that is there is a number.
fn is_number(result: &Table, index: usize) -> bool {
    let mut values = result.rows.iter().filter_map(|row| row.values.get(index)).filter(|value| **value != Value::Null);
    values.clone().next().is_some() && values.all(|value| matches!(value, Value::Integer(_) | Value::Float(_)))
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => float_text(*value),
        Value::Text(value) if value == "null" => "\"null\"".to_owned(),
        Value::Text(value) => value.clone(),
    }
}
