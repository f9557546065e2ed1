//! The models of the embedded gateway: from the chosen preset to models that can be asked, and to what rows say of them.
//!
//! Reads keys from the environment, model files and the project's prompt; calls nobody. What is missing is an error
//! here, before the first question.

use crate::commands::context::Context;
use crate::commands::variable;
use crate::error::{Failure, Kind, Result};
use crate::experiment::roles::{self as declared, ROLE_NAMES, RemoteModel, RoleModel};
use crate::gateway::graph::{GraphConfig, LightRag, QueryProfile};
use crate::gateway::local::StaticEmbedding;
use crate::gateway::remote::{self, ChatClient, Prompt, PromptKind};
use crate::gateway::remote::{EvaluatorPrompts, RemoteEmbedder, RemoteEvaluator, RemoteGenerator, RemotePlanner};
use crate::gateway::remote::{RemoteReader, RemoteReranker, RerankApi};
use crate::gateway::routing::{N8nWebhook, RouteMap, RoutingConfig};
use crate::gateway::{builtin, local, roles::Roles};
use crate::wire::call::Endpoint;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The models, and their description.
pub struct Models {
    /// What the gateway asks.
    pub roles: Roles,
    /// `reproducibility.runtime.gateway.roles`: model, provider and settings by role, without keys.
    pub inventory: Map<String, Value>,
}

impl Models {
    /// Makes the models of a preset.
    pub fn choose(context: &Context, declared: &declared::Roles) -> Result<Self> {
        let mut roles = builtin::roles();
        let mut prompts = BTreeMap::new();
        let remote = |role: &str| match &declared.models[role] {
            RoleModel::Remote(model) => Some(model),
            RoleModel::Builtin | RoleModel::Local(_) => None,
        };
        let mut prompt = |role: &'static str, kind: PromptKind| -> Result<Prompt> {
            let prompt = prompt(context, kind)?;
            prompts.insert(role, prompt.sha256().to_owned());
            Ok(prompt)
        };
        if let RoleModel::Local(name) = &declared.models["embed"] {
            roles.embed = Arc::new(StaticEmbedding::open(&models_folder()?.join(name), name)?);
        }
        if let Some(model) = remote("embed") {
            roles.embed = Arc::new(RemoteEmbedder::new(&settings(model)?)?);
        }
        for (role, place) in [("light_gen", &mut roles.light_gen), ("query", &mut roles.query)] {
            if let Some(model) = remote(role) {
                *place = Arc::new(RemoteGenerator::new(chat(model)?, prompt(role, PromptKind::Answer)?));
            }
        }
        let mut reader = |role: &'static str, kind: PromptKind| -> Result<Option<Arc<RemoteReader>>> {
            let Some(model) = remote(role) else { return Ok(None) };
            Ok(Some(Arc::new(RemoteReader::new(chat(model)?, prompt(role, kind)?, model.max_concurrency))))
        };
        if let Some(reader) = reader("contextual_blurb", PromptKind::Blurb)? {
            roles.contextual_blurb = reader;
        }
        if let Some(reader) = reader("extract", PromptKind::Extract)? {
            roles.extract = reader;
        }
        if let Some(reader) = reader("keyword", PromptKind::Keywords)? {
            roles.keyword = reader;
        }
        if let Some(reader) = reader("classifier", PromptKind::Classify)? {
            roles.classifier = reader;
        }
        if let Some(model) = remote("agentic") {
            roles.agentic = Arc::new(RemotePlanner::new(chat(model)?, &prompt("agentic", PromptKind::Agent)?)?);
        }
        if let Some(model) = remote("ragas_evaluator") {
            let own = EvaluatorPrompts::new(|kind| self::prompt(context, kind))?;
            prompts.insert("ragas_evaluator", own.sha256());
            let embed = Arc::clone(&roles.embed);
            roles.ragas_evaluator = Arc::new(RemoteEvaluator::new(chat(model)?, own, embed, model.max_concurrency));
        }
        if let Some(model) = remote("rerank") {
            roles.rerank = Arc::new(RemoteReranker::new(&settings(model)?, rerank_api(model))?);
        }
        let mut inventory = Map::new();
        for role in ROLE_NAMES {
            let name = roles.names().into_iter().find(|(named, _)| *named == role).map(|(_, name)| name.to_owned());
            let described = match (&declared.models[role], name) {
                (RoleModel::Remote(model), _) => Some(remote_model(role, model)?),
                (RoleModel::Builtin, Some(name)) => Some(json!({"model": name, "provider": "builtin"})),
                (RoleModel::Local(_), Some(name)) => Some(json!({"model": name, "provider": local::PROVIDER})),
                // A role that no approach of this gateway asks.
                (RoleModel::Builtin | RoleModel::Local(_), None) => None,
            };
            inventory.extend(described.map(|described| (role.to_owned(), described)));
        }
        for (role, sha256) in prompts {
            if let Some(Value::Object(described)) = inventory.get_mut(role) {
                described.insert("prompt_sha256".to_owned(), json!(sha256));
            }
        }
        Ok(Self { roles, inventory })
    }
}

