//! Requests to end: Ctrl-C (SIGINT) and SIGTERM.
//!
//! Listening begins when the value is made, not when somebody first waits, so a request that comes right after a verb has
//! said that it is ready is never lost to the default of the system, which ends the process at once.

use crate::error::{Failure, Kind, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears every request to end that comes after it was made.
#[derive(Debug)]
pub struct Interrupt {
    interrupt: Signal,
    terminate: Signal,
}

impl Interrupt {
    /// Starts to listen; must be called inside a runtime.
    pub fn listen() -> Result<Self> {
        let listen = |kind| {
            signal(kind)
                .map_err(|error| Failure::new(Kind::Outside, format!("cannot listen for a request to end: {error}")))
        };
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for the next request.
    pub async fn heard(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Stops the statement at work when there is a request to end. A second request ends the process at once with the code of
/// an interrupted command; without a statement at work, so does the first, unless the owner asks for it by itself.
#[derive(Clone)]
pub struct Stopper {
    state: Arc<Stop>,
}

#[derive(Default)]
struct Stop {
    is_heard: AtomicBool,
    at_work: Mutex<Option<Arc<duckdb::InterruptHandle>>>,
}

impl Stopper {
    /// Starts to listen on a thread of its own, which lives as long as the process.
    pub fn start() -> Result<Self> {
        Self::listening(true)
    }

    /// The same for work that is in steps and asks [`Self::is_heard`] between them: the first request ends no process.
    pub fn between_steps() -> Result<Self> {
        Self::listening(false)
    }

    fn listening(ends_at_once: bool) -> Result<Self> {
        let failed = |error| Failure::new(Kind::Outside, format!("cannot listen for a request to end: {error}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let mut interrupt = {
            let _inside = runtime.enter();
            Interrupt::listen()?
        };
        let stopper = Self { state: Arc::default() };
        let state = stopper.state.clone();
        std::thread::spawn(move || {
            runtime.block_on(async move {
                loop {
                    interrupt.heard().await;
                    let at_work = state.at_work.lock().unwrap_or_else(PoisonError::into_inner);
                    let was_heard = state.is_heard.swap(true, Ordering::SeqCst);
                    match &*at_work {
                        Some(handle) if !was_heard => handle.interrupt(),
                        None if !was_heard && !ends_at_once => {}
                        _ => std::process::exit(i32::from(Kind::Interrupted.exit_code())),
                    }
                }
            });
        });
        Ok(stopper)
    }

    /// Says which statement a request stops, until the guard is dropped. Earlier requests count on.
    pub fn watch(&self, handle: Arc<duckdb::InterruptHandle>) -> Watched<'_> {
        *self.state.at_work.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
        Watched { stopper: self }
    }

    /// Forgets earlier requests, because a person has asked for something new since.
    pub fn forget(&self) {
        self.state.is_heard.store(false, Ordering::SeqCst);
    }

    /// Whether there was a request since the start or the last [`Self::forget`].
    pub fn is_heard(&self) -> bool {
        self.state.is_heard.load(Ordering::SeqCst)
    }
}

/// A statement is at work as long as this lives.
#[must_use]
pub struct Watched<'a> {
    stopper: &'a Stopper,
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        *self.stopper.state.at_work.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
