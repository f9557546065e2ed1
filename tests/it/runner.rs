//! Cases of the `runner` room.
