//! The dictionary of views and columns, for the terminal and for the documents.
//!
//! Reads `reports/dictionary`, which reads the comments stored in the database; returns text.

use super::templates::Templates;
use super::terminal::{Column, table};
use super::{Error, Result};
use crate::warehouse::{Row, Warehouse};
use serde_json::{Value, json};

/// Describes the views for a terminal of `width` columns; `view` picks one.
///
/// [`Error::UnknownView`] lists the views there are.
pub fn terminal(warehouse: &Warehouse, templates: &Templates, view: Option<&str>, width: usize) -> Result<String> {
    let columns = [Column::left("  column"), Column::left("type"), Column::left("unit"), Column::left("meaning")];
    let described = views(warehouse, view)?;
    let shown: Vec<Value> = described
        .iter()
        .map(|(name, rows)| {
            let cells = |row: &Row| {
                Ok(vec![
                    format!("  {}", row.text("column")?),
                    row.text("type")?.to_lowercase(),
                    row.text_or_null("unit")?.unwrap_or_default().to_owned(),
                    row.text_or_null("meaning")?.unwrap_or("-").to_owned(),
                ])
            };
            let cells: Vec<Vec<String>> = rows.iter().map(cells).collect::<Result<_>>()?;
            Ok(json!({"name": name, "meaning": meaning(rows)?, "table": table(&columns, &cells, width)}))
        })
        .collect::<Result<_>>()?;
    templates.render("terminal/dictionary.txt", &json!({ "views": shown }))
}

/// Describes all views in Markdown: the text of `docs/data-dictionary.md`.
pub fn markdown(warehouse: &Warehouse, templates: &Templates) -> Result<String> {
    templates.render("pages/data-dictionary.md", &json!({ "views": as_values(warehouse, None)? }))
}

/// Describes the views in JSON, for tools; `view` picks one.
pub fn json(warehouse: &Warehouse, view: Option<&str>) -> Result<String> {
    Ok(crate::json::pretty(&json!({ "views": as_values(warehouse, view)? }))? + "\n")
}

/// Every view with its name, its meaning, and name, type, unit and meaning of its columns.
fn as_values(warehouse: &Warehouse, view: Option<&str>) -> Result<Vec<Value>> {
    let column = |row: &Row| {
        Ok(json!({
            "name": row.text("column")?,
            "type": row.text("type")?,
            "unit": row.text_or_null("unit")?,
            "meaning": row.text_or_null("meaning")?,
        }))
    };
    let described = views(warehouse, view)?;
    let one = |(name, rows): &(String, Vec<Row>)| {
        let columns: Vec<Value> = rows.iter().map(column).collect::<Result<_>>()?;
        Ok(json!({"name": name, "meaning": meaning(rows)?, "columns": columns}))
    };
    described.iter().map(one).collect()
}

fn meaning(rows: &[Row]) -> Result<Value> {
    Ok(rows.first().map(|row| row.text_or_null("view_meaning")).transpose()?.flatten().into())
}

/// The rows of the dictionary, grouped by view in order of name.
fn views(warehouse: &Warehouse, view: Option<&str>) -> Result<Vec<(String, Vec<Row>)>> {
    let mut views: Vec<(String, Vec<Row>)> = Vec::new();
    for row in warehouse.query("reports/dictionary", &[("view", view.into())])?.rows {
        let name = row.text("view")?.to_owned();
        match views.last_mut() {
            Some((last, rows)) if *last == name => rows.push(row),
            _ => views.push((name, vec![row])),
        }
    }
    match view {
        Some(name) if views.is_empty() => {
            let known = self::views(warehouse, None)?.into_iter().map(|(name, _)| name).collect();
            Err(Error::UnknownView { name: name.to_owned(), known })
        }
        _ => Ok(views),
    }
}
