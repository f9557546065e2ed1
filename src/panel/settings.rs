//! Who judges, where, and how: one resolver for the panel and for the provenance of the run.
//!
//! Reads what the manifest declares, what the environment overrides and where the gateway is; writes [`Settings`] or
//! nothing when the panel is off. Source: `contract/evaluation.md` sections 5.1, 0.3 and D-6.

use super::error::SettingsError;
use serde_json::{Map, Value, json};

/// The endpoint word for an Atlas deployment's gateway.
pub const ATLAS: &str = "atlas-litellm";
/// The endpoint word for the gateway inside this program.
pub const EMBEDDED: &str = "embedded";
/// The judges of the embedded gateway. They are heuristics, not language models.
pub const BUILT_IN_JUDGES: [&str; 2] = ["builtin/judge-coverage", "builtin/judge-grounding"];

/// `metrics.judge_panel` of the manifest.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    /// Off wins over everything else.
    pub enabled: bool,
    /// [`ATLAS`], [`EMBEDDED`] or a chat completions URL.
    pub endpoint: Option<String>,
    /// 0..=2.
    pub temperature: f64,
    /// The `think` switch; null leaves it out.
    pub thinking: Option<bool>,
    /// Judge model names; empty leaves the choice to `JUDGE_MODELS`.
    pub models: Vec<String>,
}

/// The `JUDGE_*` variables, null when unset.
#[derive(Clone, Default)]
pub struct Environment {
    /// `JUDGE_MODELS`: a comma list.
    pub models: Option<String>,
    /// `JUDGE_ENDPOINT`.
    pub endpoint: Option<String>,
    /// `JUDGE_API_KEY`.
    pub api_key: Option<String>,
    /// `JUDGE_THINK`: `true`, `false` or `omit`.
    pub think: Option<String>,
}

/// The chat completions URL and key behind one of the endpoint words; null when there is no such gateway.
#[derive(Clone, Default)]
pub struct Gateways {
    /// Behind [`ATLAS`].
    pub atlas: Option<Address>,
    /// Behind [`EMBEDDED`]; usually an ephemeral port, which is never recorded.
    pub embedded: Option<Address>,
}

/// Where to post, and with which key.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// An `http` or `https` URL.
    pub url: String,
    /// A bearer token.
    pub api_key: Option<String>,
}

/// An enabled panel.
#[derive(Clone, PartialEq)]
pub struct Settings {
    /// Judge model names in order, no repeats, at least one.
    pub judges: Vec<String>,
    /// `atlas-litellm`, `embedded` or `openai-compatible`.
    pub backend: &'static str,
    /// What is recorded: the endpoint word, or the URL without user-info.
    pub endpoint: String,
    /// 0..=2.
    pub temperature: f64,
    /// The `think` switch; null leaves it out.
    pub thinking: Option<bool>,
}

impl Settings {
    /// The `runtime` object of the judgments artifact, keys in the contract's order.
    pub fn runtime(&self) -> Map<String, Value> {
        object(json!({
            "backend": self.backend,
            "endpoint": self.endpoint,
            "temperature": self.temperature,
            "thinking": self.thinking,
        }))
    }

    /// Whether the request carries the `cache` field, which only LiteLLM is known to understand.
    pub fn refuses_cache(&self) -> bool {
        self.backend == ATLAS
    }
}

/// The `judge_panel` object of the runtime provenance (`contract/evaluation.md` section 1.7).
///
/// A panel that is off has no models; endpoint and thinking are recorded as they would have been.
pub fn provenance(declared: &Declared, environment: &Environment) -> Result<Map<String, Value>, SettingsError> {
    let settings = resolve(declared, environment)?;
    let (endpoint, thinking) = match &settings {
        Some(settings) => (Some(settings.endpoint.clone()), settings.thinking),
        None => {
            let endpoint = chosen_endpoint(declared, environment);
            let from_manifest = declared.thinking.filter(|_| endpoint.as_deref() == Some(ATLAS));
            let recorded = endpoint.map(|endpoint| recorded_endpoint(&endpoint)).transpose()?;
            (recorded, thinking(from_manifest, environment.think.as_deref())?)
        }
    };
    let models = settings.map(|settings| settings.judges).unwrap_or_default();
    Ok(object(json!({"endpoint": endpoint, "models": models, "thinking": thinking})))
}

