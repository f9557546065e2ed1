//! Writing what ingestion made, as Arrow batches with an explicit schema.
//!
//! Writes documents, chunks, vectors and posting tables of one job; never touches another job's rows unless told to.

use super::{CorpusError, Session, contextual_key};
use arrow::array::{ArrayRef, BooleanArray, FixedSizeListArray, Float32Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use duckdb::named_params;
use std::sync::Arc;

/// A parsed document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    /// Path inside the corpus mount.
    pub source: String,
    /// Whether headings mean something.
    pub is_markdown: bool,
    /// The whole text.
    pub text: String,
}

/// A chunk on its way into the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkRow {
    /// Position in the order of title and chunk index, from 0.
    pub chunk_key: i64,
    /// Stable id.
    pub chunk_id: String,
    /// Path of the document inside the corpus mount.
    pub title: String,
    /// Position in the document, from 0.
    pub chunk_index: i64,
    /// The text.
    pub text: String,
}

/// The vector of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorRow {
    /// The chunk.
    pub chunk_key: i64,
    /// As many components as the index holds.
    pub embedding: Vec<f32>,
}

/// A term of the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermRow {
    /// Number of the term in this job, from 0.
    pub term_key: i64,
    /// The term.
    pub term: String,
    /// How many chunks hold it.
    pub chunks_n: i64,
}

/// A term in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostingRow {
    /// The term.
    pub term_key: i64,
    /// The chunk.
    pub chunk_key: i64,
    /// How often, 1 or more.
    pub frequency: i64,
    /// How many terms the chunk has.
    pub chunk_terms_n: i64,
}

/// The tables that hold rows per job.
const JOB_TABLES: [&str; 12] = [
    "documents",
    "chunks",
    "vectors",
    "terms",
    "postings",
    "blurbs",
    "extractions",
    "entities",
    "relations",
    "mentions",
    "graph_vectors",
    "graphs",
];

/// The contextual collection that goes with a job's collection.
#[derive(Debug, Clone, Copy)]
pub struct Contextual<'a> {
    /// Its name.
    pub collection: &'a str,
    /// Whether the job built it.
    pub is_built: bool,
}

impl Session<'_> {
    /// Adds documents of a job.
    pub fn add_documents(&self, job: i64, rows: &[DocumentRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            text_column("source", rows.iter().map(|row| row.source.as_str())),
            (
                field("is_markdown", DataType::Boolean),
                Arc::new(BooleanArray::from_iter(rows.iter().map(|row| Some(row.is_markdown)))),
            ),
            text_column("text", rows.iter().map(|row| row.text.as_str())),
        ];
        self.append("documents", batch(columns)?)
    }

    /// Adds chunks of a job.
    pub fn add_chunks(&self, job: i64, rows: &[ChunkRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("chunk_key", rows.iter().map(|row| row.chunk_key)),
            text_column("chunk_id", rows.iter().map(|row| row.chunk_id.as_str())),
            text_column("title", rows.iter().map(|row| row.title.as_str())),
            number_column("chunk_index", rows.iter().map(|row| row.chunk_index)),
            text_column("text", rows.iter().map(|row| row.text.as_str())),
        ];
        self.append("chunks", batch(columns)?)
    }

    /// Adds vectors of a job; one of another width is refused.
    pub fn add_vectors(&self, job: i64, rows: &[VectorRow]) -> Result<(), CorpusError> {
        self.append("vectors", vector_batch(job, self.corpus.dimension, rows)?)
    }

    /// Adds terms of a job.
    pub fn add_terms(&self, job: i64, rows: &[TermRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("term_key", rows.iter().map(|row| row.term_key)),
            text_column("term", rows.iter().map(|row| row.term.as_str())),
            number_column("chunks_n", rows.iter().map(|row| row.chunks_n)),
        ];
        self.append("terms", batch(columns)?)
    }

    /// Adds postings of a job, best in the order of `term_key`: a search then reads few blocks.
    pub fn add_postings(&self, job: i64, rows: &[PostingRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("term_key", rows.iter().map(|row| row.term_key)),
            number_column("chunk_key", rows.iter().map(|row| row.chunk_key)),
            number_column("frequency", rows.iter().map(|row| row.frequency)),
            number_column("chunk_terms_n", rows.iter().map(|row| row.chunk_terms_n)),
        ];
        self.append("postings", batch(columns)?)
    }

    /// Removes rows of a job from one of its tables.
    pub fn clear(&self, job: i64, table: &str) -> Result<(), CorpusError> {
        self.execute(&format!("clear_{table}"), named_params! {"ingestion_key": job}).map(|_| ())
    }

    /// Lets a finished job answer for its collections and removes the rows of all other jobs of them.
    ///
    /// The contextual collection is taken out when the job has none: it would answer from another corpus.
    pub fn publish(&self, job: i64, collection: &str, contextual: Contextual<'_>) -> Result<(), CorpusError> {
        let names = named_params! {"collection": collection, "ingestion_key": job};
        self.execute("remove_collection", named_params! {"collection": collection})?;
        self.execute("publish_collection", names)?;
        self.execute("remove_collection", named_params! {"collection": contextual.collection})?;
        if contextual.is_built {
            let key = contextual_key(job);
            let names = named_params! {"collection": contextual.collection, "ingestion_key": key};
            self.execute("publish_collection", names)?;
        }
        for old in self.rows("superseded", names, |row| row.get::<_, i64>(0))? {
            for table in JOB_TABLES {
                self.clear(old, table)?;
                self.clear(contextual_key(old), table)?;
            }
        }
        Ok(())
    }

    pub(super) fn append(&self, table: &str, batch: RecordBatch) -> Result<(), CorpusError> {
        let failed = |error| self.corpus.failed(table, error);
        let mut appender = self.connection.appender(table).map_err(failed)?;
        appender.append_record_batch(batch).map_err(failed)?;
        appender.flush().map_err(failed)
    }
}

