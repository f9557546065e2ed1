//! The rows of an answer, one batch at a time, within its limits.
//!
//! Reads a prepared statement; holds one batch. Never makes rows beyond the limit, and stops the engine when time is up.

use super::super::connection::Parameter;
use super::super::error::Remedy;
use super::super::told::Told;
use super::super::{Error, Result};
use super::refusal::{Scene, explain};
use super::watch::Watch;
use super::{Database, Limits};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use duckdb::{Statement, ToSql};

/// An answer that is being given.
pub struct Answer<'open> {
    statement: Statement<'open>,
    schema: SchemaRef,
    text: String,
    database: Database,
    limits: Limits,
    given_n: usize,
    is_truncated: bool,
    watch: Watch,
}

impl<'open> Answer<'open> {
    /// Binds the values and starts the statement.
    pub(super) fn start(
        mut statement: Statement<'open>,
        scene: &Scene,
        values: &[(String, Parameter)],
        watch: Watch,
    ) -> Result<Self> {
        let refused = |error: duckdb::Error| explain(&Told::of(&error), scene);
        let mut names = Vec::new();
        for index in 1..=statement.parameter_count() {
            names.push(statement.parameter_name(index).map_err(refused)?);
        }
        let mut bound: Vec<(&str, &dyn ToSql)> = Vec::new();
        for name in &names {
            let Some((_, value)) = values.iter().find(|(given, _)| given == name) else {
                return Err(Error::AdHoc {
                    reason: format!("the statement has a parameter `${name}` without a value"),
                    hint: Some("write the value in its place".to_owned()),
                    remedy: Some(Remedy::Value(name.clone())),
                });
            };
            bound.push((name, value));
        }
        // The iterator it returns panics on errors; `next` takes the batches itself.
        watch.count(|| statement.stream_arrow(bound.as_slice()).map(drop)).map_err(refused)?;
        let schema = statement.schema();
        let Scene { database, limits, statement: text } = *scene;
        let text = text.to_owned();
        Ok(Self { statement, schema, text, database, limits, given_n: 0, is_truncated: false, watch })
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
        let scene = Scene { database: self.database, limits: self.limits, statement: &self.text };
        let failed = |error: duckdb::Error| explain(&Told::of(&error), &scene);
        let stepped = self.watch.count(|| self.statement.step()).map_err(failed)?;
        let Some(batch) = stepped.map(RecordBatch::from) else { return Ok(None) };
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
