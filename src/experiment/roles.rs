//! `compare/roles.yaml`: which model does which work.
//!
//! Reads the file's tree; writes nothing; never calls a model.

use super::document::{Document, Node};
use super::fields::{Check, Fields};
use super::problem::{Problem, Problems, correction, quoted};
use std::collections::BTreeMap;

/// The work a model can be given: embed texts, write an answer, order passages, score answers.
pub const ROLE_NAMES: [&str; 4] = ["embed", "light_gen", "rerank", "ragas_evaluator"];

/// What stands behind a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoleModel {
    /// The deterministic model inside this binary.
    Builtin,
}

/// The chosen preset: a model for every role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    /// Name of the preset.
    pub preset: String,
    /// By role name; every name of [`ROLE_NAMES`] is there.
    pub models: BTreeMap<String, RoleModel>,
}

impl Roles {
    /// What a project without a roles file gets: everything built in.
    pub fn builtin() -> Self {
        let models = ROLE_NAMES.map(|name| (name.to_owned(), RoleModel::Builtin));
        Self { preset: "builtin".to_owned(), models: BTreeMap::from(models) }
    }
}

/// Checks a roles file whole, every preset, and chooses its default preset.
pub(super) fn load(document: &Document, problems: &mut Problems) -> Option<Roles> {
    let Some(root) = &document.root else {
        problems.add(Problem::file(&document.source.file, "the file is empty; it needs `presets`"));
        return None;
    };
    let check = &mut Check::new(document, problems);
    let fields = Fields::open(root, "roles file", &["version", "presets", "default_preset", "extra"], check)?;
    fields.required("version", check, |c, n, k| c.integer(n, k, 1..=1));
    let mut presets = Vec::new();
    for entry in fields.required("presets", check, Check::mapping).unwrap_or_default() {
        presets.push((entry.key.as_str(), preset(&entry.node, check)));
    }
    let preset = fields.required("default_preset", check, Check::text)?;
    if let Some((_, models)) = presets.iter_mut().find(|(name, _)| *name == preset) {
        return models.take().map(|models| Roles { preset, models });
    }
    let place = fields.entry("default_preset").map_or(root.place, |entry| entry.node.place);
    let names: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    check.refuse(place, format!("there is no preset {}", quoted(&preset)), correction(&preset, &names));
    None
}

fn preset(node: &Node, check: &mut Check) -> Option<BTreeMap<String, RoleModel>> {
    let fields = Fields::open(node, "preset", &ROLE_NAMES, check)?;
    let mut models = BTreeMap::new();
    for role in ROLE_NAMES {
        let model = fields.required(role, check, |check, node, name| {
            check.choice(node, name, &[("builtin", ())]).map(|()| RoleModel::Builtin)
        });
        models.extend(model.map(|model| (role.to_owned(), model)));
    }
    Some(models)
}
