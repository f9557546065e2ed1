//! A table of Markdown in which every text shows as itself.

use super::value::{is_number, text};
use super::{Result, Sink, Written};
use crate::report::escape;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use std::io::Write;

/// Writes a header, then a line a row.
pub struct MarkdownSink<'a> {
    out: Box<dyn Write + Send + 'a>,
    rows_n: u64,
}

impl<'a> MarkdownSink<'a> {
    /// Writes the header; numbers line up right.
    pub fn begin(mut out: Box<dyn Write + Send + 'a>, schema: &SchemaRef) -> Result<Self> {
        let names: Vec<String> = schema.fields().iter().map(|field| escape::markdown(field.name())).collect();
        let rules: Vec<&str> =
            schema.fields().iter().map(|field| if is_number(field.data_type()) { "--:" } else { "---" }).collect();
        write!(out, "| {} |\n|{}|\n", names.join(" | "), rules.join("|"))?;
        Ok(Self { out, rows_n: 0 })
    }
}

impl Sink for MarkdownSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        for row in 0..batch.num_rows() {
            let shown = |column| text(column, row).map_or_else(|| "-".to_owned(), |text| escape::markdown(&text));
            let cells: Vec<String> = batch.columns().iter().map(shown).collect();
            writeln!(self.out, "| {} |", cells.join(" | "))?;
            self.rows_n += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        self.out.flush()?;
        let notes = is_truncated.then(|| format!("only the first {} rows were written", self.rows_n)).into_iter();
        Ok(Written { rows_n: self.rows_n, notes: notes.collect() })
    }
}
