//! `reproducibility` of every row of a run: gathered once, compared on resume.

use super::connections;
use super::target::Target;
use crate::commands::context::{Context, Selected};
use crate::commands::judge::{declared, environment, where_answers_came_from};
use crate::commands::variable;
use crate::error::{Failure, Kind, Result};
use crate::evidence::provenance::{GatewayInputs, JudgeInputs, RuntimeInputs, git_state, runtime};
use crate::evidence::row::{Reproducibility, row_id};
use crate::evidence::store::Store;
use crate::experiment::load::Experiment;
use crate::json;
use crate::panel::settings;
use serde_json::Value;

/// Gathers everything an answer depends on beside the question and the approach.
pub fn collect(
    context: &Context,
    experiment: &Experiment,
    selected: &Selected,
    target: &Target,
    run_id: &str,
    store: &Store,
) -> Result<Reproducibility> {
    let roles = target.roles();
    let inputs = RuntimeInputs {
        project: variable("PROJECT_NAME").unwrap_or_else(|| "ragsql".to_owned()),
        project_git: git_state(&context.project, &[&context.results()])?,
        llm_provider: target.answer_provider().map(str::to_owned),
        judge_panel: judges(experiment, target)?,
        gateway: GatewayInputs {
            kind: target.provider().to_owned(),
            url: target.base().map(str::to_owned),
            roles,
            models: inventory(target, selected, run_id, store)?,
            approaches: connections::described(experiment, selected),
        },
    };
    Ok(Reproducibility {
        seed: experiment.manifest.run.seed.clone(),
        config_hashes: experiment.config_hashes(&selected.file),
        ingestion: target.ingestion(),
        runtime: runtime(&inputs),
    })
}

/// The judges as the panel would resolve them, so that a run without judges stops before its first call.
pub fn judges(experiment: &Experiment, target: &Target) -> Result<JudgeInputs> {
    let declared = declared(&experiment.manifest.judge_panel);
    let environment = where_answers_came_from(&declared, environment(), target.base())?;
    let resolved = settings::provenance(&declared, &environment)?;
    let text = |key: &str| resolved.get(key).and_then(Value::as_str).map(str::to_owned);
    let models = resolved.get("models").and_then(Value::as_array);
    Ok(JudgeInputs {
        endpoint: text("endpoint"),
        models: models.into_iter().flatten().filter_map(|model| model.as_str().map(str::to_owned)).collect(),
        thinking: resolved.get("thinking").and_then(Value::as_bool),
    })
}

/// What the gateway offers. A resumed run keeps what its first row recorded: a foreign list may grow meanwhile.
fn inventory(target: &Target, selected: &Selected, run_id: &str, store: &Store) -> Result<Option<Vec<String>>> {
    if matches!(target, Target::Foreign(_)) {
        for cell in &selected.cells {
            let id = row_id(run_id, &cell.dataset.id, &cell.question.id, &cell.profile.alias);
            if let Some(line) = store.line(&id)? {
                return recorded_inventory(&line);
            }
        }
    }
    target.inventory()
}

/// `reproducibility.runtime.gateway.models` of a stored row; null when it has none.
fn recorded_inventory(line: &str) -> Result<Option<Vec<String>>> {
    let row = json::parse_strict(line)
        .map_err(|error| Failure::new(Kind::Input, format!("a stored row cannot be read: {error}")))?;
    let models = row.pointer("/reproducibility/runtime/gateway/models").and_then(Value::as_array);
    Ok(models.map(|models| models.iter().filter_map(|model| model.as_str().map(str::to_owned)).collect()))
}
