//! How a graph is asked: profiles, their defaults, and what wins over what.
//!
//! Source: `contract/gateway.md` section 5.4. Pure; the registry file is read by the caller.

use crate::json;
use serde_json::{Map, Value, json};

use super::lightrag::LightRag;

/// How a graph is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// From the entities that the question names.
    Local,
    /// From the relations that its themes are near to.
    Global,
    /// Both.
    Hybrid,
    /// Both, and the chunks nearest to the question.
    Mix,
    /// The chunks nearest to the question alone.
    Naive,
}

/// Every mode with its name on the wire.
const MODES: [(&str, Mode); 5] = [
    ("local", Mode::Local),
    ("global", Mode::Global),
    ("hybrid", Mode::Hybrid),
    ("mix", Mode::Mix),
    ("naive", Mode::Naive),
];
/// The five fields a profile may set; others are not passed on.
const FIELDS: [&str; 5] = ["mode", "enable_rerank", "top_k", "chunk_top_k", "max_total_tokens"];

impl Mode {
    /// Reads a mode by name.
    pub fn parse(name: &str) -> Option<Self> {
        MODES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
    }

    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        MODES.iter().find(|(_, mode)| *mode == self).map_or("hybrid", |(name, _)| name)
    }
}

/// A named set of fields; its name is an alias.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryProfile {
    /// The alias.
    pub name: String,
    /// Some of the five fields; a field that is null is passed on as null.
    pub fields: Map<String, Value>,
}

/// What holds where no profile says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryDefaults {
    /// Whether chunks are reranked.
    pub enable_rerank: bool,
    /// Entities and relations per level.
    pub top_k: u64,
    /// Chunks.
    pub chunk_top_k: u64,
    /// GPT-2 tokens of all contexts together.
    pub max_total_tokens: u64,
}

/// A question's search of our own graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How.
    pub mode: Mode,
    /// Whether chunks are reranked.
    pub enable_rerank: bool,
    /// Entities and relations per level.
    pub top_k: usize,
    /// Chunks.
    pub chunk_top_k: usize,
    /// GPT-2 tokens of all contexts together.
    pub max_total_tokens: usize,
}

/// Who answers questions to the graph, and how.
#[derive(Clone)]
pub struct GraphConfig {
    /// What holds where no profile says otherwise.
    pub defaults: QueryDefaults,
    /// The profiles.
    pub profiles: Vec<QueryProfile>,
    /// Answers instead of our own graph.
    pub lightrag: Option<LightRag>,
}

impl Default for QueryDefaults {
    fn default() -> Self {
        Self { enable_rerank: false, top_k: 10, chunk_top_k: 5, max_total_tokens: 12_000 }
    }
}

impl QueryDefaults {
    /// Reads the `LIGHTRAG_QUERY_*` variables; one that is no whole number of 1 or more is warned of and left out.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name: &str, default: u64| match variable(name) {
            None => default,
            Some(text) => match text.trim().parse::<u64>() {
                Ok(value) if value >= 1 => value,
                _ => {
                    tracing::warn!("`{name}` is `{text}`, not a whole number of 1 or more; {default} is used");
                    default
                }
            },
        };
        let fallback = Self::default();
        let rerank = variable("LIGHTRAG_QUERY_ENABLE_RERANK")
            .map(|text| ["1", "true", "yes", "on"].contains(&text.trim().to_lowercase().as_str()));
        Self {
            enable_rerank: rerank.unwrap_or(fallback.enable_rerank),
            top_k: number("LIGHTRAG_QUERY_TOP_K", fallback.top_k),
            chunk_top_k: number("LIGHTRAG_QUERY_CHUNK_TOP_K", fallback.chunk_top_k),
            max_total_tokens: number("LIGHTRAG_QUERY_MAX_TOTAL_TOKENS", fallback.max_total_tokens),
        }
    }
}

impl Default for GraphConfig {
    fn default() -> Self {
        Self { defaults: QueryDefaults::default(), profiles: shipped_profiles(), lightrag: None }
    }
}

