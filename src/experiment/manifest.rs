//! `compare/evaluation.yaml` as checked values (`contract/evaluation.md` section 1.1).

use super::document::{Document, Entry, Node};
use super::fields::{Check, Fields, NumberRange};
use super::gate::{self, Gate};
use super::paths;
use super::problem::{Problem, Problems, quoted};
use std::path::{Path, PathBuf};

/// The Ragas metrics that can be asked for.
pub const RAGAS_METRICS: [&str; 4] = ["faithfulness", "answer_relevancy", "context_precision", "context_recall"];

/// What an approach hands out beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceCapability {
    /// Contexts do not count as evidence even when sources are shown.
    AnswerOnly,
    /// The retrieved contexts are evidence and can be scored.
    AnswerWithContexts,
}

impl EvidenceCapability {
    /// The word used in files and rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AnswerOnly => "answer_only",
            Self::AnswerWithContexts => "answer_with_contexts",
        }
    }
}

/// One base approach of the experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approach {
    /// The alias asked for at the gateway.
    pub model: String,
    /// Whether its contexts can be scored.
    pub evidence: EvidenceCapability,
}

/// The blinded judges.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgePanel {
    /// Off means no judge is ever called.
    pub enabled: bool,
    /// `atlas-litellm`, a chat completions URL, or null when disabled.
    pub endpoint: Option<String>,
    /// 0..=2.
    pub temperature: f64,
    /// The `think` switch; null leaves it out.
    pub thinking: Option<bool>,
    /// Judge model names, no repeats.
    pub models: Vec<String>,
    /// In which order a judge sees the answers.
    pub order: JudgeOrder,
    /// Family by judge model, for whoever asks whether judges favour their own. Declared, never guessed from a name.
    pub judge_families: Vec<(String, String)>,
    /// Family by approach: that of the model that writes its answers.
    pub approach_families: Vec<(String, String)>,
}

/// How answers are ordered for a judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JudgeOrder {
    /// The same for every judge, from the question's id.
    #[default]
    Stable,
    /// Drawn for each question and judge from the run's seed.
    PerJudge,
    /// The stable order and its reverse, one call each.
    Swap,
}

impl JudgeOrder {
    /// Every word with its meaning.
    pub const CHOICES: [(&str, Self); 3] =
        [("stable", Self::Stable), ("per_judge", Self::PerJudge), ("swap", Self::Swap)];
}

/// How cells are run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// Further attempts after the first, 0..=10.
    pub retries: u32,
    /// Total deadline of one attempt in seconds, 0 < t <= 3600.
    pub timeout_s: f64,
    /// Total deadline of one scoring attempt in seconds, 0 < t <= 3600.
    pub evaluator_timeout_s: f64,
    /// Cells in flight, 1..=32.
    pub concurrency: usize,
    /// Recorded in every row; part of what resume compares.
    pub seed: String,
}

/// The whole manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// Absolute path of the file itself.
    pub file: PathBuf,
    /// Absolute base of dataset paths.
    pub root: PathBuf,
    /// Absolute path of `datasets.yaml`.
    pub datasets_file: PathBuf,
    /// In file order, unique.
    pub approaches: Vec<Approach>,
    /// Ragas metric names as listed, repeats included.
    pub ragas: Vec<String>,
    /// The judges.
    pub judge_panel: JudgePanel,
    /// How cells are run.
    pub run: RunSettings,
    /// What a candidate run has to hold; null when the file does not say.
    pub gate: Option<Gate>,
}

/// What could be read of a manifest: the paths are there even when another part is wrong, so that the files they
/// name are checked in the same go.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// Null when a problem was recorded.
    pub manifest: Option<Manifest>,
    /// Absolute base of dataset paths.
    pub root: Option<PathBuf>,
    /// Absolute path of `datasets.yaml`, and what to say when there is no such file.
    pub datasets_file: Option<(PathBuf, Problem)>,
}

