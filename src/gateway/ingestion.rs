//! Ingestion: from a corpus folder to a searchable collection, in eight phases that survive a kill.
//!
//! Reads documents and asks the models that embed, write blurbs and extract; writes the corpus index. A job is named by its content: submitting the
//! same corpus again returns the same job, finished or not. One job works at a time; the others wait.

mod contextual;
mod graph;
mod identity;
mod job;
mod models;
mod phases;
mod record;

pub use identity::{IngestionIdentity, offline_record};
pub use models::IngestionModels;

use super::config::ProfileSource;
use super::corpus::{Corpus, CorpusError, JobRow, NewJob, Session};
use super::discover::DiscoverError;
use super::identity::collection;
use crate::json;
use crate::wire::ingest::{IngestionAccepted, IngestionRecord, IngestionRequest};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// The phases, in order.
pub const PHASES: [&str; 8] =
    ["discover", "parse", "chunk", "embed", "vector_write", "lightrag_upload", "drain", "finalize"];
/// A profile name may be this long.
const LONGEST_PROFILE_CHARS: usize = 128;

/// Why a job was not accepted, or why it failed.
#[derive(Debug, thiserror::Error)]
pub enum IngestionError {
    /// No profile has this name.
    #[error("unknown ingestion profile `{profile}`; known are `{known}`")]
    UnknownProfile {
        /// As asked for.
        profile: String,
        /// All names.
        known: String,
    },
    /// The request is malformed.
    #[error("{0}")]
    Request(String),
    /// No job has this id.
    #[error("unknown ingestion `{0}`")]
    UnknownJob(String),
    /// The corpus folder cannot be read.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The corpus index failed.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A stored text is no JSON, or a hash could not be taken.
    #[error("the record of the ingestion is not readable: {0}")]
    Record(String),
    /// A phase could not do its work.
    #[error("{0}")]
    Phase(String),
    /// A thread of ours panicked or was stopped.
    #[error("a worker thread stopped before it was done")]
    Worker,
}

impl From<json::WriteError> for IngestionError {
    fn from(error: json::WriteError) -> Self {
        Self::Record(error.to_string())
    }
}

/// All jobs of one gateway.
#[derive(Clone)]
pub struct Ingestions {
    shared: Arc<Shared>,
}

struct Shared {
    corpus: Arc<Corpus>,
    models: IngestionModels,
    corpus_root: PathBuf,
    profiles: Vec<ProfileSource>,
    live: Mutex<HashMap<String, LiveJob>>,
    /// Held by the job that works.
    turn: tokio::sync::Mutex<()>,
    /// Held by the submission that looks for an equal job.
    submitting: tokio::sync::Mutex<()>,
}

struct LiveJob {
    cancelled: Arc<AtomicBool>,
    task: AbortHandle,
}