/// How the graph is asked, and by whom it is answered.
pub fn graph(declared: &declared::Roles) -> Result<GraphConfig> {
    let profile = |(name, profile): (&String, &declared::GraphProfile)| {
        let fields = json!({
            "mode": profile.mode,
            "top_k": profile.top_k,
            "chunk_top_k": profile.chunk_top_k,
            "max_total_tokens": profile.max_total_tokens,
            "enable_rerank": profile.enable_rerank,
        });
        QueryProfile { name: name.clone(), fields: fields.as_object().cloned().unwrap_or_default() }
    };
    let server = |server: &declared::LightRag| -> Result<LightRag> {
        let key = server.api_key_env.as_deref().map(|name| key(name, "the LightRAG server")).transpose()?;
        Ok(LightRag::new(&server.endpoint, key.as_deref())?)
    };
    Ok(GraphConfig {
        profiles: declared.graph_profiles.iter().map(profile).collect(),
        lightrag: declared.services.lightrag.as_ref().map(server).transpose()?,
        ..GraphConfig::default()
    })
}

/// Who answers which class of question, and the webhook that may decide it.
pub fn routing(declared: &declared::Roles) -> Result<RoutingConfig> {
    let declared::RouteMap { simple, complex } = declared.services.route_map.clone();
    let webhook = declared.services.n8n_webhook.as_deref().map(N8nWebhook::new).transpose()?;
    Ok(RoutingConfig { routes: RouteMap { simple, complex }, webhook })
}

/// Where local models lie, each in a folder of its own: `RAGSQL_MODELS`, or `models` in the cache that the Makefile uses.
fn models_folder() -> Result<PathBuf> {
    if let Some(folder) = variable("RAGSQL_MODELS") {
        return Ok(PathBuf::from(folder));
    }
    let cache = variable("RAGSQL_CACHE").map(PathBuf::from);
    let cache = cache.or_else(|| variable("XDG_CACHE_HOME").map(|folder| PathBuf::from(folder).join("ragsql")));
    let cache = cache.or_else(|| variable("HOME").map(|folder| PathBuf::from(folder).join(".cache").join("ragsql")));
    cache.map(|cache| cache.join("models")).ok_or_else(|| {
        Failure::new(Kind::Input, "nobody says where local models lie").hint("set RAGSQL_MODELS to their folder")
    })
}

/// The project's own prompt, else that of this program.
fn prompt(context: &Context, kind: PromptKind) -> Result<Prompt> {
    let file = context.project.join("templates").join(kind.template());
    if !file.is_file() {
        return Ok(Prompt::built_in(kind)?);
    }
    let text = std::fs::read_to_string(&file)
        .map_err(|error| Failure::new(Kind::Input, format!("cannot read `{}`: {error}", context.shown(&file))))?;
    Ok(Prompt::new(kind, text)?)
}

fn chat(model: &RemoteModel) -> Result<ChatClient> {
    Ok(ChatClient::new(&settings(model)?)?)
}

/// A key from the environment.
fn key(name: &str, whose: &str) -> Result<String> {
    variable(name).ok_or_else(|| {
        let message = format!("the environment variable `{name}` is not set or empty");
        Failure::new(Kind::Input, message).hint(format!("it holds the key for {whose}; nothing was called"))
    })
}

fn settings(model: &RemoteModel) -> Result<remote::Settings> {
    let whose = format!("the model `{}`", model.model);
    Ok(remote::Settings {
        endpoint: model.endpoint.clone(),
        model: model.model.clone(),
        api_key: model.api_key_env.as_deref().map(|name| key(name, &whose)).transpose()?,
        timeout_s: model.timeout_s,
        max_concurrency: model.max_concurrency,
        max_batch: model.max_batch,
        request_defaults: model.request_defaults.clone(),
        retries: model.retries,
    })
}

fn rerank_api(model: &RemoteModel) -> RerankApi {
    match model.rerank_api {
        Some(declared::RerankApi::OpenAi) => RerankApi::Cohere,
        Some(declared::RerankApi::Tei) | None => RerankApi::Tei,
    }
}

/// What rows say of a model behind an endpoint: everything that shapes its answers, and no key.
fn remote_model(role: &str, model: &RemoteModel) -> Result<Value> {
    let provider = match model.rerank_api {
        Some(declared::RerankApi::Tei) => "tei",
        _ => "openai-compatible",
    };
    let mut described = json!({
        "model": model.model,
        "provider": provider,
        "endpoint": Endpoint::new(&model.endpoint)?.shown(),
        "timeout_s": model.timeout_s,
        "max_concurrency": model.max_concurrency,
        "retries": model.retries,
        "request_defaults": model.request_defaults,
    });
    if ["embed", "rerank"].contains(&role) {
        described["max_batch"] = json!(model.max_batch);
    }
    Ok(described)
}
