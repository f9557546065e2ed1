//! Cases of the `scoring` room.