/// Checks a manifest that was read from `file` (absolute). Names in problems are relative to `project`. Defaults and ranges: `contract/evaluation.md` section 1.1.
pub(super) fn load(document: &Document, file: &Path, project: &Path, problems: &mut Problems) -> Loaded {
    let Some(root) = &document.root else {
        problems.add(Problem::file(&document.source.file, "the file is empty; a manifest is a mapping"));
        return Loaded::default();
    };
    let check = &mut Check::new(document, problems);
    let known = ["version", "root", "datasets_file", "approaches", "metrics", "run", "gate"];
    let Some(fields) = Fields::open(root, "manifest", &known, check) else { return Loaded::default() };
    let folder = file.parent().unwrap_or(Path::new("/"));

    let version = fields.required("version", check, |c, n, k| c.integer(n, k, 1..=1));
    let root = fields.optional("root", ".".to_owned(), check, Check::text).map(|text| paths::resolve(folder, &text));
    let datasets_file = fields.required("datasets_file", check, |check, node, name| {
        let path = paths::resolve(folder, check.text(node, name)?);
        let named = quoted(&paths::display(project, &path));
        Some((path, document.source.problem(node.place, format!("the catalogue {named} does not exist"))))
    });
    let approaches = fields.required("approaches", check, approaches);
    let metrics = fields.required("metrics", check, |check, node, _| metrics(node, check));
    let run = fields.required("run", check, |check, node, _| run(node, check));
    let gate = match fields.entry("gate") {
        Some(entry) => gate::load(check, entry, document).map(Some),
        None => Some(None),
    };

    let manifest = (|| {
        version?;
        let (ragas, judge_panel) = metrics?;
        Some(Manifest {
            file: file.to_owned(),
            root: root.clone()?,
            datasets_file: datasets_file.clone()?.0,
            approaches: approaches?,
            ragas,
            judge_panel,
            run: run?,
            gate: gate?,
        })
    })();
    Loaded { manifest, root, datasets_file }
}

fn approaches(check: &mut Check, node: &Node, name: &str) -> Option<Vec<Approach>> {
    let nodes = check.list(node, name)?;
    if nodes.is_empty() {
        check.refuse(node.place, "`approaches` must name one approach at least", None);
    }
    let mut read: Vec<(Approach, usize)> = Vec::new();
    for node in nodes {
        let Some(fields) = Fields::open(node, "approach", &["model", "evidence"], check) else { continue };
        let model = fields.required("model", check, Check::text);
        let evidence = fields.required("evidence", check, |c, n, k| {
            let (only, with) = (EvidenceCapability::AnswerOnly, EvidenceCapability::AnswerWithContexts);
            c.choice(n, k, &[(only.as_str(), only), (with.as_str(), with)])
        });
        let Some(model) = model else { continue };
        let place = fields.entry("model").map_or(node.place, |entry| entry.node.place);
        if let Some((_, line)) = read.iter().find(|(approach, _)| approach.model == model) {
            check.refuse(place, format!("the approach {} is already on line {line}", quoted(&model)), None);
        } else {
            let evidence = evidence.unwrap_or(EvidenceCapability::AnswerOnly);
            read.push((Approach { model, evidence }, place.line));
        }
    }
    Some(read.into_iter().map(|(approach, _)| approach).collect())
}

fn metrics(node: &Node, check: &mut Check) -> Option<(Vec<String>, JudgePanel)> {
    let fields = Fields::open(node, "metrics", &["ragas", "judge_panel"], check)?;
    let choices = RAGAS_METRICS.map(|name| (name, name));
    let ragas = fields.optional("ragas", Vec::new(), check, |check, node, name| {
        let nodes = check.list(node, name)?;
        Some(
            nodes.iter().filter_map(|node| check.choice(node, "a Ragas metric", &choices)).map(str::to_owned).collect(),
        )
    });
    let panel = match fields.entry("judge_panel") {
        Some(entry) => judge_panel(entry, check),
        None => {
            let message = "metrics needs the field `judge_panel`: a panel is on unless it says `enabled: false`";
            check.refuse(node.place, message, None);
            None
        }
    };
    Some((ragas?, panel?))
}

