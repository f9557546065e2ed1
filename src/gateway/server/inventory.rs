//! What this gateway is: `/health`, `/rag/health`, `/v1/models`. They probe nothing.

use super::State;
use crate::gateway::approaches::{BASES, EXPERIMENTAL_BASES};
use crate::gateway::graph::GraphConfig;
use axum::Json;
use axum::extract::State as Shared;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Says that the process serves, with which models and for which collection.
pub async fn health(Shared(state): Shared<Arc<State>>) -> Json<Value> {
    let named = state.engine.roles.names().into_iter();
    let roles: Map<String, Value> = named.map(|(role, model)| (role.to_owned(), json!(model))).collect();
    Json(json!({
        "status": "ok",
        "service": "ragsql",
        "version": env!("CARGO_PKG_VERSION"),
        "active_profile": state.active_profile,
        "collection": state.engine.collection,
        "contextual_collection": state.engine.contextual_collection,
        "graph": graph(&state.engine.graph),
        "routing": state.engine.n8n.as_ref().map_or("builtin", |webhook| webhook.shown()),
        "roles": roles,
    }))
}

/// Who answers questions to the graph, and under which profiles.
fn graph(config: &GraphConfig) -> Value {
    let profiles: Map<String, Value> =
        config.profiles.iter().map(|profile| (profile.name.clone(), Value::Object(profile.fields.clone()))).collect();
    let answers = config.lightrag.as_ref().map_or("builtin", |server| server.shown());
    json!({"answers": answers, "query_profiles": profiles})
}

/// Lists the approaches.
pub async fn rag_health() -> Json<Value> {
    Json(json!({
        "status": "ok",
        "plugin": "ragsql",
        "approaches": BASES,
        "experimental_approaches": EXPERIMENTAL_BASES,
    }))
}

/// Lists the aliases as OpenAI lists models.
pub async fn models(Shared(state): Shared<Arc<State>>) -> Json<Value> {
    let models: Vec<Value> = state
        .aliases
        .iter()
        .map(|alias| {
            let profile = &alias.profile;
            json!({
                "id": profile.alias,
                "object": "model",
                "created": state.started_at,
                "owned_by": "ragsql",
                "base_approach": profile.base,
                "flavor": profile.flavor,
                "experimental": EXPERIMENTAL_BASES.contains(&profile.base.as_str()),
            })
        })
        .collect();
    Json(json!({"object": "list", "data": models}))
}
