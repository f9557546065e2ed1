//! The `ragsql` binary: reads the command line, runs one command, turns its outcome into an exit code.

use clap::Parser;
use ragsql::cli::Cli;
use ragsql::commands;
use std::process::ExitCode;

fn main() -> ExitCode {
    commands::return_freed_memory();
    commands::forget_empty_variables();
    ExitCode::from(commands::main(Cli::parse()))
}
