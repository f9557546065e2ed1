//! The binary while it works: a child that ends with its owner, what it says, and waiting that does not last for ever.

use crate::cli::project::Told;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Nothing here takes a tenth of it on a busy machine; it turns a test that would hang into one that fails.
const PATIENCE: Duration = Duration::from_secs(180);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Waits until something is so; fails with `what` when it never is.
#[track_caller]
pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(LOOK_EVERY);
    }
}

/// A child that is killed when its owner is gone, however the test ends.
pub struct Guarded(Child);

impl Guarded {
    /// Starts a command.
    pub fn spawn(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    /// Sends a signal, which does nothing when the child has ended.
    pub fn signal(&self, signal: i32) {
        // SAFETY: the process is our own child; until it is waited for, its id belongs to nobody else, and `status` alone waits.
        unsafe { libc::kill(self.0.id() as i32, signal) };
    }

    /// How it ended; null while it works.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().unwrap()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(&mut self) -> ExitStatus {
        wait_for("the end of a child", || self.status().is_some());
        self.status().unwrap()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What comes out of a stream, read by a thread of its own so that nobody waits for a full pipe.
pub struct Heard(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    is_over: bool,
}

impl Heard {
    /// Listens until the stream ends.
    pub fn of(mut stream: impl Read + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let ours = Arc::clone(&kept);
        std::thread::spawn(move || {
            let mut block = [0; 4096];
            // A terminal whose other end is closed gives an error where a pipe gives nothing.
            while let Ok(length @ 1..) = stream.read(&mut block) {
                ours.lock().unwrap().bytes.extend_from_slice(&block[..length]);
            }
            ours.lock().unwrap().is_over = true;
        });
        Self(kept)
    }

    /// All that came so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap().bytes).into_owned()
    }

    /// Whether nothing more will come.
    pub fn is_over(&self) -> bool {
        self.0.lock().unwrap().is_over
    }

    /// Waits until `text` stands behind the first `from` bytes; gives the place behind it.
    #[track_caller]
    pub fn wait_for(&self, text: &str, from: usize) -> usize {
        let mut found = None;
        wait_for(&format!("`{text}` to be said"), || {
            let is_over = self.is_over();
            let said = self.text();
            found = said[from..].find(text).map(|at| from + at + text.len());
            assert!(found.is_some() || !is_over, "`{text}` was not said, but:\n{}", &said[from..]);
            found.is_some()
        });
        found.unwrap()
    }
}

/// A child with all that it says.
pub struct Talking {
    pub child: Guarded,
    out: Heard,
    err: Heard,
}

impl Talking {
    /// Starts a command without input.
    pub fn start(mut command: Command) -> Self {
        let streams = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = Guarded::spawn(streams);
        let (out, err) = (child.0.stdout.take().unwrap(), child.0.stderr.take().unwrap());
        Self { child, out: Heard::of(out), err: Heard::of(err) }
    }

    /// Waits until stderr holds a text with the end of its line; gives all that stderr holds then.
    #[track_caller]
    pub fn says(&self, text: &str) -> String {
        let at = self.err.wait_for(text, 0);
        self.err.wait_for("\n", at);
        self.err.text()
    }

    /// Waits until something is so, and fails when the child ends before it is.
    #[track_caller]
    pub fn until(&mut self, what: &str, mut is_so: impl FnMut() -> bool) {
        wait_for(what, || {
            let status = self.child.status();
            let is_there = is_so();
            assert!(is_there || status.is_none(), "{what}: it ended before with {status:?}\n{}", self.err.text());
            is_there
        });
    }

    /// Waits for its end; gives what it said.
    #[track_caller]
    pub fn end(mut self) -> Told {
        let status = self.child.end();
        wait_for("the end of what was said", || self.out.is_over() && self.err.is_over());
        Told { code: status.code().unwrap_or(-1), out: self.out.text(), err: self.err.text() }
    }
}
