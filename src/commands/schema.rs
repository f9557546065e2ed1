//! `ragsql schema`: what SQL can use.

use super::Ended;
use super::context::Context;
use crate::cli::SchemaArgs;
use crate::error::Result;
use crate::report::dictionary;
use crate::ui;

/// Prints the views, or one of them, with their columns.
pub fn schema(context: &Context, arguments: &SchemaArgs) -> Result<Ended> {
    ui::data(&dictionary::text(&context.catalogue, arguments.view.as_deref())?);
    Ok(Ended::Done)
}
