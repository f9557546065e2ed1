//! `compare/flavors.yaml` as checked values (`contract/evaluation.md` section 1.3).

use super::document::{Document, Entry, Node};
use super::fields::{Check, Fields, NumberRange};
use super::problem::{Problems, correction, listed, nearest, quoted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The six canonical bases, in the order that `default` expands to.
pub const CANONICAL_BASES: [&str; 6] =
    ["vanilla-rag", "hybrid-rag", "contextual-rag", "graph-rag", "agentic-rag", "n8n-adaptive-rag"];
/// Bases that `default` leaves out.
pub const EXPERIMENTAL_BASES: [&str; 1] = ["lazy-graph-rag"];

/// A parameter value of a flavor.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// At least 1.
    Integer(u64),
    /// `alpha`: 0..=1.
    Number(f64),
    /// `rerank`, `enable_rerank`.
    Switch(bool),
    /// `graph_mode`.
    Text(String),
}

/// One alias that can be asked for: a base, or a flavor of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The name asked for at the gateway.
    pub alias: String,
    /// The base approach whose code answers.
    pub base: String,
    /// `default` for a base.
    pub flavor: String,
    /// For people.
    pub label: String,
    /// For people; may be empty.
    pub description: String,
    /// Whether the corpus must be ingested again for it.
    pub requires_reingest: bool,
    /// Only parameters that the base reads.
    pub params: BTreeMap<String, Param>,
}

impl Profile {
    /// The profile of a base: no parameter, no re-ingestion.
    pub fn base(name: &str) -> Self {
        Self {
            alias: name.to_owned(),
            base: name.to_owned(),
            flavor: "default".to_owned(),
            label: "Default".to_owned(),
            description: String::new(),
            requires_reingest: false,
            params: BTreeMap::new(),
        }
    }
}

/// All bases that a flavor can build on: the canonical ones, then the experimental one.
pub fn supported_bases() -> impl Iterator<Item = &'static str> {
    CANONICAL_BASES.into_iter().chain(EXPERIMENTAL_BASES)
}

/// The profiles that exist without any file: one for each supported base.
pub fn base_profiles() -> Vec<Arc<Profile>> {
    supported_bases().map(|name| Arc::new(Profile::base(name))).collect()
}

/// What a parameter may hold.
#[derive(Debug, Clone, Copy)]
enum ParamKind {
    Integer,
    Ratio,
    Switch,
    GraphMode,
}

/// The parameters that a base reads (`contract/gateway.md` section 1.3).
fn params_of(base: &str) -> &'static [(&'static str, ParamKind)] {
    use ParamKind::{GraphMode, Integer, Ratio, Switch};
    match base {
        "vanilla-rag" => &[("k", Integer)],
        "hybrid-rag" | "contextual-rag" => {
            &[("retrieve_k", Integer), ("top_n", Integer), ("alpha", Ratio), ("rerank", Switch)]
        }
        "agentic-rag" => &[("max_steps", Integer), ("vector_top_k", Integer), ("graph_mode", GraphMode)],
        "lazy-graph-rag" => &[
            ("relevance_budget", Integer),
            ("seed_k", Integer),
            ("max_context_chunks", Integer),
            ("max_concepts_per_chunk", Integer),
        ],
        _ => &[],
    }
}

/// The ways a graph can be searched (`contract/gateway.md` section 5).
const GRAPH_MODES: [&str; 5] = ["local", "global", "hybrid", "mix", "naive"];

/// Checks a flavors file: the base profiles, then the file's own in file order. Rules: `contract/evaluation.md`
/// section 1.3, with strict values. An empty file adds none.
pub(super) fn load(document: &Document, problems: &mut Problems) -> Vec<Arc<Profile>> {
    let mut profiles = base_profiles();
    let Some(root) = &document.root else { return profiles };
    let check = &mut Check::new(document, problems);
    let Some(fields) = Fields::open(root, "flavors file", &["version", "flavors", "extra"], check) else {
        return profiles;
    };
    fields.optional("version", 1, check, |c, n, k| c.integer(n, k, 1..=1));
    let nodes =
        fields.optional("flavors", &[][..], check, |c, n, k| if n.is_null() { Some(&[][..]) } else { c.list(n, k) });
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for node in nodes.unwrap_or_default() {
        if let Some(profile) = profile(node, &mut lines, check) {
            profiles.push(Arc::new(profile));
        }
    }
    profiles
}

