//! What can go wrong while a report is made.

/// Everything a report refuses or fails at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A statement failed, or its result is not what its header promises.
    #[error(transparent)]
    Warehouse(#[from] crate::warehouse::Error),
    /// There is nothing to report on.
    #[error("there are no rows to summarise")]
    NoRows,
    /// A number has no JSON text.
    #[error(transparent)]
    Json(#[from] crate::json::WriteError),
}
