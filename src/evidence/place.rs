//! Where a row lies in its file.

/// The bytes of one stored row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Where the line begins, in bytes from the start of the file.
    pub offset: u64,
    /// Bytes of the line without its line end.
    pub length: u64,
    /// One-based physical line.
    pub line: u64,
}
