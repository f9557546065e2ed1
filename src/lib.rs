//! `ragsql` measures RAG systems and keeps the proof.
//!
//! The modules are the rooms of `docs/architecture.md`, in the order data flows through them: experiment files become
//! cells, cells become canonical evidence rows, rows become tables, tables become numbers, numbers become pages.
//! Data flows down; nothing flows back. A test compares every `use` line with the table of allowed dependencies.

pub mod adapters;
pub mod cli;
pub mod commands;
pub mod error;
pub mod evidence;
pub mod experiment;
pub mod export;
pub mod gateway;
pub mod imports;
pub mod json;
pub mod ladder;
pub mod panel;
pub mod report;
pub mod runner;
pub mod scoring;
pub mod ui;
pub mod view;
pub mod warehouse;
pub mod wire;
