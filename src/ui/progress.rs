//! Live progress on a terminal, quiet elsewhere.
//!
//! What the lines say is decided by whoever computes them; this module only draws, after a delay and not too often.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

const FIRST_AFTER: Duration = Duration::from_millis(250);
const PER_SECOND: u8 = 10;

/// A block of lines that is redrawn in place. Dropping it wipes the block.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    since: Instant,
}

impl Progress {
    /// Starts with an empty block; nothing is drawn in the first 250 ms, nor when stderr is no terminal.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(PER_SECOND));
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Self { bar, since: Instant::now() }
    }

    /// Shows these lines instead of the last ones.
    pub fn show(&self, lines: &[String]) {
        if self.since.elapsed() >= FIRST_AFTER {
            self.bar.set_message(super::visible(&lines.join("\n")));
        }
    }

    /// Prints a line above the block.
    pub fn above(&self, line: &str) {
        self.bar.suspend(|| super::status(line));
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
