//! A project with evidence but without a gateway, and files read back.

use crate::cli::project::Project;
use crate::warehouse::rows::{lines, row};
use arrow::array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use std::fs::File;
use std::path::Path;

/// Two answered cells of run `r1` in `compare/results/run.jsonl`.
pub fn project() -> Project {
    with_rows(&[row("q1", "heron", 0.5.into()), row("q2", "heron", 0.25.into())])
}

/// The given rows in `compare/results/run.jsonl`.
pub fn with_rows(rows: &[Value]) -> Project {
    let project = Project::new();
    project.write("compare/results/run.jsonl", &lines(rows));
    project
}

/// A Parquet file: its rows in one batch, and its metadata.
pub fn parquet(path: &Path) -> (RecordBatch, Vec<(String, String)>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let pairs = reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let pairs = pairs.into_iter().filter_map(|pair| Some((pair.key, pair.value?))).collect();
    let schema = reader.schema().clone();
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
    (arrow::compute::concat_batches(&schema, &batches).unwrap(), pairs)
}
