//! What can go wrong while rows are written.

/// Everything an output refuses or fails at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The output cannot be written.
    #[error("cannot write the rows: {0}")]
    Write(#[from] std::io::Error),
    /// A batch cannot be taken apart or put together.
    #[error("cannot encode the rows: {0}")]
    Arrow(#[from] arrow::error::ArrowError),
    /// A Parquet file cannot be made of them.
    #[error("cannot encode the rows: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// A value has no text.
    #[error("a value cannot be written: {0}")]
    Value(#[source] arrow::error::ArrowError),
    /// Parquet has no type for the values of a column.
    #[error("Parquet has no type for column `{column}` ({kind})")]
    ParquetType {
        /// Its name.
        column: String,
        /// What it holds, as Arrow calls it.
        kind: arrow::datatypes::DataType,
    },
    /// A template failed.
    #[error(transparent)]
    Report(#[from] crate::report::Error),
    /// No format has this name.
    #[error("no format is called `{name}`; there are {}", super::Format::names().join(", "))]
    UnknownFormat {
        /// As asked for.
        name: String,
    },
}

impl Error {
    /// Whether nobody reads the output any more, which is a normal end.
    pub fn is_broken_pipe(&self) -> bool {
        match self {
            Error::Write(error) => error.kind() == std::io::ErrorKind::BrokenPipe,
            // Arrow and Parquet keep the kind of an input or output error in its text alone.
            Error::Arrow(error) => error.to_string().contains("Broken pipe"),
            Error::Parquet(error) => error.to_string().contains("Broken pipe"),
            _ => false,
        }
    }
}
