//! JSON: one list of objects, or one object a line.
//!
//! Columns keep their order. Integers and decimals keep every digit; what JSON has no number for is null, and told.

use super::value::{json, push_key};
use super::{Result, Sink, Written};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use std::io::Write;

/// How the objects stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// In one list.
    List,
    /// Each on a line of its own.
    Lines,
}

/// Writes an object a row.
pub struct JsonSink<'a> {
    out: Box<dyn Write + Send + 'a>,
    schema: SchemaRef,
    shape: Shape,
    rows_n: u64,
    not_finite_n: u64,
}

impl<'a> JsonSink<'a> {
    /// Writes what comes before the first row.
    pub fn begin(mut out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, shape: Shape) -> Result<Self> {
        if shape == Shape::List {
            out.write_all(b"[")?;
        }
        Ok(Self { out, schema: schema.clone(), shape, rows_n: 0, not_finite_n: 0 })
    }
}

impl Sink for JsonSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut object = String::new();
        for row in 0..batch.num_rows() {
            object.clear();
            if self.shape == Shape::List {
                object.push_str(if self.rows_n > 0 { ",\n" } else { "\n" });
            }
            object.push('{');
            for (position, (field, column)) in self.schema.fields().iter().zip(batch.columns()).enumerate() {
                push_key(position, field.name(), &mut object);
                json(column, row, &mut object, &mut self.not_finite_n)?;
            }
            object.push('}');
            if self.shape == Shape::Lines {
                object.push('\n');
            }
            self.out.write_all(object.as_bytes())?;
            self.rows_n += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        if self.shape == Shape::List {
            self.out.write_all(if self.rows_n > 0 { b"\n]\n" } else { b"]\n" })?;
        }
        self.out.flush()?;
        Ok(Written::of(self.rows_n, is_truncated).without(self.not_finite_n))
    }
}
