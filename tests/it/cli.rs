//! Cases of the `cli` room.
