//! The one integration-test binary: a module per room, a case per sentence.
//!
//! Tests that read `../shared` say so and fall back to the project's own fixtures.

mod adapters;
mod ask;
mod bug_reports;
mod child;
mod cli;
mod evidence;
mod golden;

mod documents;
mod experiment;
mod gate;
mod gateway;
mod gateway_agentic;
mod gateway_graph;
mod gateway_models;
mod ladder;
mod model_roles;
mod noise;
mod own;
mod pages;
mod panel;
mod processes;
mod report;
mod runner;
mod scoring;
mod statistics;
mod stub;
mod tidy;
mod vectors;
mod view;
mod warehouse;
mod wire;
