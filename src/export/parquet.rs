//! Parquet with zstd, in row groups that a scan can take apart and a small machine can hold.
//!
//! Memory is one row group in its compressed form and the batch at hand.

use super::{Error, Result, Sink, Written, renamed};
use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, IntervalUnit, SchemaRef};
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
    /// Begins a file with `metadata` in its footer. A column that Parquet has no type for is refused by name.
    pub fn begin(out: Box<dyn Write + Send + 'a>, schema: &SchemaRef, metadata: Vec<(String, String)>) -> Result<Self> {
        for field in schema.fields() {
            if let Some(kind) = without_a_type(field.data_type()) {
                return Err(Error::ParquetType { column: field.name().clone(), kind: kind.clone() });
            }
        }
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

/// The first part of a type that the writer cannot take: it panics at unions, and fails at the others with rows already
/// written.
fn without_a_type(kind: &DataType) -> Option<&DataType> {
    match kind {
        DataType::Union(_, _) | DataType::RunEndEncoded(_, _) => Some(kind),
        DataType::Interval(IntervalUnit::MonthDayNano) => Some(kind),
        DataType::Struct(fields) if fields.is_empty() => Some(kind),
        DataType::Struct(fields) => fields.iter().find_map(|field| without_a_type(field.data_type())),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => without_a_type(item.data_type()),
        DataType::ListView(item) | DataType::LargeListView(item) => without_a_type(item.data_type()),
        DataType::Dictionary(_, values) => without_a_type(values),
        _ => None,
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
        Ok(Written::of(self.rows_n, is_truncated))
    }
}
