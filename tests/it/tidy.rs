//! Cases of the `tidy` room.
