//! Cases of the `report` room.

mod dictionary;
mod matrix;
mod standings;
mod summary;
