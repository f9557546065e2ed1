//! The tables of a results site and of the dataset ladder, filled from facts that other rooms read.
//!
//! Reads plain rows, writes the tables of schema `site` or `ladder` as a whole: what stood there before is forgotten. Knows nothing
//! of the files the rows come from.

use super::connection::Warehouse;
use super::table::Value;
use super::{Error, Result};
use arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use std::sync::Arc;

/// What a column of a site table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A 64-bit integer.
    Integer,
    /// A double.
    Float,
    /// Yes or no.
    Bool,
}

/// Rows for one table of schema `site` or `ladder`, in the order of its columns.
#[derive(Debug, Clone)]
pub struct SiteRows {
    table: &'static str,
    kinds: &'static [Kind],
    rows: Vec<Vec<Value>>,
}

impl SiteRows {
    /// Begins the rows of `<schema>.<table>`, whose columns have these kinds.
    pub fn new(table: &'static str, kinds: &'static [Kind]) -> Self {
        Self { table, kinds, rows: Vec::new() }
    }

    /// Adds one row: as many values as the table has columns.
    pub fn push<const N: usize>(&mut self, values: [Value; N]) {
        self.rows.push(values.into());
    }

    fn batch(&self) -> Result<RecordBatch> {
        let mut columns: Vec<(String, ArrayRef)> = Vec::new();
        for (index, kind) in self.kinds.iter().enumerate() {
            let cells = self.rows.iter().map(|row| row.get(index).unwrap_or(&Value::Null));
            let wrong = |expected| Error::Column {
                column: format!("{} of `{}`", index + 1, self.table),
                found: "of another kind".to_owned(),
                expected,
            };
            let array: ArrayRef = match kind {
                Kind::Text => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Value::Null => Ok(None),
                            Value::Text(text) => Ok(Some(text.as_str())),
                            _ => Err(wrong("text")),
                        })
                        .collect::<Result<StringArray>>()?,
                ),
                Kind::Integer => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Value::Null => Ok(None),
                            Value::Integer(number) => Ok(Some(*number)),
                            _ => Err(wrong("an integer")),
                        })
                        .collect::<Result<Int64Array>>()?,
                ),
                Kind::Float => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Value::Null => Ok(None),
                            Value::Float(number) => Ok(Some(*number)),
                            _ => Err(wrong("a double")),
                        })
                        .collect::<Result<Float64Array>>()?,
                ),
                Kind::Bool => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Value::Null => Ok(None),
                            Value::Bool(flag) => Ok(Some(*flag)),
                            _ => Err(wrong("yes or no")),
                        })
                        .collect::<Result<BooleanArray>>()?,
                ),
            };
            columns.push((format!("column_{index}"), array));
        }
        RecordBatch::try_from_iter(columns).map_err(|error| Error::Statement {
            query: format!("append to `{}`", self.table),
            reason: error.to_string(),
        })
    }
}

impl Warehouse<'_> {
    /// Replaces the whole content of schema `site`, in one transaction.
    pub fn replace_site(&self, tables: &[SiteRows]) -> Result<()> {
        self.replace_all("site", "ingest/clear_site", tables)
    }

    /// Replaces the whole content of schema `ladder`, in one transaction.
    pub fn replace_ladder(&self, tables: &[SiteRows]) -> Result<()> {
        self.replace_all("ladder", "ingest/clear_ladder", tables)
    }

    fn replace_all(&self, schema: &str, clear: &str, tables: &[SiteRows]) -> Result<()> {
        let batches: Vec<(&str, RecordBatch)> = tables
            .iter()
            .filter(|table| !table.rows.is_empty())
            .map(|table| Ok((table.table, table.batch()?)))
            .collect::<Result<_>>()?;
        self.transaction(|| {
            self.run_script(clear)?;
            batches.into_iter().try_for_each(|(table, batch)| self.append_to(schema, table, batch))
        })
    }
}
