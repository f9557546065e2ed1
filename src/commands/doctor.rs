//! `ragsql doctor`: services probed; damaged rows found, and moved aside on request.

mod probe;
mod services;

use super::Ended;
use super::context::{Context, MANIFEST, relative_default};
use super::import::evidence_files;
use crate::cli::DoctorArgs;
use crate::error::{Failure, Kind, Result};
use crate::evidence::quarantine::{self, CellHint, Report};
use crate::ui;

/// Looks at evidence files, and probes the services of a project that has an experiment.
pub fn doctor(context: &Context, arguments: &DoctorArgs) -> Result<Ended> {
    let files = evidence(context, arguments)?;
    let asks_nobody = arguments.offline || arguments.quarantine || !arguments.files.is_empty();
    // Evidence may lie in a folder without an experiment; a manifest that somebody named must be there.
    let manifest = relative_default(&arguments.experiment.manifest, MANIFEST);
    if asks_nobody || (manifest.is_none() && !context.project.join(MANIFEST).exists()) {
        return Ok(files);
    }
    let services = services::probe(context, arguments)?;
    Ok(if files == Ended::Done { services } else { files })
}

/// Looks at evidence files; with `--quarantine` moves what is damaged aside.
fn evidence(context: &Context, arguments: &DoctorArgs) -> Result<Ended> {
    let files = if arguments.files.is_empty() {
        evidence_files(&context.results())?
    } else {
        arguments.files.iter().map(|file| context.path(file)).collect()
    };
    let mut damaged = 0;
    for file in &files {
        if !file.is_file() {
            return Err(Failure::new(Kind::Input, format!("`{}` is no file", context.shown(file))));
        }
        let report = if arguments.quarantine { quarantine::quarantine(file)? } else { quarantine::inspect(file)? };
        damaged += report.moved.len();
        tell(context, &report, arguments.quarantine);
    }
    if files.is_empty() {
        ui::status(&format!("no evidence under {}", context.shown(&context.results())));
    }
    if damaged == 0 || arguments.quarantine {
        return Ok(Ended::Done);
    }
    ui::hint("`ragsql doctor --quarantine` moves these lines aside; the cells they belonged to will run again");
    Ok(Ended::WithFailures)
}

fn tell(context: &Context, report: &Report, moved: bool) {
    let name = context.shown(&report.path);
    if report.moved.is_empty() {
        ui::data(&format!("{name}: {} rows, all whole\n", report.rows_kept));
        return;
    }
    ui::data(&format!("{name}: {} whole rows, {} damaged lines\n", report.rows_kept, report.moved.len()));
    for bad in &report.moved {
        let what = format!("  line {} at byte {} ({} bytes): {}", bad.line, bad.offset, bad.length, bad.reason);
        let cell = if bad.runs_again { format!("; {} runs again", cell(&bad.cell)) } else { String::new() };
        ui::data(&ui::visible(&format!("{what}{cell}\n")));
    }
    if moved {
        ui::data(&format!("  moved to {}\n", context.shown(&report.quarantine_path)));
    }
}

/// How people call the cell that damaged bytes belonged to, as far as they still say it.
fn cell(hint: &CellHint) -> String {
    let known = |part: &Option<String>| part.as_deref().unwrap_or("?").to_owned();
    match hint {
        CellHint { row_id: None, dataset_id: None, question_id: None, model: None, .. } => {
            "a cell whose name is lost".to_owned()
        }
        _ => format!("cell {} / {} / {}", known(&hint.dataset_id), known(&hint.question_id), known(&hint.model)),
    }
}
