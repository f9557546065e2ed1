//! The only writer to the terminal: data to stdout, everything else to stderr.
//!
//! Reads nothing but the environment (`NO_COLOR`, whether stderr is a terminal). A broken pipe is a normal end.
//! Control characters of foreign text never reach the terminal.

mod progress;

pub use progress::Progress;

use crate::error::Failure;
use std::io::{IsTerminal, Write};

/// Writes the result of a command to stdout, byte for byte.
///
/// Returns false when nobody reads any more, which ends the command quietly.
pub fn data(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}

/// Stdout for results that come piece by piece.
pub fn output() -> Box<dyn Write + Send> {
    Box::new(std::io::BufWriter::new(std::io::stdout()))
}

/// Says whether stdout is a terminal, which shows text alone and has a width.
pub fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Says whether a person sits at stdin.
pub fn is_asked_by_a_person() -> bool {
    std::io::stdin().is_terminal()
}

/// Writes one line about what is happening.
pub fn status(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(line));
}

/// Writes a warning.
pub fn warning(message: &str) {
    labelled("warning", "33", message);
}

/// Writes a hint.
pub fn hint(message: &str) {
    labelled("hint", "36", message);
}

/// Writes a failure: its messages, then its hints.
pub fn failure(failure: &Failure) {
    for message in &failure.messages {
        labelled("error", "31", message);
    }
    for message in &failure.hints {
        hint(message);
    }
}

/// Says whether stderr is a terminal on which lines may be redrawn.
pub fn is_interactive() -> bool {
    std::io::stderr().is_terminal()
}

/// Columns of the terminal behind stdout; 100 when there is none.
pub fn width() -> usize {
    columns(libc::STDOUT_FILENO)
}

/// Columns of the terminal behind stderr; 100 when there is none.
pub fn error_width() -> usize {
    columns(libc::STDERR_FILENO)
}

fn columns(descriptor: i32) -> usize {
    // SAFETY: ioctl fills the struct we own, or fails and leaves it zeroed.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        libc::ioctl(descriptor, libc::TIOCGWINSZ, &raw mut size);
        size
    };
    if size.ws_col == 0 { 100 } else { usize::from(size.ws_col) }
}

fn labelled(label: &str, color: &str, message: &str) {
    let mut out = std::io::stderr().lock();
    let message = visible(message);
    let _ = if colored() {
        writeln!(out, "\u{1b}[{color}m{label}:\u{1b}[0m {message}")
    } else {
        writeln!(out, "{label}: {message}")
    };
}

fn colored() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Replaces control characters other than line feed and tab by their Unicode pictures.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\t' => character,
            '\u{7f}' => '\u{2421}',
            c if c < ' ' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
            '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(visible("a\u{1b}[31mb\nc\u{9b}d\u{202e}"), "a\u{241b}[31mb\nc\u{fffd}d\u{fffd}");
    }
}
