//! The rows of one table, a range of lines at a time when its query can be asked so.

use super::partition::Part;
use crate::commands::interrupt::Stopper;
use crate::error::{Failure, Kind, Result};
use crate::warehouse::catalogue::Query;
use crate::warehouse::{AdHoc, Answer, Error, Limits, Parameter};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use std::collections::VecDeque;

/// Bytes of evidence behind one answer: whole rows are joined and put in order within it.
const PORTION_BYTES: i64 = 8 << 20;
/// The parameters of a query that can be asked for a range of lines.
const RANGE: [&str; 3] = ["file_id", "first_line", "last_line"];

/// Answers one after the other, as if they were one.
pub struct Rows<'a> {
    open: &'a AdHoc<'a>,
    query: &'a Query,
    waiting: VecDeque<Vec<(String, Parameter)>>,
    answer: Answer<'a>,
    stopper: &'a Stopper,
}

impl<'a> Rows<'a> {
    /// Asks for the first rows of a part.
    pub fn begin(open: &'a AdHoc<'a>, query: &'a Query, part: &Part, stopper: &'a Stopper) -> Result<Self> {
        let mut shared: Vec<(String, Parameter)> = Vec::new();
        let header = query.header()?;
        for parameter in &header.parameters {
            let value = match parameter.name.as_str() {
                "runs" => part.runs.as_deref().into(),
                "dataset_id" => part.dataset_id.as_deref().into(),
                other => query.default_value(other)?,
            };
            shared.push((parameter.name.clone(), value));
        }
        let takes = |name: &&str| header.parameters.iter().any(|parameter| parameter.name == *name);
        let mut waiting = match RANGE.iter().all(takes) {
            true => ranges(open, part, &shared)?,
            false => VecDeque::from([shared.clone()]),
        };
        // Without evidence there is nothing to cut, and the whole of it gives the columns.
        let first = waiting.pop_front().unwrap_or(shared);
        let answer = open.ask(&query.text, &first, NO_LIMITS).map_err(|error| named(error, query))?;
        Ok(Self { open, query, waiting, answer, stopper })
    }

    /// Names and types of the columns; they never depend on the rows.
    pub fn schema(&self) -> &SchemaRef {
        self.answer.schema()
    }

    /// The next rows.
    pub fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if self.stopper.is_heard() {
                return Err(Failure::new(Kind::Interrupted, "stopped"));
            }
            if let Some(batch) = self.answer.next().map_err(|error| named(error, self.query))? {
                return Ok(Some(batch));
            }
            let Some(values) = self.waiting.pop_front() else { return Ok(None) };
            let asked = self.open.ask(&self.query.text, &values, NO_LIMITS);
            self.answer = asked.map_err(|error| named(error, self.query))?;
        }
    }
}

/// Names the table whose rows need too much memory; nobody typed it.
fn named(error: Error, query: &Query) -> Error {
    match error {
        Error::Memory { reason, .. } => Error::Memory { query: Some(query.full_name()), reason },
        other => other,
    }
}

const NO_LIMITS: Limits = Limits { rows_max: None, timeout_s: None };

/// The ranges of lines that hold rows of a part, in the order of its rows.
fn ranges(open: &AdHoc, part: &Part, shared: &[(String, Parameter)]) -> Result<VecDeque<Vec<(String, Parameter)>>> {
    let wanted = [
        ("portion_bytes", PORTION_BYTES.into()),
        ("runs", part.runs.as_deref().into()),
        ("dataset_id", part.dataset_id.as_deref().into()),
    ];
    let cut = open.warehouse().query("asking/portions", &wanted)?;
    let mut ranges = VecDeque::new();
    for row in &cut.rows {
        let mut values: Vec<(String, Parameter)> =
            shared.iter().filter(|(name, _)| !RANGE.contains(&name.as_str())).cloned().collect();
        for name in RANGE {
            values.push((name.to_owned(), Parameter::Integer(row.integer(name)?)));
        }
        ranges.push_back(values);
    }
    Ok(ranges)
}
