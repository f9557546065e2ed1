//! Requests to end: Ctrl-C (SIGINT) and SIGTERM.
//!
//! Listening begins when the value is made, not when somebody first waits, so a request that comes right after a verb has
//! said that it is ready is never lost to the default of the system, which ends the process at once.

use crate::error::{Failure, Kind, Result};
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
