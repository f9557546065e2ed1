//! Cases of the pages that are made from templates and statements.

mod oracle;
mod tree;
