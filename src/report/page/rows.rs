//! Rows of statements as values that templates read.
//!
//! Reads tables; returns values. Numbers keep the text that statements and JSON give them.

use crate::report::Result;
use crate::warehouse::{Parameter, Row, Table, Value as Cell};
use minijinja::value::{Enumerator, Object, ObjectRepr, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values by name, as templates read them.
pub type Map = BTreeMap<String, Value>;

/// A row as templates read it: by the names of its columns, which all rows of a table share.
#[derive(Debug)]
struct TemplateRow {
    columns: Arc<Vec<String>>,
    cells: Vec<Value>,
}

impl Object for TemplateRow {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let wanted = key.as_str()?;
        let place = self.columns.iter().position(|column| column == wanted)?;
        self.cells.get(place).cloned()
    }
}

/// Rows as they are, or cut into stretches of equal neighbours in one column: each has a `key` and its `rows`.
pub fn shaped(rows: Vec<Value>, by: Option<&str>) -> Result<Value> {
    let Some(by) = by else { return Ok(Value::from(rows)) };
    let key_of = |row: &Value| row.get_attr(by).unwrap_or_default();
    if rows.first().is_some_and(|row| key_of(row).is_undefined()) {
        let (column, found) = (by.to_owned(), "absent".to_owned());
        return Err(crate::warehouse::Error::Column { column, found, expected: "there" }.into());
    }
    let mut stretches = Stretches::default();
    let mut by_key: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for rows in rows.chunk_by(|one, other| key_of(one) == key_of(other)) {
        let key = rows.first().map(key_of).unwrap_or_default();
        by_key.entry(key.to_string()).or_default().extend_from_slice(rows);
        let entries = [("key".to_owned(), key), ("rows".to_owned(), Value::from(rows.to_vec()))];
        stretches.in_order.push(Value::from(entries.into_iter().collect::<Map>()));
    }
    stretches.by_key = by_key.into_iter().map(|(key, rows)| (key, Value::from(rows))).collect();
    Ok(Value::from_object(stretches))
}

/// Stretches of rows in their order; `stretches[KEY]` are all rows with that key, none when there is no such key.
#[derive(Debug, Default)]
struct Stretches {
    in_order: Vec<Value>,
    by_key: BTreeMap<String, Value>,
}

impl Object for Stretches {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str() {
            Some(key) => Some(self.by_key.get(key).cloned().unwrap_or_else(|| Value::from(Vec::<Value>::new()))),
            None => self.in_order.get(key.as_usize()?).cloned(),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.in_order.len())
    }
}

/// Every row of a table.
pub fn rows(table: &Table) -> Vec<Value> {
    table.rows.iter().map(|row| row_value(&table.columns, row)).collect()
}

/// One row.
pub fn row_value(columns: &Arc<Vec<String>>, row: &Row) -> Value {
    let cells = row.values.iter().map(cell_value).collect();
    Value::from_object(TemplateRow { columns: columns.clone(), cells })
}

fn cell_value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::from(()),
        Cell::Bool(flag) => Value::from(*flag),
        Cell::Integer(number) => Value::from(*number),
        Cell::Float(number) => Value::from(crate::json::float_text(*number)),
        Cell::Text(text) => Value::from(text.as_str()),
    }
}

/// A value that the page was given.
pub fn given_value(parameter: &Parameter) -> Value {
    match parameter {
        Parameter::Null => Value::from(()),
        Parameter::Text(text) => Value::from(text.as_str()),
        Parameter::Integer(number) => Value::from(*number),
        Parameter::Float(number) => Value::from(crate::json::float_text(*number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_comes_back_has_the_rows_of_all_its_stretches() {
        let row = |key: &str, number: i64| minijinja::context! { key, number };
        let rows = vec![row("a", 1), row("a", 2), row("b", 3), row("a", 4)];
        let stretches = shaped(rows, Some("key")).unwrap();
        assert_eq!(stretches.len(), Some(3));
        let numbers = |key: &str| -> Vec<i64> {
            let rows = stretches.get_item(&Value::from(key)).unwrap();
            rows.try_iter().unwrap().map(|row| row.get_attr("number").unwrap().try_into().unwrap()).collect()
        };
        assert_eq!((numbers("a"), numbers("b"), numbers("c")), (vec![1, 2, 4], vec![3], vec![]));
    }
}
