//! What every approach works with: the corpus, the models, and searches that stop when nobody waits for them.
//!
//! Searches run on blocking threads; dropping the future interrupts the statement. Writes nothing.

use super::corpus::{Corpus, CorpusError, Session};
use super::error::ApproachError;
use super::graph::GraphConfig;
use super::lazy_graph::LazyGraph;
use super::roles::{RoleError, Roles};
use super::routing::N8nWebhook;
use duckdb::InterruptHandle;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared by all requests of one gateway.
pub struct Engine {
    /// The corpus index.
    pub corpus: Arc<Corpus>,
    /// The models.
    pub roles: Roles,
    /// The collection that answers.
    pub collection: String,
    /// The same chunks, each with its blurb.
    pub contextual_collection: String,
    /// How the knowledge graph is asked.
    pub graph: GraphConfig,
    /// Answers `n8n-adaptive-rag` in place of our own routing.
    pub n8n: Option<N8nWebhook>,
    /// Indexes of the lazy graph.
    pub lazy_graph: LazyGraph,
}

impl Engine {
    /// Runs a search on a blocking thread, in one transaction: everything it reads belongs together.
    pub async fn search<T, W>(&self, work: W) -> Result<T, ApproachError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, CorpusError> + Send + 'static,
    {
        let corpus = Arc::clone(&self.corpus);
        let running = Arc::new(Mutex::new(Running::Waiting));
        let waiter = Waiter(Arc::clone(&running));
        let task = tokio::task::spawn_blocking(move || {
            let mut session = corpus.session()?;
            {
                let mut state = lock(&running);
                if matches!(*state, Running::Abandoned) {
                    return Err(CorpusError::Interrupted);
                }
                *state = Running::Busy(session.interrupt_handle());
            }
            let result = session.transaction(work);
            // The connection goes back to the pool only when nobody can interrupt it any more.
            let ended = std::mem::replace(&mut *lock(&running), Running::Done);
            if matches!(ended, Running::Busy(_)) && result.is_ok() {
                session.give_back();
            }
            result
        });
        let result = task.await;
        drop(waiter);
        Ok(result.map_err(|_| ApproachError::Worker)??)
    }

    /// Embeds one text with the role `embed`.
    pub async fn embed(&self, text: &str) -> Result<Vec<f32>, RoleError> {
        let embedder = &self.roles.embed;
        let vectors = embedder.embed(&[text.to_owned()]).await?;
        vectors.into_iter().next().ok_or_else(|| RoleError {
            model: embedder.name().to_owned(),
            message: "it gave no vector for one text".to_owned(),
        })
    }
}

enum Running {
    Waiting,
    Busy(Arc<InterruptHandle>),
    Done,
    Abandoned,
}

/// Interrupts the statement when the future that waits for it is dropped.
struct Waiter(Arc<Mutex<Running>>);

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        if let Running::Busy(handle) = &*state {
            handle.interrupt();
        }
        *state = Running::Abandoned;
    }
}

fn lock(state: &Mutex<Running>) -> MutexGuard<'_, Running> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
