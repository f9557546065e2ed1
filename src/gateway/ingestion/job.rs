//! One job: phase after phase, each kept when it ends, so that a kill costs at most the phase it hit.

use super::phases::{self, Outcome, Work};
use super::record::{object, objects};
use super::{IngestionError, Shared, blocking, lock};
use crate::gateway::config::ProfileSource;
use crate::gateway::corpus::{CorpusError, JobRow, PhaseEnd, Session};
use crate::json;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A job at work.
pub(super) struct Job {
    pub shared: Arc<Shared>,
    pub source: ProfileSource,
    pub row: JobRow,
    pub cancelled: Arc<AtomicBool>,
}

/// What is known about a job beyond its phases.
struct Progress {
    errors: Vec<Map<String, Value>>,
    counts: Map<String, Value>,
}

impl Job {
    /// Waits for its turn and works until the end; never panics on what it meets.
    pub async fn run(self) {
        let shared = Arc::clone(&self.shared);
        let id = self.row.ingestion_id.clone();
        let _turn = shared.turn.lock().await;
        if let Err(error) = self.work().await {
            tracing::error!("the state of ingestion `{id}` cannot be kept: {error}");
        }
        lock(&shared.live).remove(&id);
    }

    async fn work(self) -> Result<(), IngestionError> {
        let job = Arc::new(self);
        let (mut progress, finished) = job.begin().await?;
        for (name, status) in finished {
            if status == "completed" || status == "skipped" {
                continue;
            }
            if job.cancelled.load(Ordering::SeqCst) {
                return job.end(&name, "cancelled", None, progress).await;
            }
            job.start(&name).await?;
            progress.errors.retain(|error| error.get("phase") != Some(&json!(name)));
            let work = Work {
                shared: Arc::clone(&job.shared),
                source: job.source.clone(),
                job: job.row.clone(),
                cancelled: Arc::clone(&job.cancelled),
            };
            match phases::run(&name, work).await {
                Ok(outcome) => {
                    let Outcome { counts, problems, is_skipped, note, cancelled } = outcome;
                    progress
                        .errors
                        .extend(problems.into_iter().map(|(file, message)| problem(&name, Some(file), message)));
                    if cancelled {
                        return job.end(&name, "cancelled", None, progress).await;
                    }
                    progress.counts.extend(counts.clone());
                    let status = if is_skipped { "skipped" } else { "completed" };
                    job.finish(&name, status, counts, note, &progress).await?;
                }
                Err(error) => {
                    progress.errors.push(problem(&name, None, error.to_string()));
                    return job.end(&name, "failed", Some(error.to_string()), progress).await;
                }
            }
        }
        Ok(())
    }

    /// Marks the job as running and reads what earlier attempts achieved.
    async fn begin(self: &Arc<Self>) -> Result<(Progress, Vec<(String, String)>), IngestionError> {
        self.with_session(|job, session| {
            let progress = Progress { errors: objects(&job.row.errors)?, counts: object(&job.row.counts)? };
            keep(session, job.row.key, "running", &progress)?;
            let phases = session.phases(job.row.key)?.into_iter().map(|phase| (phase.name, phase.status)).collect();
            Ok((progress, phases))
        })
        .await
    }

    async fn start(self: &Arc<Self>, name: &str) -> Result<(), IngestionError> {
        let name = name.to_owned();
        self.with_session(move |job, session| Ok(session.start_phase(job.row.key, &name, now_ms())?)).await
    }

    /// Keeps a phase that succeeded; after the last one the job is completed.
    async fn finish(
        self: &Arc<Self>,
        name: &str,
        status: &'static str,
        counts: Map<String, Value>,
        note: Option<String>,
        progress: &Progress,
    ) -> Result<(), IngestionError> {
        let name = name.to_owned();
        let counts = json::compact(&Value::Object(counts))?;
        let (errors, totals) = progress.texts()?;
        self.with_session(move |job, session| {
            let note = note.as_deref();
            let end = PhaseEnd { name: &name, status, now_ms: now_ms(), counts: &counts, note, error: None };
            let job_status = if name == "finalize" { "completed" } else { "running" };
            session.transaction(|session| {
                session.end_phase(job.row.key, &end)?;
                session.set_job(job.row.key, job_status, &errors, &totals)
            })?;
            Ok(())
        })
        .await
    }

    /// Keeps a phase, and with it the job, as failed or cancelled.
    async fn end(
        self: &Arc<Self>,
        name: &str,
        status: &'static str,
        error: Option<String>,
        progress: Progress,
    ) -> Result<(), IngestionError> {
        let name = name.to_owned();
        self.with_session(move |job, session| {
            let end =
                PhaseEnd { name: &name, status, now_ms: now_ms(), counts: "{}", note: None, error: error.as_deref() };
            session.end_phase(job.row.key, &end)?;
            keep(session, job.row.key, status, &progress)
        })
        .await
    }

    async fn with_session<T, W>(self: &Arc<Self>, work: W) -> Result<T, IngestionError>
    where
        T: Send + 'static,
        W: FnOnce(&Self, &mut Session<'_>) -> Result<T, IngestionError> + Send + 'static,
    {
        let job = Arc::clone(self);
        blocking(move || {
            let mut session = job.shared.corpus.session()?;
            let value = work(&job, &mut session)?;
            session.give_back();
            Ok(value)
        })
        .await
    }
}

impl Progress {
    fn texts(&self) -> Result<(String, String), json::WriteError> {
        Ok((json::compact(&json!(self.errors))?, json::compact(&json!(self.counts))?))
    }
}

fn keep(session: &Session<'_>, job: i64, status: &str, progress: &Progress) -> Result<(), IngestionError> {
    let (errors, counts) = progress.texts()?;
    let kept: Result<(), CorpusError> = session.set_job(job, status, &errors, &counts);
    Ok(kept?)
}

fn problem(phase: &str, file: Option<String>, message: String) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("phase".to_owned(), phase.into());
    map.insert("service".to_owned(), "ragsql".into());
    map.insert("file".to_owned(), file.into());
    map.insert("message".to_owned(), message.into());
    map
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
