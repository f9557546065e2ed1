//! `ragsql compare`: one run held against another, question by question. Calls nobody and writes nothing.

use super::Ended;
use super::context::Context;
use super::runs::Runs;
use crate::cli::CompareArgs;
use crate::error::{Failure, Kind, Result};
use crate::experiment::problem::correction;
use crate::json;
use crate::report::Error;
use crate::report::comparison::{Comparison, Scope};
use crate::ui;
use crate::warehouse::Warehouse;

/// Shows what differs between two runs, then the paired changes.
pub fn compare(context: &Context, arguments: &CompareArgs) -> Result<Ended> {
    let (baseline, candidate) = (&arguments.baseline, &arguments.candidate);
    let runs = Runs::open(context)?;
    runs.refuse_unknown(baseline)?;
    runs.refuse_unknown(candidate)?;
    if baseline == candidate {
        let failure =
            Failure::new(Kind::Input, format!("`{baseline}` is held against itself, so nothing could differ"));
        return Err(failure.hint("name two runs; `ragsql run --run-id NAME` makes another"));
    }
    let warehouse = runs.warehouse(context)?;
    let scope = Scope {
        baseline: baseline.clone(),
        candidate: candidate.clone(),
        metric: arguments.metric.clone(),
        approach: arguments.approach.clone(),
        dataset: arguments.dataset.clone(),
    };
    let found = match Comparison::read(&warehouse, scope) {
        Err(Error::NoRows) => return Err(nothing_named_so(&warehouse, arguments)?),
        found => found?,
    };
    if !found.shares_a_question()? {
        let message = format!("`{baseline}` and `{candidate}` share no question of one dataset and approach");
        return Err(Failure::new(Kind::Input, message).hint(coverage(&warehouse, arguments)?));
    }
    let text = if arguments.json {
        json::pretty(&found.document()).map_err(|error| Failure::new(Kind::Outside, error))? + "\n"
    } else {
        found.render(&context.templates, ui::width())?
    };
    ui::data(&text);
    Ok(Ended::Done)
}

/// What each of the two runs asked, for whoever finds that they have nothing in common.
fn coverage(warehouse: &Warehouse, arguments: &CompareArgs) -> Result<String> {
    let mut told = Vec::new();
    for run in [&arguments.baseline, &arguments.candidate] {
        let found = warehouse.query("reports/run_scopes", &[("run_id", run.as_str().into())])?;
        let scopes: Vec<String> = found
            .rows
            .iter()
            .map(|row| Ok(format!("{} by {}", row.text("dataset_id")?, row.text("approaches")?)))
            .collect::<Result<_, crate::warehouse::Error>>()?;
        told.push(format!("{run} asked {}", scopes.join("; ")));
    }
    Ok(told.join(" · "))
}

/// Why there is no row: an option names something that neither run has.
fn nothing_named_so(warehouse: &Warehouse, arguments: &CompareArgs) -> Result<Failure> {
    let named = [("metric", &arguments.metric), ("approach", &arguments.approach), ("dataset", &arguments.dataset)];
    let (baseline, candidate) = (arguments.baseline.as_str(), arguments.candidate.as_str());
    let runs = [("baseline_run_id", baseline.into()), ("candidate_run_id", candidate.into())];
    let known = warehouse.query("reports/run_names", &runs)?;
    for (what, name) in named.iter().filter_map(|(what, name)| Some((*what, name.as_ref()?))) {
        let mut names = Vec::new();
        for row in known.rows.iter().filter(|row| row.text("kind").is_ok_and(|kind| kind == what)) {
            names.push(row.text("name")?.to_owned());
        }
        if !names.contains(name) {
            let message = format!("neither run has the {what} `{name}`");
            return Ok(Failure::new(Kind::Input, message).hint(correction(name, &names)));
        }
    }
    Ok(Failure::new(Kind::Input, "neither run has that metric, approach and dataset together"))
}
