//! Cases of the pages that are made from templates and statements.

mod complexity;
mod oracle;
mod published;
mod tree;
mod validations;
