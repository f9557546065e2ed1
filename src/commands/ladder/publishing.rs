//! The files of one dataset put into force.

use super::plan::{Plan, Rung};
use super::tier::expectation;
use crate::commands::context::Context;
use crate::commands::run::Prepared;
use crate::error::{Failure, Result};
use crate::ladder::gates::{self, Gate};
use crate::ladder::names::Artifact;
use crate::ui;
use std::path::Path;

/// Publishes a rung whose tiers have passed their gates. The copies pass all of them once more before they count.
pub fn publish(context: &Context, plan: &Plan, rung: &Rung) -> Result<()> {
    let publication = plan.publication(context, rung);
    let place = publication.publish(|staging| validate(context, rung, staging), &mut |step| {
        tracing::info!(?step, dataset = rung.dataset.id, "publication");
    })?;
    let files_n = publication.sources.len();
    ui::status(&format!("  published       {} ({files_n} files)", context.shown(&place)));
    Ok(())
}

fn validate(context: &Context, rung: &Rung, staging: &Path) -> Result<(), Failure> {
    for tier in rung.tiers.iter().filter(|tier| !tier.is_published) {
        let prepared = Prepared::new(context, &tier.arguments)?;
        let named = |artifact: Artifact| staging.join(artifact.file_name(&tier.files.run_id));
        let files = gates::Files {
            matrix: named(Artifact::Matrix),
            evidence: named(Artifact::Evidence),
            evaluation: named(Artifact::Evaluation),
            judgments: named(Artifact::Judgments),
        };
        gates::pass(&context.catalogue, &expectation(&prepared, rung, tier)?, &files, &Gate::ALL)?;
    }
    Ok(())
}
