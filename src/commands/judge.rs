//! `ragsql judge`: the blinded panel over stored answers.

mod planted;

use super::audit::audit;
use super::context::{Context, relative_default};
use super::gateway::{Embedded, Started, ephemeral};
use super::interrupt::Interrupt;
use super::output::write_whole;
use super::run::artifacts;
use super::run::files::RunFiles;
use super::{Ended, runtime, variable};
use crate::cli::JudgeArgs;
use crate::error::{Failure, Kind, Result};
use crate::experiment::dataset::Dataset;
use crate::experiment::load::{Experiment, Files};
use crate::experiment::manifest::{JudgeOrder, JudgePanel};
use crate::json;
use crate::panel::input::Input;
use crate::panel::order::OrderRule;
use crate::panel::plan::{Limits, Plan};
use crate::panel::prompt::Template;
use crate::panel::run::{Outcome, run};
use crate::panel::settings::{self, Address, Declared, EMBEDDED, Environment, Gateways};
use crate::panel::store::Store;
use crate::panel::{artifact, tally};
use crate::ui;
use std::path::Path;

/// Judges what is not judged yet, writes the judgments, and joins them to the summary.
pub fn judge(context: &Context, arguments: &JudgeArgs) -> Result<Ended> {
    let manifest = relative_default(&arguments.manifest, "compare/evaluation.yaml");
    let experiment = Experiment::load(&context.project, &Files { manifest, ..Files::default() })?;
    let dataset = experiment.resolve_dataset(arguments.dataset.as_deref(), None)?;
    let mut files = RunFiles::of_run(context, arguments.run_id.as_deref().unwrap_or(&dataset.id))?;
    if let Some(file) = &arguments.matrix_file {
        files.matrix = context.artifact(file);
    }
    let results = match &arguments.results_file {
        Some(file) => context.artifact(file),
        None => files.judgments(),
    };
    if arguments.audit {
        return audit(context, &experiment, &files, &results, arguments.json);
    }
    let panel = Judging { context, experiment: &experiment, dataset: &dataset, files: &files, results: &results };
    let ended = panel.carry_out(arguments, true)?;
    if ended == Ended::Interrupted {
        ui::status("stopped: every verdict heard so far is on disk; run the same command again to go on");
    }
    Ok(ended)
}

/// Whose answers are judged, and where the judgments go.
pub struct Judging<'a> {
    /// The project.
    pub context: &'a Context,
    /// Names the panel.
    pub experiment: &'a Experiment,
    /// What the answers are about.
    pub dataset: &'a Dataset,
    /// The run.
    pub files: &'a RunFiles,
    /// The judgments.
    pub results: &'a Path,
}

impl Judging<'_> {
    /// Hears every judge on every question, writes the judgments, and makes the run's summary again with them.
    ///
    /// Only the panel's options are taken from the arguments.
    pub fn carry_out(&self, arguments: &JudgeArgs, prints_tables: bool) -> Result<Ended> {
        let Self { context, experiment, dataset, files, results } = *self;
        let (input, base) = read_matrix(context, &files.matrix)?;
        let declared = declared(&experiment.manifest.judge_panel);
        let given =
            Environment { models: arguments.models.clone(), endpoint: arguments.endpoint.clone(), ..environment() };
        let environment = where_answers_came_from(&declared, given, base.as_deref())?;
        let Some(settings) = settings::resolve(&declared, &environment)? else {
            write_whole(results, encoded(&artifact::disabled(&input))?.as_bytes())?;
            ui::status(&format!("the judge panel is switched off; wrote {}", context.shown(results)));
            return Ok(Ended::Done);
        };
        let plan = Plan {
            order: order(arguments.order.as_deref(), experiment),
            with_canaries: arguments.canaries,
            asks_unscored_again: arguments.ask_again,
            limits: Limits { concurrency: usize::from(arguments.concurrency), ..Limits::default() },
            input,
            settings,
        };
        let calls = plan.settings.judges.len() * plan.input.questions.len();
        ui::status(&format!(
            "ragsql judge      {} · {} judges x {} questions = {calls} verdicts · {}",
            dataset.id,
            plan.settings.judges.len(),
            plan.input.questions.len(),
            plan.settings.endpoint,
        ));
        let embedded = match plan.settings.backend {
            EMBEDDED => Some(Embedded::without_documents(context, experiment, dataset)?),
            _ => None,
        };
        let panel = Panel { plan: &plan, declared: &declared, environment: &environment, embedded: embedded.as_ref() };
        let Some(outcome) = runtime()?.block_on(panel.ask(&Store::beside(results)))? else {
            return Ok(Ended::Interrupted);
        };
        let judgments = artifact::judgments(&plan.input, &plan.settings, &outcome.verdicts);
        write_whole(results, encoded(&judgments)?.as_bytes())?;
        let tables = if files.evidence.exists() && *results == files.judgments() {
            artifacts::summarize_judged(context, files, &dataset.id)?
        } else {
            String::new()
        };
        if prints_tables {
            ui::data(&tables);
        }
        let ended = tell(context, &plan, &outcome, results);
        if plan.with_canaries {
            planted::tell(context, &files.evidence, &Store::beside(results))?;
        }
        Ok(ended)
    }
}

/// What is needed to reach the judges.
struct Panel<'a> {
    plan: &'a Plan,
    declared: &'a Declared,
    environment: &'a Environment,
    embedded: Option<&'a Embedded>,
}

