//! `ragsql summarize`: evidence and judgments to evaluation JSON and CSV.

use super::Ended;
use super::context::Context;
use super::output::write_whole;
use crate::cli::SummarizeArgs;
use crate::error::Result;
use crate::report::summary::{Scope, Summary};
use crate::ui;
use crate::warehouse::{Keep, Tail, Warehouse, file_key};

/// Writes the summary of one evidence file; nothing is written when its rows cannot be read.
pub fn summarize(context: &Context, arguments: &SummarizeArgs) -> Result<Ended> {
    let rows = context.path(&arguments.rows);
    let judgments = arguments.judgments.as_deref().map(|file| context.path(file));
    let warehouse = Warehouse::in_memory(&context.catalogue)?;
    warehouse.ingest_evidence(&rows, Tail::Take, Keep::Numbers)?;
    if let Some(judgments) = &judgments {
        warehouse.ingest_judgments(judgments, None)?;
    }
    let scope = Scope { source_file: Some(file_key(&rows)), judgments_file: judgments.as_deref().map(file_key) };
    let summary = Summary::read(&warehouse, &scope)?;
    let output = context.path(&arguments.output);
    write_whole(&output, summary.evaluation_json()?.as_bytes())?;
    if let Some(file) = &arguments.csv_output {
        write_whole(&context.path(file), summary.csv().as_bytes())?;
    }
    ui::status(&format!("wrote {}", context.shown(&output)));
    Ok(Ended::Done)
}
