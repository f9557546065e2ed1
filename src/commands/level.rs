//! The warehouse file kept level with everything a project knows: evidence, judgments, verdicts, facts of the questions.

use super::context::Context;
use super::import::row_files;
use crate::error::Result;
use crate::experiment::load::{Experiment, Files};
use crate::experiment::manifest::JudgePanel;
use crate::ui;
use crate::warehouse::{self, Error, Family, QuestionFacts, Subject, Warehouse};
use std::path::{Path, PathBuf};

/// Brings the warehouse file level; says what kept it from being so when another process has it open.
///
/// A file that cannot be read is warned of and leaves the others alone.
pub fn level(context: &Context) -> Result<Option<Error>> {
    level_at(context, &context.warehouse_file())
}

/// The same for a database of any name.
pub fn level_at(context: &Context, database: &Path) -> Result<Option<Error>> {
    let evidence = row_files(&context.results())?;
    let synced = match warehouse::sync(database, &evidence, &context.catalogue) {
        Ok(synced) => synced,
        Err(error @ Error::Busy { .. }) => return Ok(Some(error)),
        Err(error) => return Err(error.into()),
    };
    for (path, result) in synced.files {
        if let Err(error) = result {
            ui::warning(&format!("{} is not in the warehouse: {error}", context.shown(&path)));
        }
    }
    let warehouse = match Warehouse::open(database, &context.catalogue) {
        Ok(warehouse) => warehouse,
        Err(error @ Error::Busy { .. }) => return Ok(Some(error)),
        Err(error) => return Err(error.into()),
    };
    for path in &evidence {
        add_panel(&warehouse, path)?;
    }
    add_facts(context, &warehouse)?;
    Ok(None)
}

/// The panel's files of one evidence file, as far as there are any.
fn add_panel(warehouse: &Warehouse, evidence: &Path) -> Result<()> {
    let judgments = judgments_of(evidence);
    if judgments.exists() {
        warehouse.ingest_judgments(&judgments, warehouse.judged_run(&judgments)?.as_deref())?;
    }
    let verdicts = crate::panel::store::Store::beside(&judgments);
    if verdicts.exists() {
        warehouse.ingest_verdicts(&verdicts)?;
    }
    Ok(())
}

/// Where the panel's artifact of an evidence file lies once there is one.
pub fn judgments_of(evidence: &Path) -> PathBuf {
    let stem = evidence.file_stem().unwrap_or_default().to_string_lossy();
    evidence.with_file_name(format!("{stem}-judgments.json"))
}

/// The families that a manifest declares.
pub fn families(panel: &JudgePanel) -> Vec<Family> {
    let of = |subject: Subject, declared: &[(String, String)]| -> Vec<Family> {
        let family = |(name, family): &(String, String)| Family { subject, name: name.clone(), family: family.clone() };
        declared.iter().map(family).collect()
    };
    [of(Subject::Judge, &panel.judge_families), of(Subject::Approach, &panel.approach_families)].concat()
}

/// What the question files say about their questions. A project without readable experiment files has no facts.
fn add_facts(context: &Context, warehouse: &Warehouse) -> Result<()> {
    let Ok(experiment) = Experiment::load(&context.project, &Files::default()) else { return Ok(()) };
    warehouse.store_families(&families(&experiment.manifest.judge_panel))?;
    for dataset in &experiment.datasets {
        let Ok(file) = experiment.load_questions(dataset) else { continue };
        let corpus = dataset.corpus_path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let facts: Vec<QuestionFacts> = file
            .questions
            .iter()
            .map(|question| QuestionFacts {
                question_id: question.id.clone(),
                kind: question.kind.clone(),
                topic: None,
                relevant_sources: question.relevant_sources.clone(),
            })
            .collect();
        warehouse.store_question_facts(&dataset.id, &corpus, &facts)?;
    }
    Ok(())
}
