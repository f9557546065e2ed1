//! What went wrong, told once: kind, message, hints and the exit code.
//!
//! Every room has its own error type; this room turns each of them into a [`Failure`] that `ui` prints. Nothing here
//! prints or exits.

mod adapters;
mod evidence;
mod experiment;
mod export;
mod gateway;
mod imports;
mod ladder;
mod panel;
mod report;
mod runner;
mod warehouse;
mod wire;

use std::fmt;

/// Decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The work finished, but cells or checks failed: 1.
    Finished,
    /// Files, arguments or stored rows are not acceptable: 2.
    Input,
    /// Network, disk or database failed: 3.
    Outside,
    /// A statement needed more memory than its connection may use, and more could be given: 3.
    Memory,
    /// A gate could not decide: 4.
    Undecided,
    /// Somebody pressed Ctrl-C; the run can be resumed: 130.
    Interrupted,
}

impl Kind {
    /// The documented exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::Finished => 1,
            Kind::Input => 2,
            Kind::Outside | Kind::Memory => 3,
            Kind::Undecided => 4,
            Kind::Interrupted => 130,
        }
    }
}

/// A failure as people see it: one or more messages, then hints.
#[derive(Debug)]
pub struct Failure {
    /// Decides the exit code.
    pub kind: Kind,
    /// At least one; each printed behind `error: `.
    pub messages: Vec<String>,
    /// Each printed behind `hint: `.
    pub hints: Vec<String>,
}

impl Failure {
    /// Makes a failure with one message and no hint.
    pub fn new(kind: Kind, message: impl fmt::Display) -> Self {
        Self { kind, messages: vec![message.to_string()], hints: Vec::new() }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hints.push(hint.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.messages.join("\n"))
    }
}

impl std::error::Error for Failure {}

/// Shorthand for results that end a command.
pub type Result<T, E = Failure> = std::result::Result<T, E>;
