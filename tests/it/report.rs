//! Cases of the `report` room.
