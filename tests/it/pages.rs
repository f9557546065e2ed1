//! Cases of the pages that are made from templates and statements.

mod complexity;
mod oracle;
mod overrides;
mod published;
mod runs;
mod tree;
mod validations;