/// The batch that carries a question's vector.
pub(super) fn question_batch(dimension: usize, vector: &[f32]) -> Result<RecordBatch, CorpusError> {
    batch([embedding_column(dimension, [vector])?])
}

/// A batch with the columns of the vector table.
pub(super) fn vector_batch(job: i64, dimension: usize, rows: &[VectorRow]) -> Result<RecordBatch, CorpusError> {
    batch([
        job_column(job, rows.len()),
        number_column("chunk_key", rows.iter().map(|row| row.chunk_key)),
        embedding_column(dimension, rows.iter().map(|row| row.embedding.as_slice()))?,
    ])
}

pub(super) type Column = (Field, ArrayRef);

pub(super) fn embedding_column<'a>(dimension: usize, vectors: impl IntoIterator<Item = &'a [f32]>) -> Result<Column, CorpusError> {
    let mut components = Vec::new();
    for vector in vectors {
        if vector.len() != dimension {
            return Err(CorpusError::Dimension { found: vector.len(), wanted: dimension });
        }
        components.extend_from_slice(vector);
    }
    let width = i32::try_from(dimension)
        .map_err(|_| CorpusError::Statement { reason: format!("vectors of {dimension} components are too wide") })?;
    let item = Arc::new(Field::new("item", DataType::Float32, true));
    let array = FixedSizeListArray::try_new(item, width, Arc::new(Float32Array::from(components)), None)?;
    Ok((field("embedding", arrow::array::Array::data_type(&array).clone()), Arc::new(array)))
}

fn field(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, false)
}

pub(super) fn job_column(job: i64, rows_n: usize) -> Column {
    number_column("ingestion_key", std::iter::repeat_n(job, rows_n))
}

pub(super) fn number_column(name: &str, values: impl Iterator<Item = i64>) -> Column {
    (field(name, DataType::Int64), Arc::new(Int64Array::from_iter_values(values)))
}

pub(super) fn text_column<'a>(name: &str, values: impl Iterator<Item = &'a str>) -> Column {
    (field(name, DataType::Utf8), Arc::new(StringArray::from_iter_values(values)))
}

pub(super) fn batch<const COLUMNS: usize>(columns: [Column; COLUMNS]) -> Result<RecordBatch, CorpusError> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
}
