//! The time that a statement may take of the engine.
//!
//! Reads the clock while the engine works and only then: whoever takes the rows may be slow, as a pager is. Interrupts
//! the engine when the time is used up. Holds one thread as long as the statement, if there is a limit.

use duckdb::InterruptHandle;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The engine forgets an interrupt that comes before a query has begun, so it is told until it has stopped.
const AGAIN: Duration = Duration::from_millis(50);

/// Interrupts a statement when its time is used up; ends with the value.
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    work: Work,
    is_over: bool,
}

/// How long the engine has worked.
#[derive(Debug, Default)]
struct Work {
    used: Duration,
    since: Option<Instant>,
}

impl Work {
    fn begin(&mut self, now: Instant) {
        self.since = Some(now);
    }

    fn end(&mut self, now: Instant) {
        if let Some(since) = self.since.take() {
            self.used += now.saturating_duration_since(since);
        }
    }

    /// What is left of a limit; null while the engine rests, when no time passes.
    fn left(&self, limit: Duration, now: Instant) -> Option<Duration> {
        let since = self.since?;
        Some(limit.saturating_sub(self.used + now.saturating_duration_since(since)))
    }
}

impl Watch {
    /// Begins to watch; without a limit nothing ever happens.
    pub fn start(interrupt: Arc<InterruptHandle>, limit: Option<Duration>) -> Self {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let thread = limit.map(|limit| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.keep(limit, &|| interrupt.interrupt()))
        });
        Self { shared, thread }
    }

    /// Does work of the engine, whose time counts.
    pub fn count<T>(&self, work: impl FnOnce() -> T) -> T {
        self.shared.change(|state| state.work.begin(Instant::now()));
        let done = work();
        self.shared.change(|state| state.work.end(Instant::now()));
        done
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.change(|state| state.is_over = true);
        if let Some(thread) = self.thread.take() {
            // The watcher cannot fail; an interrupted statement has already become the answer.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is complete before it can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Interrupts, under the lock, so that no work can begin or end meanwhile.
    fn keep(&self, limit: Duration, interrupt: &dyn Fn()) {
        let mut state = self.lock();
        while !state.is_over {
            state = match state.work.left(limit, Instant::now()) {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    if left.is_zero() {
                        interrupt();
                    }
                    let pause = if left.is_zero() { AGAIN } else { left };
                    self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_inside_the_engine_counts() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let limit = Duration::from_secs(10);
        let mut work = Work::default();
        assert_eq!(work.left(limit, at(100)), None);
        work.begin(at(100));
        assert_eq!(work.left(limit, at(103)), Some(Duration::from_secs(7)));
        work.end(at(104));
        assert_eq!(work.left(limit, at(5000)), None, "an hour of reading costs nothing");
        work.begin(at(5000));
        assert_eq!(work.left(limit, at(5001)), Some(Duration::from_secs(5)));
        assert_eq!(work.left(limit, at(5007)), Some(Duration::ZERO));
    }
}
