//! Cases of the `gateway` room.
