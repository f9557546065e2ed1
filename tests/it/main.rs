//! The one integration-test binary: a module per room, a case per sentence.
//!
//! Tests that read `../shared` say so and fall back to the project's own fixtures.

mod cli;
mod evidence;
mod experiment;
mod gateway;
mod report;
mod runner;
mod scoring;
mod stub;
mod tidy;
mod warehouse;
