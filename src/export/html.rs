//! A page with one table, without scripts and without anything from outside.

use super::value::text;
use super::{Options, Result, Sink, Written};
use crate::report::escape;
use crate::report::templates::Templates;
use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use serde_json::{Value, json};
use std::io::Write;

/// Writes the beginning of a page, a piece of the table a batch, and its end.
pub struct HtmlSink<'a> {
    out: Box<dyn Write + Send + 'a>,
    templates: &'a Templates,
    rows_n: u64,
    not_finite_n: u64,
}

impl<'a> HtmlSink<'a> {
    /// Writes everything before the first row.
    pub fn begin(mut out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, options: Options<'a>) -> Result<Self> {
        let column = |field: &arrow::datatypes::FieldRef| json!({"name": escape::html(field.name()), "is_number": field.data_type().is_numeric()});
        let columns: Vec<Value> = schema.fields().iter().map(column).collect();
        let values = json!({"title": escape::html(&options.title), "columns": columns});
        out.write_all(options.templates.render("export/begin.html", &values)?.as_bytes())?;
        Ok(Self { out, templates: options.templates, rows_n: 0, not_finite_n: 0 })
    }
}

impl Sink for HtmlSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut rows = Vec::with_capacity(batch.num_rows());
        for row in 0..batch.num_rows() {
            let not_finite_n = &mut self.not_finite_n;
            let cell = |column: &ArrayRef| match text(column, row, not_finite_n)? {
                Some(text) => Ok(json!({"text": escape::html(&text), "is_number": column.data_type().is_numeric()})),
                None => Ok(Value::Null),
            };
            rows.push(batch.columns().iter().map(cell).collect::<Result<Vec<Value>>>()?);
        }
        self.rows_n += batch.num_rows() as u64;
        let text = self.templates.render("export/rows.html", &json!({ "rows": rows }))?;
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        let values = json!({"rows_n": self.rows_n, "is_truncated": is_truncated});
        self.out.write_all(self.templates.render("export/end.html", &values)?.as_bytes())?;
        self.out.flush()?;
        Ok(Written::of(self.rows_n, is_truncated).without(self.not_finite_n))
    }
}
