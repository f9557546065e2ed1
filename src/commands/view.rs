//! `ragsql view`: the report and a read-only SQL console in a browser.

use super::Ended;
use super::context::Context;
use crate::cli::ViewArgs;
use crate::error::Result;

pub fn view(_context: &Context, _arguments: &ViewArgs) -> Result<Ended> {
    Ok(Ended::Done)
}
