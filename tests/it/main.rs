//! The one integration-test binary: a module per room, a case per sentence.
//!
//! Tests that read `../shared` say so and fall back to the project's own fixtures.

mod cli;
mod evidence;
mod experiment;
mod gateway;
mod panel;
mod report;
mod runner;
mod scoring;
mod tidy;
mod warehouse;
