//! Pages over the big run: all of them, one page for every question, and one HTML file; each a second time, when nothing
//! has changed since.

use crate::machine::{ragsql, watched};
use crate::project::Project;
use crate::report::Report;

const MOST_S: f64 = 5.0;
const MOST_BYTES: f64 = 1e9;
/// What is written, as people call it and as they type it.
const WRITTEN: [(&str, &[&str]); 3] = [
    ("report", &["report"]),
    ("report question", &["report", "question"]),
    ("report --html", &["report", "--html", "report.html"]),
];

/// Writes the pages twice.
pub fn measure(report: &mut Report, project: &Project) {
    report.section("ragsql report, the whole command");
    for (name, arguments) in WRITTEN {
        for turn in [name.to_owned(), format!("{name}, nothing changed")] {
            let (elapsed, peak) = watched(ragsql(project.path(), arguments));
            report.at_most(&format!("seconds of {turn}"), elapsed.as_secs_f64(), MOST_S);
            report.peak(&turn, peak, MOST_BYTES);
        }
    }
}
