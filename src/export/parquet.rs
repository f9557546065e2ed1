//! Parquet with zstd, in row groups that a scan can take apart and a small machine can hold.
//!
//! Memory is one row group in its compressed form and the batch at hand.

use super::{Result, Sink, Written, renamed};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::io::Write;

/// Rows of a row group when they are short: as many as DuckDB reads with one thread.
const GROUP_ROWS: usize = 122_880;
/// Encoded bytes that end a row group of long rows before that.
const GROUP_BYTES: usize = 32 << 20;

/// Compresses each batch as it comes.
pub struct ParquetSink<'a> {
    writer: ArrowWriter<Box<dyn Write + Send + 'a>>,
    schema: SchemaRef,
    rows_n: u64,
}

impl<'a> ParquetSink<'a> {
    /// Begins a file with `metadata` in its footer.
    pub fn begin(out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, metadata: Vec<(String, String)>) -> Result<Self> {
        let metadata: Vec<KeyValue> = metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_created_by(format!("ragsql {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(metadata))
            .build();
        Ok(Self {
            writer: ArrowWriter::try_new(out, schema.clone(), Some(properties))?,
            schema: schema.clone(),
            rows_n: 0,
        })
    }
}

impl Sink for ParquetSink<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        self.rows_n += batch.num_rows() as u64;
        self.writer.write(&renamed(batch, &self.schema)?)?;
        if self.writer.in_progress_size() >= GROUP_BYTES {
            self.writer.flush()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_truncated: bool) -> Result<Written> {
        self.writer.finish()?;
        self.writer.inner_mut().flush()?;
        let notes = is_truncated.then(|| format!("only the first {} rows were written", self.rows_n)).into_iter();
        Ok(Written { rows_n: self.rows_n, notes: notes.collect() })
    }
}
