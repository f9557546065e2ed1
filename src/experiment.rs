//! The experiment files as checked values: manifest, datasets, flavors, roles, connections, questions, and their plan.
//!
//! Reads `compare/*.yaml` and the question files; writes nothing; never touches the network. Everything is checked
//! whole before anything is called, and several problems are reported at once.

pub mod load;
pub mod manifest;

pub mod connection;
pub mod dataset;
pub mod flavor;
pub mod gate;
pub mod prices;
pub mod question;
pub mod roles;
pub mod snapshots;
pub mod titles;

pub mod plan;
pub mod selection;

mod csv;
mod document;
mod fields;
mod jsonl;
pub mod paths;
pub mod problem;
mod request_fields;
mod yaml;

pub use load::{DEFAULT_QUESTIONS_FILE, Experiment, Files};