impl GraphConfig {
    /// Finds a profile.
    pub fn profile(&self, name: &str) -> Option<&QueryProfile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    /// Says how a profile, or none, asks our own graph; an explicit mode wins.
    ///
    /// The message names the profile and the field when a value cannot be used.
    pub fn settings(&self, profile: Option<&QueryProfile>, mode: Option<Mode>) -> Result<Settings, String> {
        let body = lightrag_body("", &self.defaults, profile, mode.map(Mode::as_str), &Map::new());
        let wrong = |field: &str, wanted: &str| {
            let name = profile.map_or("", |profile| profile.name.as_str());
            format!("`{field}` of the graph query profile `{name}` must be {wanted}, not `{}`", body[field])
        };
        let count = |field: &str| {
            let value = body[field].as_u64().filter(|value| *value >= 1);
            let value = value.and_then(|value| usize::try_from(value).ok());
            value.ok_or_else(|| wrong(field, "a whole number of 1 or more"))
        };
        let mode = body["mode"].as_str().and_then(Mode::parse);
        Ok(Settings {
            mode: mode.ok_or_else(|| wrong("mode", "one of `local`, `global`, `hybrid`, `mix`, `naive`"))?,
            enable_rerank: body["enable_rerank"].as_bool().ok_or_else(|| wrong("enable_rerank", "true or false"))?,
            top_k: count("top_k")?,
            chunk_top_k: count("chunk_top_k")?,
            max_total_tokens: count("max_total_tokens")?,
        })
    }
}

/// The profiles of the shipped aliases (`contract/gateway.md` section 5.4).
pub fn shipped_profiles() -> Vec<QueryProfile> {
    let table = [
        ("graph-rag", "hybrid", 10, 5, 12_000, false),
        ("graph-rag-fast", "local", 5, 3, 8_000, false),
        ("graph-rag-wide", "hybrid", 30, 12, 24_000, false),
        ("graph-rag-rerank", "hybrid", 10, 5, 12_000, true),
    ];
    table
        .into_iter()
        .map(|(name, mode, top_k, chunk_top_k, max_total_tokens, enable_rerank)| {
            let fields = [
                ("mode", json!(mode)),
                ("top_k", json!(top_k)),
                ("chunk_top_k", json!(chunk_top_k)),
                ("max_total_tokens", json!(max_total_tokens)),
                ("enable_rerank", json!(enable_rerank)),
            ];
            let fields = fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
            QueryProfile { name: name.to_owned(), fields }
        })
        .collect()
}

/// Reads a registry: `{"version": 1, "profiles": [{"name": ..., "mode": ..., ...}]}`.
///
/// Fields beyond the five are left out and values are not checked here. The message says what is wrong with the file.
pub fn parse_profiles(text: &str) -> Result<Vec<QueryProfile>, String> {
    let root = json::parse_strict(text).map_err(|error| format!("it is no JSON: {error}"))?;
    if root.get("version").and_then(Value::as_u64) != Some(1) {
        return Err("it must be an object with `version` 1".to_owned());
    }
    let Some(Value::Array(rows)) = root.get("profiles") else { return Err("`profiles` must be a list".to_owned()) };
    let mut profiles: Vec<QueryProfile> = Vec::new();
    for row in rows {
        let Some(name) = row.get("name").and_then(Value::as_str) else {
            return Err("every profile needs a `name`".to_owned());
        };
        if profiles.iter().any(|profile| profile.name == name) {
            return Err(format!("the profile `{name}` appears twice"));
        }
        profiles.push(QueryProfile { name: name.to_owned(), fields: known_fields(row.as_object()) });
    }
    Ok(profiles)
}

/// The body of a LightRAG query. Later wins: defaults, profile, explicit mode, options.
pub fn lightrag_body(
    question: &str,
    defaults: &QueryDefaults,
    profile: Option<&QueryProfile>,
    mode: Option<&str>,
    options: &Map<String, Value>,
) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("query".to_owned(), question.into());
    body.insert("mode".to_owned(), "hybrid".into());
    body.insert("enable_rerank".to_owned(), defaults.enable_rerank.into());
    body.insert("top_k".to_owned(), defaults.top_k.into());
    body.insert("chunk_top_k".to_owned(), defaults.chunk_top_k.into());
    body.insert("max_total_tokens".to_owned(), defaults.max_total_tokens.into());
    body.extend(known_fields(profile.map(|profile| &profile.fields)));
    body.extend(mode.map(|mode| ("mode".to_owned(), mode.into())));
    body.extend(known_fields(Some(options)));
    body
}

fn known_fields(fields: Option<&Map<String, Value>>) -> Map<String, Value> {
    let known = FIELDS.iter().filter_map(|field| Some(((*field).to_owned(), fields?.get(*field)?.clone())));
    known.collect()
}
