//! `ragsql sql`: one question to the evidence, read-only.

use super::Ended;
use super::context::Context;
use super::import::evidence_files;
use super::level::level;
use crate::cli::SqlArgs;
use crate::error::Result;
use crate::report::answer;
use crate::ui;
use crate::warehouse::{AdHoc, Limits};

/// Answers one statement over every evidence file of the project.
pub fn sql(context: &Context, arguments: &SqlArgs) -> Result<Ended> {
    let evidence = evidence_files(&context.results())?;
    if !evidence.is_empty() && !context.warehouse_file().exists() {
        level(context)?;
    }
    let warehouse = AdHoc::open(&context.warehouse_file(), &evidence, &context.catalogue)?;
    if let Some(notice) = &warehouse.notice {
        ui::warning(notice);
    }
    let table = warehouse.answer(&arguments.statement, Limits::default())?;
    ui::data(&answer::terminal(&table, ui::width()));
    Ok(Ended::Done)
}
