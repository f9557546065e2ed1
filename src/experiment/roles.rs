//! `compare/roles.yaml`: which model does which work.
//!
//! Reads the file's tree; writes nothing; never calls a model and never reads a key, only the names of the variables
//! that hold keys.

mod graph;
pub(super) mod remote;
mod services;

pub use graph::{GRAPH_MODES, GraphProfile};
pub use remote::{RemoteModel, RerankApi};
pub use services::{LightRag, RouteMap, Services};

use super::document::{Document, Node, Value as Tree};
use super::fields::{Check, Fields};
use super::problem::{Problem, Problems, correction, quoted};
use std::collections::BTreeMap;

/// The work a model can be given: embed texts; write an answer; write what places a chunk in its document; answer with
/// tools; find entities and relations; find a question's keywords; answer from a graph; tell simple questions from
/// complex ones; score answers; order passages.
pub const ROLE_NAMES: [&str; 10] = [
    "embed",
    "light_gen",
    "contextual_blurb",
    "agentic",
    "extract",
    "keyword",
    "query",
    "classifier",
    "ragas_evaluator",
    "rerank",
];
/// The only role that a local model can fill.
const EMBED: &str = "embed";
/// The role whose endpoints are no chat models.
const RERANK: &str = "rerank";
/// The model that `local` alone means.
const LOCAL_MODEL: &str = "wordllama-256";

/// What stands behind a role.
#[derive(Debug, Clone, PartialEq)]
pub enum RoleModel {
    /// The deterministic model inside this binary.
    Builtin,
    /// A static embedding model in the folder of this name.
    Local(String),
    /// A model behind an endpoint.
    Remote(RemoteModel),
}

/// The chosen preset: a model for every role.
#[derive(Debug, Clone, PartialEq)]
pub struct Roles {
    /// Name of the preset.
    pub preset: String,
    /// Whether it is the preset that is taken when nobody asks for one.
    pub is_default: bool,
    /// By role name; every name of [`ROLE_NAMES`] is there.
    pub models: BTreeMap<String, RoleModel>,
    /// Services that replace a part of the gateway.
    pub services: Services,
    /// How the graph is asked, by alias.
    pub graph_profiles: BTreeMap<String, GraphProfile>,
}

impl Roles {
    /// What a project without a roles file gets: everything built in.
    pub fn builtin() -> Self {
        let models = ROLE_NAMES.map(|name| (name.to_owned(), RoleModel::Builtin));
        Self {
            preset: "builtin".to_owned(),
            is_default: true,
            models: BTreeMap::from(models),
            services: Services::default(),
            graph_profiles: graph::shipped(),
        }
    }
}

/// The roles of a project without a file, where `builtin` is the only preset.
pub(super) fn without_file(preset: Option<&str>, problems: &mut Problems) -> Option<Roles> {
    let roles = Roles::builtin();
    match preset {
        Some(preset) if preset != roles.preset => {
            problems.add(unknown_preset(preset, &[&roles.preset]));
            None
        }
        _ => Some(roles),
    }
}

/// Checks a roles file whole, every preset, and chooses the one that is asked for, else its default preset.
pub(super) fn load(document: &Document, asked: Option<&str>, problems: &mut Problems) -> Option<Roles> {
    let Some(root) = &document.root else {
        problems.add(Problem::file(&document.source.file, "the file is empty; it needs `presets`"));
        return None;
    };
    let check = &mut Check::new(document, problems);
    let known = ["version", "presets", "default_preset", "graph_profiles", "extra"];
    let fields = Fields::open(root, "roles file", &known, check)?;
    fields.required("version", check, |c, n, k| c.integer(n, k, 1..=1));
    let mut presets = Vec::new();
    for entry in fields.required("presets", check, Check::mapping).unwrap_or_default() {
        presets.push((entry.key.as_str(), preset(&entry.node, check)));
    }
    let names: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    let default = fields.required("default_preset", check, |check, node, name| {
        let default = check.text(node, name)?;
        if names.contains(&default.as_str()) {
            return Some(default);
        }
        check.refuse(node.place, format!("there is no preset {}", quoted(&default)), correction(&default, &names));
        None
    });
    let graph_profiles = fields.optional("graph_profiles", graph::shipped(), check, graph::profiles);
    if let Some(asked) = asked.filter(|asked| !names.contains(asked)) {
        problems.add(unknown_preset(asked, &names));
        return None;
    }
    let is_default = asked.is_none_or(|asked| Some(asked) == default.as_deref());
    let preset = asked.map_or(default, |asked| Some(asked.to_owned()))?;
    let (_, chosen) = presets.into_iter().find(|(name, _)| *name == preset)?;
    let (models, services) = chosen?;
    Some(Roles { preset, is_default, models, services, graph_profiles: graph_profiles? })
}

fn unknown_preset(asked: &str, names: &[&str]) -> Problem {
    Problem::general(format!("unknown roles preset {}", quoted(asked))).suggest(correction(asked, names))
}

fn preset(node: &Node, check: &mut Check) -> Option<(BTreeMap<String, RoleModel>, Services)> {
    let known = [ROLE_NAMES.as_slice(), services::FIELDS.as_slice()].concat();
    let fields = Fields::open(node, "preset", &known, check)?;
    let mut models = BTreeMap::new();
    for role in ROLE_NAMES {
        let model = fields.required(role, check, |check, node, name| model(role, node, name, check));
        models.extend(model.map(|model| (role.to_owned(), model)));
    }
    let services = services::read(&fields, check)?;
    (models.len() == ROLE_NAMES.len()).then_some((models, services))
}

fn model(role: &str, node: &Node, name: &str, check: &mut Check) -> Option<RoleModel> {
    let Tree::Mapping(entries) = &node.value else {
        let local = ("local", RoleWord::Local);
        let words = [("builtin", RoleWord::Builtin), local];
        let words = if role == EMBED { &words[..] } else { &words[..1] };
        return check.choice(node, name, words).map(|word| match word {
            RoleWord::Builtin => RoleModel::Builtin,
            RoleWord::Local => RoleModel::Local(LOCAL_MODEL.to_owned()),
        });
    };
    if role == EMBED && entries.iter().any(|entry| entry.key == "local") {
        let fields = Fields::open(node, "local model", &["local"], check)?;
        return fields.required("local", check, folder).map(RoleModel::Local);
    }
    remote::model(role == RERANK, node, check).map(RoleModel::Remote)
}

#[derive(Clone, Copy)]
enum RoleWord {
    Builtin,
    Local,
}

/// The name of a folder below the models folder: no path.
fn folder(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    let folder = check.text(node, name)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if folder.starts_with('.') || !folder.chars().all(plain) {
        let message = format!("{name} must be the name of a folder, not {}", quoted(&folder));
        check.refuse(node.place, message, "use letters, digits, `.`, `_` and `-`".to_owned());
        return None;
    }
    Some(folder)
}
