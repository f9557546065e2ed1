//! Cases of the `evidence` room.
