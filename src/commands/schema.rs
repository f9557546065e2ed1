//! `ragsql schema`: what SQL can use.

use super::Ended;
use super::context::Context;
use crate::cli::SchemaArgs;
use crate::error::Result;
use crate::report::dictionary;
use crate::ui;
use crate::warehouse::Warehouse;

/// Prints the views, or one of them, with their columns.
pub fn schema(context: &Context, arguments: &SchemaArgs) -> Result<Ended> {
    let warehouse = Warehouse::in_memory(&context.catalogue)?;
    ui::data(&dictionary::terminal(&warehouse, &context.templates, arguments.view.as_deref(), ui::width())?);
    Ok(Ended::Done)
}
