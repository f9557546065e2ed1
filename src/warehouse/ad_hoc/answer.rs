//! The rows of an answer, one batch at a time, within its limits.
//!
//! Reads a prepared statement; holds one batch. Never makes rows beyond the limit, and stops the engine when time is up.

use super::super::connection::{Parameter, words};
use super::super::{Error, Result};
use super::{Limits, refusal};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use duckdb::{InterruptHandle, Statement, ToSql};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// An answer that is being given.
pub struct Answer<'open> {
    statement: Statement<'open>,
    schema: SchemaRef,
    text: String,
    limits: Limits,
    given_n: usize,
    is_truncated: bool,
    _watch: Watch,
}

impl<'open> Answer<'open> {
    /// Binds the values and starts the statement.
    pub(super) fn start(
        mut statement: Statement<'open>,
        text: &str,
        values: &[(String, Parameter)],
        limits: Limits,
        watch: Watch,
    ) -> Result<Self> {
        let refused = |error: duckdb::Error| refusal::explain(&words(&error), text, limits);
        let mut names = Vec::new();
        for index in 1..=statement.parameter_count() {
            names.push(statement.parameter_name(index).map_err(refused)?);
        }
        let mut bound: Vec<(&str, &dyn ToSql)> = Vec::new();
        for name in &names {
            let Some((_, value)) = values.iter().find(|(given, _)| given == name) else {
                return Err(Error::AdHoc {
                    reason: format!("the statement has a parameter `${name}` without a value"),
                    hint: Some(format!("give it with `--param {name}=VALUE`, or write the value in its place")),
                });
            };
            bound.push((name, value));
        }
        // The iterator it returns panics on errors; `next` takes the batches itself.
        drop(statement.stream_arrow(bound.as_slice()).map_err(refused)?);
        let schema = statement.schema();
        Ok(Self { statement, schema, text: text.to_owned(), limits, given_n: 0, is_truncated: false, _watch: watch })
    }

    /// Names and types of the columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next rows; nothing at the end or at the limit.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<RecordBatch>> {
        if self.is_truncated {
            return Ok(None);
        }
        let failed = |error: duckdb::Error| refusal::explain(&words(&error), &self.text, self.limits);
        let Some(batch) = self.statement.step().map_err(failed)?.map(RecordBatch::from) else { return Ok(None) };
        let room = self.limits.rows_max.map_or(usize::MAX, |most| most - self.given_n);
        self.is_truncated = batch.num_rows() > room;
        let kept = batch.slice(0, batch.num_rows().min(room));
        self.given_n += kept.num_rows();
        Ok((kept.num_rows() > 0).then_some(kept))
    }

    /// Whether there were more rows than the limit.
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }
}

/// Interrupts a statement when its time is up; ends with the value.
pub(super) struct Watch {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(interrupt: Arc<InterruptHandle>, timeout_s: Option<u64>) -> Self {
        let Some(timeout_s) = timeout_s else { return Self { done: None, thread: None } };
        let (done, waiting) = channel::<()>();
        let thread = std::thread::spawn(move || {
            // Dropping the sender ends the wait at once.
            if waiting.recv_timeout(Duration::from_secs(timeout_s)) == Err(RecvTimeoutError::Timeout) {
                interrupt.interrupt();
            }
        });
        Self { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            // The watcher cannot fail; an interrupted statement has already become the answer.
            let _ = thread.join();
        }
    }
}
