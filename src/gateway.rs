//! Being written.

pub mod builtin;
pub mod evaluate;
pub mod lazy_graph;
