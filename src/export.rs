//! Rows of an answer in the formats that people and programs take.
//!
//! Reads Arrow batches, one at a time, and writes them as they come: a table alone waits for its end, because its columns
//! are as wide as their widest value. Asks nothing, orders nothing, computes nothing.

mod arrow_file;
mod csv;
mod error;
mod format;
mod html;
mod json;
mod markdown;
mod parquet;
mod pour;
mod table;
mod value;

pub use error::Error;
pub use format::Format;
pub use pour::pour;

use crate::report::templates::Templates;
use ::arrow::array::RecordBatch;
use ::arrow::datatypes::{Field, Schema, SchemaRef};
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::sync::Arc;

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How rows are written.
pub struct Options<'a> {
    /// Terminal columns that a table may take; 0 takes as much as it needs.
    pub width: usize,
    /// Whether texts of CSV stay as they are, instead of being made harmless for spreadsheets.
    pub is_raw: bool,
    /// Keys and values for files that can carry them (Parquet, Arrow).
    pub metadata: Vec<(String, String)>,
    /// Where the words of HTML come from.
    pub templates: &'a Templates,
    /// What the rows answer, for a page.
    pub title: String,
}

/// What became of the rows.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Written {
    /// Rows written.
    pub rows_n: u64,
    /// What a reader should know about them, one sentence each: what was cut, and how to get it whole.
    pub notes: Vec<String>,
}

impl Written {
    /// Counts rows, and says when there were more.
    fn of(rows_n: u64, is_truncated: bool) -> Self {
        let notes = is_truncated.then(|| format!("only the first {rows_n} rows were written"));
        Self { rows_n, notes: notes.into_iter().collect() }
    }

    /// Says how many numbers became null because JSON has none for them.
    fn without(mut self, not_finite_n: u64) -> Self {
        if not_finite_n > 0 {
            self.notes
                .push(format!("{not_finite_n} values are not finite; JSON has no number for them, they are null"));
        }
        self
    }
}

/// Takes rows until their end.
pub trait Sink: Send {
    /// Writes the rows of a batch.
    fn add(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Writes what comes after the last row. Without this the output is not whole.
    fn finish(self: Box<Self>, is_truncated: bool) -> Result<Written>;
}

/// Begins an output; the schema stands even when no row follows.
pub fn begin<'a>(
    format: Format,
    out: Box<dyn Write + Send + 'a>,
    schema: &SchemaRef,
    options: Options<'a>,
) -> Result<Box<dyn Sink + 'a>> {
    let schema = with_unique_names(schema);
    Ok(match format {
        Format::Table => Box::new(table::TableSink::begin(out, &schema, options.width)),
        Format::Markdown => Box::new(markdown::MarkdownSink::begin(out, &schema)?),
        Format::Csv => Box::new(csv::CsvSink::begin(out, &schema, options.is_raw)?),
        Format::Json => Box::new(json::JsonSink::begin(out, &schema, json::Shape::List)?),
        Format::Jsonl => Box::new(json::JsonSink::begin(out, &schema, json::Shape::Lines)?),
        Format::Html => Box::new(html::HtmlSink::begin(out, &schema, options)?),
        Format::Parquet => Box::new(parquet::ParquetSink::begin(out, &schema, options.metadata)?),
        Format::Arrow => Box::new(arrow_file::ArrowSink::begin(out, &schema, options.metadata)?),
    })
}

/// The same columns; the second `a` is called `a_2`, because most formats find columns by name.
fn with_unique_names(schema: &SchemaRef) -> SchemaRef {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let all: BTreeSet<&String> = schema.fields().iter().map(|field| field.name()).collect();
    let fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|field| {
            let mut name = field.name().clone();
            let mut number = 2;
            while taken.contains(&name) || (number > 2 && all.contains(&name)) {
                name = format!("{}_{number}", field.name());
                number += 1;
            }
            taken.insert(name.clone());
            field.as_ref().clone().with_name(name)
        })
        .collect();
    Arc::new(Schema::new_with_metadata(fields, HashMap::new()))
}

/// A batch under the names of `schema`.
fn renamed(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    Ok(RecordBatch::try_new(schema.clone(), batch.columns().to_vec())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::arrow::datatypes::DataType;

    #[test]
    fn a_repeated_column_name_gets_a_number_that_nobody_has() {
        let fields: Vec<Field> = ["a", "a", "a_2", "a", "b"].map(|name| Field::new(name, DataType::Int64, true)).into();
        let schema = with_unique_names(&Arc::new(Schema::new(fields)));
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, ["a", "a_3", "a_2", "a_4", "b"]);
    }
}
