//! `ragsql judge --audit`: what can be said about the panel of a run. Calls nobody and changes no file.

use super::Ended;
use super::context::Context;
use super::level::families;
use super::run::files::RunFiles;
use crate::error::{Failure, Kind, Result};
use crate::experiment::load::Experiment;
use crate::json;
use crate::panel::store::Store;
use crate::report::{self, audit};
use crate::ui;
use crate::warehouse::{Keep, Tail, Warehouse, file_key};
use std::path::Path;

/// Shows the audit of the verdicts beside `judgments`, or of the judgments themselves when there are none.
pub fn audit(
    context: &Context,
    experiment: &Experiment,
    files: &RunFiles,
    judgments: &Path,
    as_json: bool,
) -> Result<Ended> {
    let verdicts = Store::beside(judgments);
    let warehouse = Warehouse::in_memory(&context.catalogue)?;
    if files.evidence.exists() {
        warehouse.ingest_evidence(&files.evidence, Tail::Wait, Keep::Everything)?;
    }
    warehouse.store_families(&families(&experiment.manifest.judge_panel))?;
    let panel_file = if verdicts.exists() {
        warehouse.ingest_verdicts(&verdicts)?;
        verdicts.as_path()
    } else if judgments.exists() {
        let read = warehouse.ingest_judgments(judgments, None)?;
        if let Some(problem) = read.read_problem.or(read.queries_problem) {
            return Err(Failure::new(Kind::Input, format!("`{}`: {problem}", context.shown(judgments))));
        }
        judgments
    } else {
        return Err(Failure::new(Kind::Input, format!("there is no `{}`", context.shown(judgments)))
            .hint("`ragsql judge` writes it"));
    };
    let nothing = || Failure::new(Kind::Input, format!("`{}` holds no verdict", context.shown(panel_file)));
    let key = file_key(panel_file);
    let tables = match audit::render(&warehouse, &context.templates, &key, ui::width()) {
        Err(report::Error::NoRows) => return Err(nothing()),
        tables => tables?,
    };
    let text = match as_json {
        true => {
            let document = audit::document(&warehouse, &key)?;
            json::pretty(&document).map_err(|error| Failure::new(Kind::Outside, error))? + "\n"
        }
        false => tables,
    };
    ui::data(&text);
    Ok(Ended::Done)
}
