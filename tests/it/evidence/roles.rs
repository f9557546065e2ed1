//! Other processes that work on the same evidence file.
//!
//! A case starts this test binary again with a role in the environment; the one test below then plays it. In an
//! ordinary test run nobody sets the variable and it has nothing to play.

use super::support::{encoded, id, wait};
use ragsql::evidence::claim::ClaimOutcome;
use ragsql::evidence::store::Store;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

const ROLE: &str = "RAGSQL_TEST_EVIDENCE_ROLE";
const PATH: &str = "RAGSQL_TEST_EVIDENCE_PATH";
const CELLS: &str = "RAGSQL_TEST_EVIDENCE_CELLS";
const BYTES: &str = "RAGSQL_TEST_EVIDENCE_BYTES";

/// A process that plays a role; killed when dropped.
pub struct Player {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Player {
    /// Starts a role on `cells` cells with answers of `bytes` bytes (every other one for `append`).
    pub fn start(role: &str, path: &Path, cells: usize, bytes: usize) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "evidence::roles::a_process_with_a_role_plays_it", "--nocapture"])
            .env(ROLE, role)
            .env(PATH, path)
            .env(CELLS, cells.to_string())
            .env(BYTES, bytes.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next thing it says; null when it ended.
    pub fn says(&mut self) -> Option<String> {
        self.lines.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix("role: ").map(str::to_owned))
    }

    /// Everything it says until it ends.
    pub fn says_at_last(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.says()).collect()
    }

    /// Waits for `done` cells and the beginning of one more; returns the finished ones.
    pub fn works_on(&mut self, done: usize) -> Vec<String> {
        let mut finished = Vec::new();
        while let Some(text) = self.says() {
            match text.strip_prefix("done ") {
                Some(question) => finished.push(question.to_owned()),
                None if finished.len() >= done => break,
                None => {}
            }
        }
        finished
    }

    /// The cells it finishes until it ends.
    pub fn finishes(&mut self) -> Vec<String> {
        self.works_on(usize::MAX)
    }

    /// Ends it like `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn say(text: impl std::fmt::Display) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "\nrole: {text}").unwrap();
    output.flush().unwrap();
}

/// The answer of a cell: one letter, repeated; every other cell is long.
pub fn answer(cell: usize, bytes: usize) -> String {
    let letter = char::from(b'a' + (cell % 26) as u8);
    letter.to_string().repeat(if cell % 2 == 1 { bytes } else { bytes.min(64) })
}

#[test]
fn a_process_with_a_role_plays_it() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let path = std::env::var_os(PATH).unwrap();
    let number = |name: &str| std::env::var(name).unwrap().parse::<usize>().unwrap();
    let (cells, bytes) = (number(CELLS), number(BYTES));
    match role.as_str() {
        "append" => append(Path::new(&path), cells, bytes, answer),
        "append_equal" => append(Path::new(&path), cells, bytes, |cell, bytes| answer(2 * cell + 1, bytes)),
        "hold" => hold(Path::new(&path)),
        "fill" => fill(Path::new(&path), cells, bytes),
        other => panic!("no role `{other}`"),
    }
}

/// Works on every cell of the matrix, claims first; says when a row is handed over and when it is stored.
fn append(path: &Path, cells: usize, bytes: usize, answer: fn(usize, usize) -> String) {
    let store = Store::open(path).unwrap();
    wait(async {
        for cell in 0..cells {
            let question = format!("q{cell}");
            if let ClaimOutcome::Claimed(claim) = store.claim(&id(&question)).await.unwrap() {
                let row = encoded(&question, &answer(cell, bytes));
                say(format_args!("begin {question}"));
                store.append(row).await.unwrap();
                drop(claim);
                say(format_args!("done {question}"));
            }
        }
    });
}

/// Claims one cell and keeps it until somebody ends the process.
fn hold(path: &Path) {
    let store = Store::open(path).unwrap();
    let claim = wait(store.claim(&id("q0"))).unwrap();
    assert!(matches!(claim, ClaimOutcome::Claimed(_)));
    say("claimed");
    let _ = std::io::stdin().read_line(&mut String::new());
    drop(claim);
}

/// Appends on a disk that is full after `bytes` bytes; says each failure.
fn fill(path: &Path, cells: usize, bytes: usize) {
    let limit = libc::rlimit { rlim_cur: bytes as libc::rlim_t, rlim_max: bytes as libc::rlim_t };
    // SAFETY: both calls take plain values and change this process alone, which exists for this role.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &limit), 0);
    }
    let store = Store::open(path).unwrap();
    wait(async {
        for cell in 0..cells {
            match store.append(encoded(&format!("q{cell}"), &"x".repeat(1000))).await {
                Ok(_) => say("stored"),
                Err(error) => say(error.to_string().replace('\n', " ")),
            }
        }
    });
}
