//! Cases of the `adapters` room.