impl Panel<'_> {
    /// Asks until everything is heard; null when somebody pressed Ctrl-C.
    async fn ask(&self, sidecar: &Path) -> Result<Option<Outcome>> {
        let mut interrupt = Interrupt::listen()?;
        let started = match self.embedded {
            Some(embedded) => Some(embedded.start(ephemeral(), None).await?),
            None => None,
        };
        let address = self.address(started.as_ref())?;
        let template = Template::built_in()?;
        let heard = run(self.plan, &address, &template, sidecar, &|verdict| {
            tracing::info!(judge = verdict.judge, question = verdict.question_id, "verdict");
        });
        let outcome = tokio::select! {
            outcome = heard => Some(outcome?),
            () = interrupt.heard() => None,
        };
        if let Some(started) = started {
            started.stop().await;
        }
        Ok(outcome)
    }

    fn address(&self, started: Option<&Started>) -> Result<Address> {
        let chat = |base: String| Address { url: format!("{base}/v1/chat/completions"), api_key: None };
        let atlas = variable("LITELLM_PORT").map(|port| Address {
            api_key: variable("LITELLM_MASTER_KEY"),
            ..chat(format!("http://localhost:{port}"))
        });
        let embedded = started.map(|started| chat(format!("http://{}", started.address())));
        let gateways = Gateways { atlas, embedded };
        Ok(settings::address(&self.plan.settings, self.declared, self.environment, &gateways)?)
    }
}

/// The panel as the manifest declares it.
pub fn declared(panel: &JudgePanel) -> Declared {
    Declared {
        enabled: panel.enabled,
        endpoint: panel.endpoint.clone(),
        temperature: panel.temperature,
        thinking: panel.thinking,
        models: panel.models.clone(),
    }
}

/// The `JUDGE_*` variables. An empty `JUDGE_THINK` counts as set.
pub fn environment() -> Environment {
    Environment {
        models: variable("JUDGE_MODELS"),
        endpoint: variable("JUDGE_ENDPOINT"),
        api_key: variable("JUDGE_API_KEY"),
        think: std::env::var("JUDGE_THINK").ok(),
    }
}

/// Directs a panel that is declared for the embedded gateway to the gateway that was measured (its base URL).
///
/// The built-in judges answer on the embedded gateway only, so another gateway's models must be named: an error if not.
pub fn where_answers_came_from(
    declared: &Declared,
    mut environment: Environment,
    base: Option<&str>,
) -> Result<Environment> {
    let is_embedded = declared.endpoint.as_deref() == Some(EMBEDDED) && environment.endpoint.is_none();
    if let (Some(base), true, true) = (base, declared.enabled, is_embedded) {
        if environment.models.is_none() {
            return Err(Failure::new(Kind::Input, "JUDGE_MODELS is not set and the judge panel is enabled").hint(
                "name judges with JUDGE_MODELS, or say `enabled: false` under `metrics.judge_panel`; nothing was called",
            ));
        }
        environment.endpoint = Some(format!("{base}/v1/chat/completions"));
    }
    Ok(environment)
}

fn order(given: Option<&str>, experiment: &Experiment) -> OrderRule {
    let named = given.and_then(|word| JudgeOrder::CHOICES.iter().find(|(name, _)| *name == word));
    match named.map_or(experiment.manifest.judge_panel.order, |(_, order)| *order) {
        JudgeOrder::Stable => OrderRule::Stable,
        JudgeOrder::PerJudge => OrderRule::PerJudge { seed: experiment.manifest.run.seed.clone() },
        JudgeOrder::Swap => OrderRule::Swap,
    }
}

/// The answers, and the base URL of the gateway they came from; null for the embedded one.
fn read_matrix(context: &Context, file: &Path) -> Result<(Input, Option<String>)> {
    let name = context.shown(file);
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::new(Kind::Input, format!("`{name}` cannot be read: {error}")).hint("`ragsql run` writes it")
    })?;
    let matrix = json::parse_strict(&text)
        .map_err(|error| Failure::new(Kind::Input, format!("`{name}` is no JSON: {error}")))?;
    let base = matrix.get("base").and_then(|base| base.as_str()).map(str::to_owned);
    Ok((Input::from_matrix(&matrix)?, base))
}

fn encoded(document: &serde_json::Value) -> Result<String> {
    artifact::encode(document).map_err(|error| Failure::new(Kind::Outside, error))
}

/// Says how each judge did; a panel with gaps is told, and ends with exit code 1.
fn tell(context: &Context, plan: &Plan, outcome: &Outcome, results: &Path) -> Ended {
    let mut complete = true;
    for judge in tally::tally(&plan.settings.judges, &outcome.verdicts) {
        complete &= judge.is_complete();
        let reasons: Vec<String> = judge
            .verdict_reasons
            .iter()
            .chain(&judge.score_reasons)
            .take(3)
            .map(|(reason, count)| format!("{} x {count}", reason.as_str()))
            .collect();
        let why = if reasons.is_empty() { String::new() } else { format!(" · {}", reasons.join(", ")) };
        ui::status(&format!("  {:<28}{}/{} verdicts whole{why}", judge.judge, judge.scored, judge.total));
    }
    ui::status(&format!("  calls           {} made, {} verdicts reused", outcome.calls, outcome.reused));
    ui::status(&format!("  judgments       {}", context.shown(results)));
    if complete { Ended::Done } else { Ended::WithFailures }
}
