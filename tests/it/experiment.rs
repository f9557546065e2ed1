//! Cases of the `experiment` room.