fn profile(node: &Node, lines: &mut BTreeMap<String, usize>, check: &mut Check) -> Option<Profile> {
    let known = ["alias", "base", "flavor", "label", "description", "requires_reingest", "params", "extra"];
    let fields = Fields::open(node, "flavor", &known, check)?;
    let alias = fields.required("alias", check, trimmed);
    if let (Some(alias), Some(entry)) = (&alias, fields.entry("alias")) {
        refuse_taken(alias, entry, lines, check);
    }
    let base = fields.required("base", check, |check, node, name| {
        let base = trimmed(check, node, name)?;
        let supported: Vec<&str> = supported_bases().collect();
        if supported.contains(&base.as_str()) {
            return Some(base);
        }
        check.refuse(node.place, format!("unknown base {}", quoted(&base)), correction(&base, &supported));
        None
    });
    let flavor = fields.optional("flavor", None, check, Check::text_or_null);
    let label = fields.optional("label", None, check, Check::text_or_null);
    let description = fields.optional("description", None, check, Check::text_or_null);
    let requires_reingest = fields.optional("requires_reingest", false, check, Check::switch);
    let params = match (fields.entry("params"), &base) {
        (Some(entry), Some(base)) if !entry.node.is_null() => params(&entry.node, base, check),
        _ => Some(BTreeMap::new()),
    };

    let (alias, base) = (alias?, base?);
    let own_name = alias.strip_prefix(&format!("{base}-")).unwrap_or(&alias);
    let own_name = if own_name.is_empty() { "default" } else { own_name }.to_owned();
    Some(Profile {
        flavor: flavor?.filter(|text| !text.is_empty()).unwrap_or(own_name),
        label: label?.filter(|text| !text.is_empty()).unwrap_or_else(|| alias.clone()),
        description: description?.unwrap_or_default(),
        requires_reingest: requires_reingest?,
        params: params?,
        alias,
        base,
    })
}

/// A name without the blanks around it; blanks alone are no name.
fn trimmed(check: &mut Check, node: &Node, name: &str) -> Option<String> {
    let text = check.identifier(node, name)?;
    if text.trim().is_empty() {
        check.refuse(node.place, format!("{name} must not be blank"), None);
        return None;
    }
    Some(text.trim().to_owned())
}

fn refuse_taken(alias: &str, entry: &Entry, lines: &mut BTreeMap<String, usize>, check: &mut Check) {
    let place = entry.node.place;
    if supported_bases().any(|base| base == alias) {
        check.refuse(place, format!("the alias {} is the name of a base", quoted(alias)), "choose another".to_owned());
    } else if let Some(first) = lines.get(alias) {
        check.refuse(place, format!("the alias {} is already on line {first}", quoted(alias)), None);
    } else {
        lines.insert(alias.to_owned(), place.line);
    }
}

fn params(node: &Node, base: &str, check: &mut Check) -> Option<BTreeMap<String, Param>> {
    let known = params_of(base);
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let ratio = NumberRange { min: 0.0, above: false, max: 1.0 };
    let mut params = BTreeMap::new();
    for entry in check.mapping(node, "`params`")? {
        let name = entry.key.as_str();
        let Some((_, kind)) = known.iter().find(|(known, _)| *known == name) else {
            let reads = if names.is_empty() { "no parameter".to_owned() } else { listed(&names, "and") };
            let near = nearest(name, names.iter().copied());
            let hint = near.map_or_else(|| format!("it reads {reads}"), |name| format!("did you mean `{name}`?"));
            check.refuse(entry.place, format!("{} does not read the parameter {}", quoted(base), quoted(name)), hint);
            continue;
        };
        let (node, name) = (&entry.node, quoted(name));
        let value = match kind {
            ParamKind::Integer => check.integer(node, &name, 1..=u64::MAX).map(Param::Integer),
            ParamKind::Ratio => check.number(node, &name, ratio).map(Param::Number),
            ParamKind::Switch => check.switch(node, &name).map(Param::Switch),
            ParamKind::GraphMode => check
                .choice(node, &name, &GRAPH_MODES.map(|mode| (mode, mode)))
                .map(|mode| Param::Text(mode.to_owned())),
        };
        params.extend(value.map(|value| (entry.key.clone(), value)));
    }
    Some(params)
}
