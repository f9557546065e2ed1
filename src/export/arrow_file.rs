//! The file form of Arrow IPC.

use super::{Result, Sink, Written, renamed};
use arrow::array::RecordBatch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::ipc::writer::FileWriter;
use std::io::Write;
use std::sync::Arc;

/// Writes each batch as it comes.
pub struct ArrowSink<'a> {
    writer: FileWriter<Box<dyn Write + Send + 'a>>,
    schema: SchemaRef,
    rows_n: u64,
}

impl<'a> ArrowSink<'a> {
    /// Writes the schema, with `metadata` in it.
    pub fn begin(out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, metadata: Vec<(String, String)>) -> Result<Self> {
        let schema = Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata.into_iter().collect()));
        Ok(Self { writer: FileWriter::try_new(out, &schema)?, schema, rows_n: 0 })
    }
}

impl Sink for ArrowSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        self.rows_n += batch.num_rows() as u64;
        Ok(self.writer.write(&renamed(batch, &self.schema)?)?)
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        self.writer.finish()?;
        self.writer.get_mut().flush()?;
        Ok(Written::of(self.rows_n, is_truncated))
    }
}
