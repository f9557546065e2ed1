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
    let view = arguments.view.as_deref();
    let text = match arguments.json {
        true => dictionary::json(&warehouse, view)?,
        false => dictionary::terminal(&warehouse, &context.templates, view, ui::width())?,
    };
    ui::data(&text);
    Ok(Ended::Done)
}
