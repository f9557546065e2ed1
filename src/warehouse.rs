//! The warehouse: DuckDB tables derived from evidence, and the catalogue of every statement under `sql/`.
//!
//! Reads evidence and judgment files, and the embedded `sql/` folder. Writes one DuckDB file that can be deleted and
//! rebuilt at any time. Never changes evidence, never holds the database open longer than a batch, and holds no SQL.

pub mod catalogue;

mod ad_hoc;
mod batch;
mod connection;
mod error;
mod facts;
mod ingest;
mod judgments;
mod letters;
mod lines;
mod memory;
mod moment;
mod reader;
mod site;
mod sync;
mod table;
mod told;
mod verdicts;

pub use ad_hoc::{Access, AdHoc, Answer, Limits, Pieces, split};
pub use connection::{Parameter, Warehouse};
pub use error::{Error, Remedy};
pub use facts::{Family, QuestionFacts, Subject};
pub use ingest::{Ingested, Keep, file_key};
pub use judgments::{Judgments, Verdict};
pub use lines::Tail;
pub use memory::Memory;
pub use moment::infinity_of;
pub use site::{Kind, SiteRows};
pub use sync::{Synced, import, sync, sync_beside_a_run};
pub use table::{Room, Row, Table, Value};
pub use verdicts::{PanelAnswer, PanelVerdict};

/// Shorthand for results of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;