impl Ingestions {
    /// Makes the manager; starts nothing.
    pub fn new(
        corpus: Arc<Corpus>,
        models: IngestionModels,
        corpus_root: PathBuf,
        profiles: Vec<ProfileSource>,
    ) -> Self {
        let shared = Shared {
            corpus,
            models,
            corpus_root,
            profiles,
            live: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            submitting: tokio::sync::Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Accepts a job, or finds the one that does or did the same.
    ///
    /// A job that is pending, running, or completed and still answers for its collection is returned as it is; a failed,
    /// cancelled, interrupted or superseded one is taken up again, from the phase it had not finished.
    pub async fn submit(&self, request: IngestionRequest) -> Result<IngestionAccepted, IngestionError> {
        let source = self.shared.source(&request)?;
        let this = self.clone();
        let _one_at_a_time = self.shared.submitting.lock().await;
        let (job, source, identity) = blocking(move || {
            let (identity, _) = identity::identify(&this.shared.corpus_root, &source, &this.shared.models)?;
            let job = this.shared.find_or_add(&source, request.corpus_path.as_deref(), &identity)?;
            Ok((job, source, identity))
        })
        .await?;
        let mut live = lock(&self.shared.live);
        let (status, message) = if job.status == "completed" {
            ("completed", "this corpus has been ingested already")
        } else if live.contains_key(&identity.id) {
            (if job.status == "running" { "running" } else { "pending" }, "this corpus is being ingested already")
        } else {
            let cancelled = Arc::new(AtomicBool::new(false));
            let work =
                job::Job { shared: Arc::clone(&self.shared), source, row: job, cancelled: Arc::clone(&cancelled) };
            let task = tokio::spawn(work.run()).abort_handle();
            live.insert(identity.id.clone(), LiveJob { cancelled, task });
            ("pending", "the ingestion was accepted")
        };
        Ok(IngestionAccepted {
            job_id: Some(identity.id.clone()),
            ingestion_id: identity.id,
            status: status.to_owned(),
            message: message.to_owned(),
        })
    }

    /// Reads the record of a job.
    pub async fn record(&self, id: String) -> Result<IngestionRecord, IngestionError> {
        let mut records = self.records(Some(id.clone())).await?;
        records.pop().ok_or(IngestionError::UnknownJob(id))
    }

    /// Reads the records of all jobs, oldest first.
    pub async fn list(&self) -> Result<Vec<IngestionRecord>, IngestionError> {
        self.records(None).await
    }

    /// Asks a job to stop at its next pause; a job that has ended stays as it is.
    pub async fn cancel(&self, id: String) -> Result<IngestionRecord, IngestionError> {
        let live = lock(&self.shared.live).get(&id).map(|job| job.cancelled.store(true, Ordering::SeqCst));
        if live.is_some() {
            return self.record(id).await;
        }
        let (this, wanted) = (self.clone(), id.clone());
        blocking(move || {
            let session = this.shared.corpus.session()?;
            for job in session.jobs(Some(&wanted))?.iter().filter(|job| job.status == "pending") {
                session.set_job(job.key, "cancelled", &job.errors, &job.counts)?;
            }
            session.give_back();
            Ok(())
        })
        .await?;
        self.record(id).await
    }

    /// Stops all jobs where they stand; submitting them again goes on from there.
    pub fn abandon(&self) {
        for (_, job) in lock(&self.shared.live).drain() {
            job.task.abort();
        }
    }

    async fn records(&self, id: Option<String>) -> Result<Vec<IngestionRecord>, IngestionError> {
        let this = self.clone();
        blocking(move || {
            let session = this.shared.corpus.session()?;
            let jobs = session.jobs(id.as_deref())?;
            let records = jobs.into_iter().map(|job| record::record(&session, job)).collect();
            session.give_back();
            records
        })
        .await
    }
}

impl Shared {
    /// Finds the folder a request means.
    fn source(&self, request: &IngestionRequest) -> Result<ProfileSource, IngestionError> {
        if request.profile.is_empty() || request.profile.chars().count() > LONGEST_PROFILE_CHARS {
            let message = format!("`profile` must have 1 to {LONGEST_PROFILE_CHARS} characters");
            return Err(IngestionError::Request(message));
        }
        let Some(profile) = self.profiles.iter().find(|profile| profile.name == request.profile) else {
            let known: Vec<&str> = self.profiles.iter().map(|profile| profile.name.as_str()).collect();
            return Err(IngestionError::UnknownProfile { profile: request.profile.clone(), known: known.join("`, `") });
        };
        match request.corpus_path.as_deref() {
            None => Ok(profile.clone()),
            Some(path) => identity::inside(&self.corpus_root, &profile.name, path).map_err(IngestionError::Request),
        }
    }

    /// Finds the job with this identity or writes it down.
    fn find_or_add(
        &self,
        source: &ProfileSource,
        corpus_path: Option<&str>,
        identity: &IngestionIdentity,
    ) -> Result<JobRow, IngestionError> {
        let mut session = self.corpus.session()?;
        let job = session.transaction(|session| {
            match session.jobs(Some(&identity.id))?.into_iter().next() {
                Some(job) if self.take_up(session, &job)? => {}
                Some(job) => return Ok(job),
                None => {
                    let new = NewJob {
                        ingestion_id: &identity.id,
                        profile: &source.name,
                        collection: &collection(&source.name),
                        corpus_path,
                        revision: &identity.revision,
                        content_digest: &identity.content_digest,
                    };
                    session.add_job(&new, &PHASES)?;
                }
            }
            Ok(session.jobs(Some(&identity.id))?.remove(0))
        })?;
        session.give_back();
        Ok(job)
    }

    /// Makes a known job pending again, unless it is at work or its result answers already.
    ///
    /// A completed job that another one has superseded starts over; any other keeps the phases it finished.
    fn take_up(&self, session: &Session<'_>, job: &JobRow) -> Result<bool, CorpusError> {
        let done = job.status == "completed" && job.is_current;
        if done || lock(&self.live).contains_key(&job.ingestion_id) {
            return Ok(false);
        }
        if job.status == "completed" {
            session.reset_phases(job.key)?;
            session.set_job(job.key, "pending", "[]", "{}")?;
        } else {
            session.set_job(job.key, "pending", &job.errors, &job.counts)?;
        }
        Ok(true)
    }
}

/// Runs blocking work away from the async threads.
async fn blocking<T, W>(work: W) -> Result<T, IngestionError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, IngestionError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| IngestionError::Worker)?
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
