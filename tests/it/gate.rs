//! Two runs beside each other, and the gate that decides on them: the statements against the contract's numbers, then the
//! binary as a person or a CI job uses it.

mod compared;
mod decided;
mod peeking;
mod refused;
mod statement;
mod support;
