//! The published rungs of the dataset ladder as a table for the terminal.
//!
//! Reads `reports/ladder_outcome` and the template `terminal/ladder.txt`; returns text.

use super::Result;
use super::templates::Templates;
use super::terminal::{Column, table};
use crate::warehouse::{Row, Value, Warehouse};
use serde_json::json;

/// Lays out every published rung; `stamp` names the ladder that has just been climbed.
pub fn outcome(warehouse: &Warehouse, templates: &Templates, stamp: &str, width: usize) -> Result<String> {
    let found = warehouse.query("reports/ladder_outcome", &[])?;
    let columns = [
        Column::right("level"),
        Column::left("dataset"),
        Column::left("tier"),
        Column::right("cells ok"),
        Column::right("judged"),
        Column::right("judges"),
        Column::left("leads"),
    ];
    let rows: Vec<Vec<String>> = found.rows.iter().map(cells).collect::<Result<_>>()?;
    let is_heuristic = |row: &Row| row.value("is_heuristic").is_ok_and(|cell| *cell == Value::Bool(true));
    let values = json!({
        "stamp": stamp,
        "table": table(&columns, &rows, width).trim_end_matches('\n'),
        "is_heuristic": found.rows.iter().any(is_heuristic),
    });
    templates.render("terminal/ladder.txt", &values)
}

fn cells(row: &Row) -> Result<Vec<String>> {
    let share = |part: &str, whole: &str| -> Result<String> {
        Ok(match (row.integer_or_null(part)?, row.integer_or_null(whole)?) {
            (Some(part), Some(whole)) => format!("{part}/{whole}"),
            _ => "-".to_owned(),
        })
    };
    let text = |column: &str| -> Result<String> { Ok(row.text_or_null(column)?.unwrap_or("-").to_owned()) };
    Ok(vec![
        row.integer("complexity_level")?.to_string(),
        text("dataset_id")?,
        text("tier")?,
        share("ok_n", "cells_n")?,
        share("judged_n", "questions_n")?,
        text("score_text")?,
        text("leaders")?,
    ])
}
