//! A table of Markdown in which every text shows as itself.

use super::value::text;
use super::{Result, Sink, Written};
use crate::report::escape;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use std::io::Write;

/// Writes a header, then a line a row.
pub struct MarkdownSink<'a> {
    out: Box<dyn Write + Send + 'a>,
    rows_n: u64,
    not_finite_n: u64,
}

impl<'a> MarkdownSink<'a> {
    /// Writes the header; numbers line up right.
    pub fn begin(mut out: Box<dyn Write + Send + 'a>, schema: &SchemaRef) -> Result<Self> {
        let names: Vec<String> = schema.fields().iter().map(|field| escape::markdown(field.name())).collect();
        let rules: Vec<&str> =
            schema.fields().iter().map(|field| if field.data_type().is_numeric() { "--:" } else { "---" }).collect();
        write!(out, "| {} |\n|{}|\n", names.join(" | "), rules.join("|"))?;
        Ok(Self { out, rows_n: 0, not_finite_n: 0 })
    }
}

impl Sink for MarkdownSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        for row in 0..batch.num_rows() {
            let not_finite_n = &mut self.not_finite_n;
            let shown = |column| {
                let text = text(column, row, not_finite_n)?;
                Ok(text.map_or_else(|| "-".to_owned(), |text| escape::markdown(&text)))
            };
            let cells: Vec<String> = batch.columns().iter().map(shown).collect::<Result<_>>()?;
            writeln!(self.out, "| {} |", cells.join(" | "))?;
            self.rows_n += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        self.out.flush()?;
        Ok(Written::of(self.rows_n, is_truncated).without(self.not_finite_n))
    }
}
