//! What is printed: a figure, the machine's own limit, and whether the requirement holds.

use std::process::ExitCode;
use std::time::Duration;

/// Prints as it goes, and remembers what was missed.
pub struct Report {
    missed: Vec<String>,
}

impl Report {
    /// Says what will be measured, and on what.
    pub fn new(what: &str) -> Self {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        println!("figures on {cores} cores: {what}");
        Self { missed: Vec::new() }
    }

    /// Opens a group of lines.
    pub fn section(&mut self, title: &str) {
        println!("\n{title}");
    }

    /// A measured figure or a limit of the machine.
    pub fn line(&mut self, name: &str, figure: impl AsRef<str>) {
        println!("  {name:<52} {:>22}", figure.as_ref());
    }

    /// A requirement on the memory of a process, where the system tells it.
    pub fn peak(&mut self, what: &str, peak_bytes: Option<u64>, most_bytes: f64) {
        let name = format!("peak memory of {what} in MB");
        match peak_bytes {
            Some(peak) => self.at_most(&name, peak as f64 / 1e6, most_bytes / 1e6),
            None => self.line(&name, "not told by this system"),
        }
    }

    /// A requirement: holds when `value` is at least `least`.
    pub fn at_least(&mut self, name: &str, value: f64, least: f64) {
        self.verdict(name, value, value >= least, &format!("at least {least}"));
    }

    /// A requirement: holds when `value` is at most `most`.
    pub fn at_most(&mut self, name: &str, value: f64, most: f64) {
        self.verdict(name, value, value <= most, &format!("at most {most}"));
    }

    fn verdict(&mut self, name: &str, value: f64, holds: bool, bound: &str) {
        let word = if holds { "holds" } else { "MISSED" };
        println!("  {name:<52} {:>22}   {word}: {bound}", format!("{value:.2}"));
        if !holds {
            self.missed.push(name.to_owned());
        }
    }

    /// Says what was missed; the exit code of the whole.
    pub fn finish(self) -> ExitCode {
        if self.missed.is_empty() {
            println!("\nevery requirement holds");
            return ExitCode::SUCCESS;
        }
        println!("\nmissed: {}", self.missed.join("; "));
        ExitCode::FAILURE
    }
}

/// The middle of some measurements, so that one disturbed run decides nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// Seconds with milliseconds.
pub fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}
