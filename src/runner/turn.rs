//! The right of a cell to be at work, which it gives back while it can only wait.
//!
//! Holds at most one permit of a run's turns. Never calls anybody and never decides how long to wait.

use super::limit::{Limiter, Permit};
use tokio::sync::{Semaphore, SemaphorePermit};

/// A cell's turn, held or not.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    turns: &'a Semaphore,
    held: Option<SemaphorePermit<'a>>,
}

impl<'a> Turn<'a> {
    /// A turn that is not held yet.
    pub fn new(turns: &'a Semaphore) -> Self {
        Self { turns, held: None }
    }

    /// Waits for the turn unless it is held.
    pub async fn take(&mut self) {
        if self.held.is_none() {
            // Nobody closes the semaphore.
            self.held = self.turns.acquire().await.ok();
        }
    }

    /// Lets another cell work.
    pub fn give_back(&mut self) {
        self.held = None;
    }

    /// Waits for the right to call a service, and holds the turn only once both are there.
    ///
    /// The service's place is asked for last, so that nobody holds it who cannot use it.
    pub async fn permit_of<'b>(&mut self, limiter: &'b Limiter) -> Permit<'b> {
        loop {
            self.take().await;
            if let Some(permit) = limiter.try_acquire() {
                return permit;
            }
            self.give_back();
            limiter.opened().await;
        }
    }
}
