//! What every approach works with: the corpus, the models, and searches that stop when nobody waits for them.
//!
//! Searches run on blocking threads; dropping the future interrupts the statement. Writes nothing.

use super::corpus::{Corpus, CorpusError, Session};
use super::error::ApproachError;
use super::graph::GraphConfig;
use super::lazy_graph::LazyGraph;
use super::roles::{Context, Generated, Generator, Pieces, RoleError, RoleFuture, Roles};
use super::routing::N8nWebhook;
use duckdb::InterruptHandle;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// Shared by all requests of one gateway.
#[derive(Clone)]
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
    /// Role `query` for the agent's tool: what the graph says there is no answer yet, so nobody hears it as it comes.
    pub quiet_query: Arc<dyn Generator>,
    /// Answers `n8n-adaptive-rag` in place of our own routing.
    pub n8n: Option<N8nWebhook>,
    /// Indexes of the lazy graph.
    pub lazy_graph: Arc<LazyGraph>,
    /// Turns to search; see [`turns`].
    pub turns: Arc<Semaphore>,
}

/// One turn for each processor. A search keeps processors and memory busy and waits for nobody, so more of them at once
/// answer no sooner and only hold more memory.
pub fn turns() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get)))
}

impl Engine {
    /// Runs a search on a blocking thread, in one transaction: everything it reads belongs together.
    pub async fn search<T, W>(&self, work: W) -> Result<T, ApproachError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, CorpusError> + Send + 'static,
    {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| ApproachError::Worker)?;
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
            drop(turn);
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

    /// The same engine for one request, whose answering models hand their answer over as it comes.
    pub fn telling(&self, pieces: Pieces) -> Arc<Self> {
        let mut engine = self.clone();
        engine.roles.light_gen = Arc::new(Telling { model: engine.roles.light_gen, pieces: pieces.clone() });
        engine.roles.query = Arc::new(Telling { model: engine.roles.query, pieces });
        Arc::new(engine)
    }

    /// The same engine for a tool, whose graph answers in one piece.
    pub fn quiet(&self) -> Self {
        let mut engine = self.clone();
        engine.roles.query = Arc::clone(&self.quiet_query);
        engine
    }

    /// Embeds one text with the role `embed`.
    pub async fn embed(&self, text: &str) -> Result<Vec<f32>, RoleError> {
        let embedder = &self.roles.embed;
        let vectors = embedder.embed(&[text.to_owned()]).await?;
        vectors.into_iter().next().ok_or_else(|| RoleError::new(embedder.name(), "it gave no vector for one text"))
    }
}

/// A generator that streams whenever it is asked.
struct Telling {
    model: Arc<dyn Generator>,
    pieces: Pieces,
}

impl Generator for Telling {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn generate<'a>(&'a self, question: &'a str, contexts: &'a [Context]) -> RoleFuture<'a, Generated> {
        self.model.stream(question, contexts, &self.pieces)
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
