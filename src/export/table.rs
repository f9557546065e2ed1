//! A table for the terminal, with a line that counts its rows and says what was left out.
//!
//! Holds all its rows, because columns are as wide as their widest value; whoever asks sets a limit. A null is `null`,
//! which no text can be mistaken for, because texts that read so are quoted.

use super::value::text;
use super::{Result, Sink, Written};
use crate::report::terminal::{Column, laid_out};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use std::io::Write;

/// Collects rows, and writes them at the end.
pub struct TableSink<'a> {
    out: Box<dyn Write + Send + 'a>,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    width: usize,
    not_finite_n: u64,
}

impl<'a> TableSink<'a> {
    /// Begins a table of at most `width` terminal columns; 0 takes as much as it needs.
    pub fn begin(out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, width: usize) -> Self {
        let column = |field: &arrow::datatypes::FieldRef| match field.data_type().is_numeric() {
            true => Column::right(field.name()),
            false => Column::left(field.name()),
        };
        Self { out, columns: schema.fields().iter().map(column).collect(), rows: Vec::new(), width, not_finite_n: 0 }
    }
}

impl Sink for TableSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        for row in 0..batch.num_rows() {
            let not_finite_n = &mut self.not_finite_n;
            let shown = |column| match text(column, row, not_finite_n)? {
                None => Ok("null".to_owned()),
                Some(text) if text == "null" => Ok("\"null\"".to_owned()),
                Some(text) => Ok(text),
            };
            self.rows.push(batch.columns().iter().map(shown).collect::<Result<_>>()?);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        let table = laid_out(&self.columns, &self.rows, self.width);
        self.out.write_all(table.text.as_bytes())?;
        let count = match self.rows.len() {
            1 => "1 row".to_owned(),
            rows_n => format!("{rows_n} rows"),
        };
        let more = if is_truncated {
            "; more were left out: narrow the statement, or start `ragsql sql` with --rows"
        } else {
            ""
        };
        writeln!(self.out, "({count}{more})")?;
        let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<&str> {
            let all = self.columns.iter().enumerate();
            all.filter(|(index, _)| wanted(*index)).map(|(_, column)| column.title.as_str()).collect()
        };
        let left_out = names(&|index| index >= table.shown_n);
        if !left_out.is_empty() {
            writeln!(self.out, "({} columns do not fit: {})", left_out.len(), left_out.join(", "))?;
        }
        let cut = names(&|index| table.cut.contains(&index));
        if !cut.is_empty() {
            writeln!(self.out, "(cut to fit: {}; another --format has them whole)", cut.join(", "))?;
        }
        self.out.flush()?;
        // That rows are missing stands below the table.
        Ok(Written::of(self.rows.len() as u64, false).without(self.not_finite_n))
    }
}
