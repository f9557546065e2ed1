//! `ragsql report`: the pages of a run as Markdown.

use super::Ended;
use super::context::Context;
use super::level::level;
use super::output::write_whole;
use crate::cli::ReportArgs;
use crate::error::{Failure, Kind, Result};
use crate::report;
use crate::report::page::Pages;
use crate::ui;
use crate::warehouse::{Parameter, Warehouse};

/// The pages that a run has.
const PAGES: [&str; 2] = ["run", "question"];

/// Writes the run page and a page per question.
pub fn report(context: &Context, arguments: &ReportArgs) -> Result<Ended> {
    if let Some(busy) = level(context)? {
        return Err(busy.into());
    }
    let warehouse = Warehouse::open_read_only(&context.warehouse_file(), &context.catalogue)?;
    let run_id = chosen(&warehouse, arguments.run_id.as_deref())?;
    let folder = match &arguments.output {
        Some(folder) => context.path(folder),
        None => context.results().join("pages"),
    };
    let own = Some(context.project.join("templates")).filter(|folder| folder.is_dir());
    let pages = Pages::load(own.as_deref())?;
    let (mut written, mut failed) = (0, None);
    for name in PAGES {
        let given = [("run_id", Parameter::Text(run_id.clone()))];
        pages.render_each(&warehouse, name, &given, &mut |path, text| {
            if failed.is_none() {
                failed = write_whole(&folder.join(path), text.as_bytes()).err();
                written += 1;
            }
            Ok::<(), report::Error>(())
        })?;
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    ui::status(&format!("wrote {written} pages of run {run_id} to {}", context.shown(&folder)));
    Ok(Ended::Done)
}

/// The run that was named, or the only one there is.
fn chosen(warehouse: &Warehouse, named: Option<&str>) -> Result<String> {
    let runs = warehouse.query("reports/summary_runs", &[])?;
    let known: Vec<String> = runs
        .rows
        .iter()
        .map(|row| Ok(row.text("run_id")?.to_owned()))
        .collect::<Result<_, crate::warehouse::Error>>()?;
    match (named, known.as_slice()) {
        (Some(named), known) if known.iter().any(|run| run == named) => Ok(named.to_owned()),
        (None, [only]) => Ok(only.clone()),
        (_, []) => Err(Failure::new(Kind::Input, "there is no run yet").hint("`ragsql run` makes one")),
        (Some(named), known) => {
            let hint = format!("runs there are: {}", known.join(", "));
            Err(Failure::new(Kind::Input, format!("there is no run `{named}`")).hint(hint))
        }
        (None, known) => Err(Failure::new(Kind::Input, "there are several runs; name one")
            .hint(format!("runs there are: {}", known.join(", ")))),
    }
}
