//! Cases of the command line: the real binary in a small project, as a person uses it.

mod interrupted;
pub mod project;
mod report;
mod resumed;
mod run;
mod verbs;
