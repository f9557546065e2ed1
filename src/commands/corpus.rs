//! `ragsql corpus build`: a corpus from a public data set.

use super::Ended;
use super::context::Context;
use crate::adapters::attack::{self, BuildOptions};
use crate::cli::{AttackArgs, CorpusArgs, CorpusCommand, CorpusSource};
use crate::error::Result;
use crate::ui;

/// Builds what was asked for.
pub fn corpus(context: &Context, arguments: &CorpusArgs) -> Result<Ended> {
    let CorpusCommand::Build { source: CorpusSource::Attack(arguments) } = &arguments.command;
    attack(context, arguments)
}

fn attack(context: &Context, arguments: &AttackArgs) -> Result<Ended> {
    let templates = Some(context.project.join("templates")).filter(|folder| folder.is_dir());
    let options = BuildOptions { limit: arguments.limit, templates };
    let output = context.path(&arguments.output);
    let report = attack::build(&context.path(&arguments.from), &output, &options)?;
    for kind in &report.kinds {
        ui::data(&format!("{:<12}{} of {}\n", kind.kind.word(), kind.dossiers_n, kind.objects_n));
    }
    let version = report.version.as_deref().map_or(String::new(), |version| format!(" of version {version}"));
    ui::status(&format!("wrote {} dossiers{version} to {}", report.dossiers.len(), context.shown(&output)));
    Ok(Ended::Done)
}
