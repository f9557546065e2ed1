//! Cases of the pages that are made from templates and statements.

mod board;
mod complexity;
mod html;
mod judged;
mod oracle;
mod overrides;
mod published;
mod runs;
pub mod tree;
mod validations;
