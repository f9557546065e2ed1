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
    let fields = Fields::open(root, "roles file", &["version", "presets", "default_preset", "extra"], check)?;
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
    if let Some(asked) = asked.filter(|asked| !names.contains(asked)) {
        problems.add(unknown_preset(asked, &names));
        return None;
    }
    let preset = asked.map_or(default, |asked| Some(asked.to_owned()))?;
    let (_, models) = presets.into_iter().find(|(name, _)| *name == preset)?;
    models.map(|models| Roles { preset, models })
}

fn unknown_preset(asked: &str, names: &[&str]) -> Problem {
    Problem::general(format!("unknown roles preset {}", quoted(asked))).suggest(correction(asked, names))
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
