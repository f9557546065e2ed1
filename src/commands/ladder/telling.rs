//! What a person hears during a ladder, and the table at its end.

use super::plan::{Plan, Rung};
use crate::commands::report::{Material, Refreshed};
use crate::error::Result;
use crate::report::ladder;
use crate::ui;

/// Says what will be done.
pub fn header(plan: &Plan) {
    let rungs = plan.rungs.len();
    let tiers = plan.rungs.iter().flat_map(|rung| &rung.tiers);
    let cells: usize = tiers.map(|tier| tier.questions_n * tier.approaches_n).sum();
    let datasets = if rungs == 1 { "1 dataset".to_owned() } else { format!("{rungs} datasets") };
    let has_flavors = plan.rungs.iter().any(|rung| rung.tiers.len() > 1);
    let tiers = if has_flavors { "base and flavor tiers" } else { "base tier" };
    ui::status(&format!(
        "ragsql ladder     {} · {datasets} · {tiers} = {cells} cells · gateway {}",
        plan.stamp, plan.gateway
    ));
}

/// Says that a rung needs nothing more.
pub fn published_already(rung: &Rung) {
    ui::status(&format!("{:<17} published already", rung.dataset.id));
}

/// Says which pages were made again.
pub fn pages(refreshed: &Refreshed) {
    if !refreshed.written.is_empty() {
        ui::status(&format!("  pages           docs/{}", refreshed.written.join(", docs/")));
    }
}

/// Says what the leaderboards still miss when the ladder ends.
pub fn waiting(refreshed: &Refreshed) {
    let Some(first) = refreshed.waits_for.first() else { return };
    let more = match refreshed.waits_for.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    ui::warning(&format!("docs/evaluation-results.md waits for more: {first}{more}"));
    ui::hint("the leaderboards need both tiers of every measured dataset; --include-flavor-tier measures the flavors");
}

/// The published rungs as a table, with what to do next.
pub fn outcome(material: &Material, plan: &Plan) -> Result<String> {
    let warehouse = material.warehouse(crate::report::page::About::Published)?;
    Ok(ladder::outcome(&warehouse, &material.context.templates, &plan.stamp, ui::width())?)
}
