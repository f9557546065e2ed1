//! Cases of the `evidence` room.

mod appending;
mod claiming;
mod disk_full;
mod events;
mod killing;
mod provenance;
mod quarantining;
mod reading;
mod resuming;
mod roles;
mod superseding;
mod support;
