//! Being written.

pub mod judges;