/// Decides who judges. Returns nothing when the panel is off.
///
/// `enabled: false` wins over `JUDGE_MODELS`; a `JUDGE_MODELS` of nothing but commas and blanks switches the panel off.
/// Without `JUDGE_MODELS` the manifest's models judge, then on the embedded gateway the built-in ones. Repeats are
/// dropped. Empty variables count as unset, except `JUDGE_THINK`. The manifest's `thinking` counts for
/// [`ATLAS`] alone. Needs no running gateway, so a run can record its panel before the first call.
pub fn resolve(declared: &Declared, environment: &Environment) -> Result<Option<Settings>, SettingsError> {
    if !declared.enabled {
        return Ok(None);
    }
    let listed = given(&environment.models)
        .map(|list| list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect());
    if listed.as_ref().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    let endpoint = chosen_endpoint(declared, environment).ok_or(SettingsError::NoEndpoint)?;
    let recorded = recorded_endpoint(&endpoint)?;
    let mut judges: Vec<String> = listed.unwrap_or_else(|| declared.models.clone());
    if judges.is_empty() && endpoint == EMBEDDED {
        judges = BUILT_IN_JUDGES.map(str::to_owned).to_vec();
    }
    if judges.is_empty() {
        return Err(SettingsError::NoModels);
    }
    let backend = match endpoint.as_str() {
        ATLAS => ATLAS,
        EMBEDDED => EMBEDDED,
        _ => "openai-compatible",
    };
    Ok(Some(Settings {
        judges: without_repeats(judges),
        backend,
        endpoint: recorded,
        temperature: declared.temperature,
        thinking: thinking(declared.thinking.filter(|_| backend == ATLAS), environment.think.as_deref())?,
    }))
}

/// Finds the URL and key for resolved settings.
///
/// `JUDGE_API_KEY` wins over the key of a gateway word; a URL keeps its user-info for the call, though not in records.
pub fn address(
    settings: &Settings,
    declared: &Declared,
    environment: &Environment,
    gateways: &Gateways,
) -> Result<Address, SettingsError> {
    let known = match settings.backend {
        ATLAS => gateways.atlas.clone().ok_or(SettingsError::NoGateway { word: ATLAS })?,
        EMBEDDED => gateways.embedded.clone().ok_or(SettingsError::NoGateway { word: EMBEDDED })?,
        _ => {
            let url = chosen_endpoint(declared, environment).ok_or(SettingsError::NoEndpoint)?;
            Address { url, api_key: None }
        }
    };
    let api_key = given(&environment.api_key).or(known.api_key);
    if settings.backend == ATLAS && api_key.is_none() {
        return Err(SettingsError::NoKey);
    }
    Ok(Address { url: known.url, api_key })
}

fn thinking(from_manifest: Option<bool>, variable: Option<&str>) -> Result<Option<bool>, SettingsError> {
    let Some(text) = variable else { return Ok(from_manifest) };
    match text.trim().to_ascii_lowercase().as_str() {
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        "omit" => Ok(None),
        _ => Err(SettingsError::Think { value: text.to_owned() }),
    }
}

/// The trimmed text of a variable that is neither unset nor blank.
fn given(value: &Option<String>) -> Option<String> {
    value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn chosen_endpoint(declared: &Declared, environment: &Environment) -> Option<String> {
    given(&environment.endpoint).or_else(|| given(&declared.endpoint))
}

fn recorded_endpoint(endpoint: &str) -> Result<String, SettingsError> {
    if [ATLAS, EMBEDDED].contains(&endpoint) { Ok(endpoint.to_owned()) } else { public_url(endpoint) }
}

/// The URL as it may be recorded: without user-info, query and fragment, where secrets travel.
fn public_url(text: &str) -> Result<String, SettingsError> {
    let mut url = reqwest::Url::parse(text).map_err(|_| SettingsError::NotUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SettingsError::NotUrl);
    }
    if url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none() {
        return Ok(text.to_owned());
    }
    // An http URL has a host, so removing its user-info cannot fail.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    Ok(url.into())
}

fn without_repeats(names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
