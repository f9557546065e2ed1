//! Cases of the `warehouse` room.

mod ad_hoc;
mod catalogue;
mod ingest;
pub mod rows;
mod statements;