fn judge_panel(entry: &Entry, check: &mut Check) -> Option<JudgePanel> {
    let known = ["enabled", "endpoint", "temperature", "thinking", "models", "order", "families"];
    let fields = Fields::open(&entry.node, "judge_panel", &known, check)?;
    let temperature = NumberRange { min: 0.0, above: false, max: 2.0 };
    let enabled = fields.optional("enabled", true, check, Check::switch);
    let endpoint = fields.optional("endpoint", None, check, Check::text_or_null);
    let temperature = fields.optional("temperature", 0.0, check, |c, n, k| c.number(n, k, temperature));
    let thinking = fields
        .optional("thinking", None, check, |c, n, k| if n.is_null() { Some(None) } else { c.switch(n, k).map(Some) });
    let models = fields.optional("models", Vec::new(), check, judge_models);
    let order = fields.optional("order", JudgeOrder::Stable, check, |c, n, k| c.choice(n, k, &JudgeOrder::CHOICES));
    let families = fields.optional("families", (Vec::new(), Vec::new()), check, |check, node, _| {
        let fields = Fields::open(node, "families", &["judges", "approaches"], check)?;
        let judges = fields.optional("judges", Vec::new(), check, names_to_families);
        Some((judges?, fields.optional("approaches", Vec::new(), check, names_to_families)?))
    });
    if enabled == Some(true) && matches!(endpoint.as_ref().map(Option::as_deref), Some(None | Some(""))) {
        let message = "`judge_panel` is enabled and has no endpoint";
        check.refuse(entry.place, message, "give an `endpoint`, or say `enabled: false`".to_owned());
    }
    let (judge_families, approach_families) = families?;
    Some(JudgePanel {
        enabled: enabled?,
        endpoint: endpoint?,
        temperature: temperature?,
        thinking: thinking?,
        models: models?,
        order: order?,
        judge_families,
        approach_families,
    })
}

/// A mapping of names to words, none of them blank.
fn names_to_families(check: &mut Check, node: &Node, name: &str) -> Option<Vec<(String, String)>> {
    let entries = check.mapping(node, name)?;
    entries.iter().map(|entry| Some((entry.key.clone(), check.text(&entry.node, "a family")?))).collect()
}

fn judge_models(check: &mut Check, node: &Node, name: &str) -> Option<Vec<String>> {
    let mut models: Vec<String> = Vec::new();
    for node in check.list(node, name)? {
        match check.text(node, "a judge") {
            Some(model) if models.contains(&model) => {
                check.refuse(node.place, format!("the judge {} is listed twice", quoted(&model)), None);
            }
            Some(model) => models.push(model),
            None => {}
        }
    }
    Some(models)
}

fn run(node: &Node, check: &mut Check) -> Option<RunSettings> {
    let known = ["retries", "timeout_s", "evaluator_timeout_s", "concurrency", "seed"];
    let fields = Fields::open(node, "run", &known, check)?;
    let deadline = NumberRange { min: 0.0, above: true, max: 3600.0 };
    let retries = fields.optional("retries", 1, check, |c, n, k| c.integer(n, k, 0..=10));
    let timeout_s = fields.optional("timeout_s", 420.0, check, |c, n, k| c.number(n, k, deadline));
    let evaluator_timeout_s = fields.optional("evaluator_timeout_s", 420.0, check, |c, n, k| c.number(n, k, deadline));
    let concurrency = fields.optional("concurrency", 1, check, |c, n, k| c.integer(n, k, 1..=32));
    let seed = fields.optional("seed", "rag-showcase-v1".to_owned(), check, Check::text);
    Some(RunSettings {
        retries: u32::try_from(retries?).ok()?,
        timeout_s: timeout_s?,
        evaluator_timeout_s: evaluator_timeout_s?,
        concurrency: usize::try_from(concurrency?).ok()?,
        seed: seed?,
    })
}
