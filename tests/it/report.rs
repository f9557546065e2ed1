//! Cases of the `report` room.

mod summary;
