//! The experiment files as checked values: manifest, datasets, flavors, roles, questions, and the plan they give.
//!
//! Reads `compare/*.yaml` and the question files; writes nothing; never touches the network. Everything is checked
//! whole before anything is called, and several problems are reported at once.

pub mod dataset;
pub mod flavor;
pub mod manifest;
pub mod plan;
pub mod question;
