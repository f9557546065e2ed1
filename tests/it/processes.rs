//! Cases of whole runs in processes of their own: several at once, and killed ones.

mod crowd;
mod killing;
mod killing_ingestion;
mod support;
