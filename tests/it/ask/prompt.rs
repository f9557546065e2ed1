//! The prompt, as a person at a terminal has it.

use super::support::project;
use crate::child::{Guarded, Heard};
use crate::cli::project::Project;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::FromRawFd as _;
use std::process::Stdio;

/// The binary on a pseudo-terminal of 100 columns.
struct Terminal {
    child: Guarded,
    keyboard: File,
    screen: Heard,
    /// Bytes of the screen that were looked at.
    seen_bytes: usize,
}

impl Terminal {
    fn start(project: &Project, arguments: &[&str]) -> Self {
        let (mut ours, mut theirs) = (0, 0);
        let mut size = libc::winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the two descriptors and the size are ours; the other pointers may be null.
        let opened =
            unsafe { libc::openpty(&mut ours, &mut theirs, std::ptr::null_mut(), std::ptr::null_mut(), &raw mut size) };
        assert_eq!(opened, 0, "a pseudo-terminal can be opened");
        // SAFETY: both descriptors are open and have no other owner.
        let (keyboard, end) = unsafe { (File::from_raw_fd(ours), File::from_raw_fd(theirs)) };
        let same = || Stdio::from(end.try_clone().unwrap());
        let mut command = project.command(arguments);
        let child = Guarded::spawn(command.env("TERM", "xterm").stdin(same()).stdout(same()).stderr(same()));
        let screen = Heard::of(keyboard.try_clone().unwrap());
        Self { child, keyboard, screen, seen_bytes: 0 }
    }

    /// Waits until `text` has been shown since the last time.
    #[track_caller]
    fn shows(&mut self, text: &str) -> &mut Self {
        self.seen_bytes = self.screen.wait_for(text, self.seen_bytes);
        self
    }

    fn types(&mut self, text: &str) -> &mut Self {
        self.keyboard.write_all(text.as_bytes()).unwrap();
        self
    }
}

#[test]
fn a_statement_over_lines_is_answered_commands_work_and_history_stays() {
    let project = project();
    let mut terminal = Terminal::start(&project, &["sql"]);
    terminal.shows("evidence: 1 files, 2 rows, current").shows("read-only").shows("ragsql> ");
    terminal
        .types("select question_id\r")
        .types("from cells order by all;\r")
        .shows("q1")
        .shows("(2 rows)")
        .shows("ragsql> ");
    terminal.types("select statu from cells;\r").shows("error").shows("did you mean `status`?").shows("ragsql> ");
    terminal.types(".help\r").shows(".queries [TEXT]").shows("ragsql> ");
    terminal.types(".queries leaderb\r").shows("@reports/leaderboard@1").shows("ragsql> ");
    terminal.types(".schema scores\r").shows("One metric of one cell").shows("ragsql> ");
    terminal.types(".format csv\r").shows("ragsql> ");
    terminal.types("@leaderboard dataset=harbour\r").shows("r1,harbour,faithfulness,ranked,1,heron").shows("ragsql> ");
    terminal.types(".format parquet\r").shows("a terminal cannot show `parquet`").shows("ragsql> ");
    terminal.types(".nothing\r").shows("there is no command `.nothing`").shows("ragsql> ");
    // Tab completes the only word that fits.
    terminal.types("select count(distinct questio\t) as n from cel\t;\r").shows("n\r\n2\r\n").shows("ragsql> ");
    terminal.types(".quit\r");
    assert!(terminal.child.end().success());
    let history = project.read("compare/results/.sql-history");
    assert!(history.contains("order by all;") && history.contains(".quit"), "{history}");
}

#[test]
fn a_wide_answer_fits_the_terminal_and_says_what_it_cut() {
    let project = project();
    let mut terminal = Terminal::start(&project, &["sql", "select repeat('ab ', 100) as long, 12345 as n"]);
    terminal.shows("ab …").shows("12345").shows("(cut to fit: long; another --format has them whole)");
    assert!(terminal.child.end().success());
    let mut terminal = Terminal::start(&project, &["sql", "from cells"]);
    terminal.shows("columns do not fit: ").shows("source_line");
    assert!(terminal.child.end().success());
}

#[test]
fn the_end_of_input_ends_the_prompt_and_an_open_prompt_stands_in_nobodys_way() {
    let project = project();
    let mut terminal = Terminal::start(&project, &["sql"]);
    terminal.shows("ragsql> ");
    // A run can write while the prompt waits: the warehouse is not held.
    let catalogue = ragsql::warehouse::catalogue::Catalogue::embedded(None).unwrap();
    let database = project.path("compare/results/warehouse.duckdb");
    drop(ragsql::warehouse::Warehouse::open(&database, &catalogue).unwrap());
    terminal.types("\u{4}");
    assert!(terminal.child.end().success());
}
