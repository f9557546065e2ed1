//! `ragsql dataset add`: a public benchmark becomes documents, questions and an entry of the catalogue.

use super::Ended;
use super::context::Context;
use super::output::write_whole;
use crate::adapters::benchmark::{self, Layout};
use crate::cli::own::{DatasetAddArgs, DatasetArgs, DatasetCommand, LayoutArg};
use crate::error::{Failure, Kind, Result};
use crate::experiment::load::{Experiment, Files};
use crate::ui;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Does what was asked for.
pub fn dataset(context: &Context, arguments: &DatasetArgs) -> Result<Ended> {
    let DatasetCommand::Add(arguments) = &arguments.command;
    add(context, arguments)
}

fn add(context: &Context, arguments: &DatasetAddArgs) -> Result<Ended> {
    check_id(&arguments.id)?;
    let experiment = Experiment::load(&context.project, &Files::default())?;
    let id = &arguments.id;
    if experiment.datasets.iter().any(|dataset| dataset.id == *id) {
        return Err(Failure::new(Kind::Input, format!("the catalogue lists a dataset `{id}` already")));
    }
    let layout = match arguments.layout {
        LayoutArg::Beir => Layout::Beir,
        LayoutArg::Hotpotqa => Layout::HotpotQa,
        LayoutArg::Squad => Layout::Squad,
        LayoutArg::MultihopRag => Layout::MultiHopRag,
    };
    let mut collected = benchmark::collect(layout, &context.path(&arguments.from), &arguments.split)?;
    if let Some(limit) = arguments.limit {
        collected.questions.truncate(limit as usize);
    }
    let (corpus, questions) = (format!("corpus/{id}"), format!("demo/{id}_queries.jsonl"));
    // Datasets start at the manifest's root, which need not be the project.
    let root = experiment.manifest.root.clone();
    benchmark::write(&collected, &root.join(&corpus), &root.join(&questions))?;
    let label = arguments.label.clone().unwrap_or_else(|| id.clone());
    let entry = entry(context, id, &label, &corpus, &questions)?;
    enter(context, &experiment.manifest.datasets_file, id, &entry)?;

    for note in &collected.notes {
        ui::status(&format!("  {note}"));
    }
    let (documents_n, questions_n) = (collected.documents().len(), collected.questions.len());
    ui::status(&format!("wrote {documents_n} documents to {corpus} and {questions_n} questions to {questions}"));
    ui::status(&format!("next: ragsql run --dataset {id}"));
    Ok(Ended::Done)
}

/// A dataset's id becomes a folder and the name of an ingestion profile.
pub fn check_id(id: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if id.starts_with(plain) && id.chars().all(|c| plain(c) || matches!(c, '.' | '_' | '-')) {
        return Ok(());
    }
    Err(Failure::new(Kind::Input, format!("`{id}` cannot be the id of a dataset"))
        .hint("use a-z and 0-9, then also `.`, `_` and `-`"))
}

/// The entry of the catalogue, without a final line feed. Texts are quoted as JSON, which YAML reads as it is.
pub fn entry(context: &Context, id: &str, label: &str, corpus: &str, questions: &str) -> Result<String> {
    let quoted = |text: &str| json!(text).to_string();
    let values =
        json!({"id": quoted(id), "label": quoted(label), "corpus": quoted(corpus), "questions": quoted(questions)});
    Ok(context.templates.render("project/dataset.yaml.j2", &values)?.trim_end().to_owned())
}

/// Adds an entry at the end of the catalogue; a catalogue that cannot take it there is left as it was.
fn enter(context: &Context, catalogue: &Path, id: &str, entry: &str) -> Result<()> {
    let io = |error: std::io::Error| {
        Failure::new(Kind::Outside, format!("cannot read `{}`: {error}", context.shown(catalogue)))
    };
    let before = std::fs::read_to_string(catalogue).map_err(io)?;
    let first_item = before.lines().find(|line| line.trim_start().starts_with("- "));
    let indent = first_item.map_or(2, |line| line.len() - line.trim_start().len());
    let entry: String = entry.lines().map(|line| format!("{:indent$}{}\n", "", &line[2.min(line.len())..])).collect();
    write_whole(catalogue, format!("{}\n\n{entry}", before.trim_end()).as_bytes())?;
    let listed = |experiment: &Experiment| {
        let dataset = experiment.datasets.iter().find(|dataset| dataset.id == id).cloned();
        dataset.is_some_and(|dataset| experiment.load_questions(&dataset).is_ok())
    };
    if Experiment::load(&context.project, &Files::default()).is_ok_and(|experiment| listed(&experiment)) {
        return Ok(());
    }
    write_whole(catalogue, before.as_bytes())?;
    let shown: PathBuf = context.shown(catalogue).into();
    Err(Failure::new(Kind::Input, format!("the entry cannot be put at the end of `{}`", shown.display()))
        .hint(format!("documents and questions are written; add this under `datasets:` yourself:\n{entry}")))
}
