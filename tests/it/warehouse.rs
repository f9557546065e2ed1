//! Cases of the `warehouse` room.
