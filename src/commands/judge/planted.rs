//! What judges made of planted answers, told when a panel is done.
//!
//! Reads verdicts and evidence through the statements of the audit; warns, and counts nothing itself.

use crate::commands::context::Context;
use crate::error::Result;
use crate::ui;
use crate::warehouse::{Keep, Tail, Warehouse, file_key};
use std::path::Path;

/// Warns of every judge that fell for planted answers. A copy is compared only when the answers stand in `evidence`.
pub fn tell(context: &Context, evidence: &Path, verdicts: &Path) -> Result<()> {
    let warehouse = Warehouse::in_memory(&context.catalogue)?;
    if evidence.exists() {
        warehouse.ingest_evidence(evidence, Tail::Take, Keep::Everything)?;
    }
    warehouse.ingest_verdicts(verdicts)?;
    let asked = [("panel_file", file_key(verdicts).as_str().into())];
    for row in warehouse.query("metrics/audit_canaries", &asked)?.rows {
        let (passed_n, scored_n) = (row.integer("passed_n")?, row.integer("scored_n")?);
        if passed_n < scored_n {
            let (judge, canary) = (row.text("judge")?, row.text("canary")?);
            ui::warning(&format!("{judge} saw through {passed_n} of {scored_n} planted answers `canary/{canary}`"));
        }
    }
    for row in warehouse.query("metrics/audit_duplicates", &asked)?.rows {
        let (equal_n, compared_n) = (row.integer("equal_n")?, row.integer("compared_n")?);
        if equal_n < compared_n {
            let judge = row.text("judge")?;
            ui::warning(&format!(
                "{judge} scored {equal_n} of {compared_n} planted copies like the answer they repeat"
            ));
        }
    }
    Ok(())
}
