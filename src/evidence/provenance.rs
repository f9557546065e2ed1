//! What a run was made with: the state of the project folder, hashes of the input files, the gateway and the judges.
//!
//! Reads files and asks `git`; writes nothing. Everything here is compared on resume, so nothing that changes by itself
//! may enter: no port that was free today, no temporary folder, no process id, no time.
//! Source: `contract/evaluation.md` section 1.7 and section 0, item 8.

mod git;

pub use git::{GitState, ProvenanceError, git_state};

use serde_json::{Map, Value, json};

/// Sources of `reproducibility.runtime`.
#[derive(Debug, Clone)]
pub struct RuntimeInputs {
    /// Name of the project.
    pub project: String,
    /// State of the project folder; null when it is not a git work tree.
    pub project_git: Option<GitState>,
    /// Who serves the language models, for instance `builtin`; null when the gateway does not say.
    pub llm_provider: Option<String>,
    /// The judges as resolved.
    pub judge_panel: JudgeInputs,
    /// The system measured.
    pub gateway: GatewayInputs,
}

/// The judges as resolved from manifest and environment.
#[derive(Debug, Clone, Default)]
pub struct JudgeInputs {
    /// Null when there is none.
    pub endpoint: Option<String>,
    /// Empty when the panel is disabled.
    pub models: Vec<String>,
    /// The `think` switch; null leaves it out.
    pub thinking: Option<bool>,
}

/// The system measured.
#[derive(Debug, Clone, Default)]
pub struct GatewayInputs {
    /// `embedded` or `openai-compatible`.
    pub kind: String,
    /// Null for the embedded gateway, whose port changes with every start.
    pub url: Option<String>,
    /// Model of each role, as the gateway names them; empty when it does not say.
    pub roles: Map<String, Value>,
    /// The model names it offers, sorted; null when it does not list them.
    pub models: Option<Vec<String>>,
    /// Where an approach is asked that is not asked here by its alias, by alias; empty when there is none.
    pub approaches: Map<String, Value>,
}

/// Builds `reproducibility.runtime`. Keys of the earlier system that have no source here are present and null.
pub fn runtime(inputs: &RuntimeInputs) -> Map<String, Value> {
    let RuntimeInputs { project, project_git, llm_provider, judge_panel, gateway } = inputs;
    let mut value = json!({
        "project": project,
        "base_port": null,
        "provider_sources": {"llm": llm_provider, "comfyui": null},
        "rag_showcase": project_git,
        "atlas": null,
        "judge_panel": {
            "endpoint": judge_panel.endpoint.as_deref().map(public_url),
            "models": judge_panel.models,
            "thinking": judge_panel.thinking,
        },
        "runtime_files": {"model_inventory": null, "lightrag_query_profiles": null},
        "ragsql": {"version": env!("CARGO_PKG_VERSION")},
        "gateway": {
            "kind": gateway.kind,
            "url": gateway.url.as_deref().map(public_url),
            "roles": gateway.roles,
            "models": gateway.models,
        },
    });
    // Absent when there is none, so that evidence made before there were any can be resumed.
    if let Some(map) = value["gateway"].as_object_mut().filter(|_| !gateway.approaches.is_empty()) {
        map.insert("approaches".to_owned(), Value::Object(gateway.approaches.clone()));
    }
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Removes what may be secret from a URL: user-info, query and fragment.
///
/// A text without `://`, for instance `atlas-litellm`, has none of these and is returned as it is.
pub fn public_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::public_url;

    #[test]
    fn urls_lose_everything_that_may_be_secret() {
        for (url, public) in [
            ("http://user:p@ss@host:1/v1", "http://host:1/v1"),
            ("https://token@host", "https://host"),
            ("https://host/v1?api_key=x#y", "https://host/v1"),
            ("https://host?key=a@b/c", "https://host"),
            ("https://host/a@b", "https://host/a@b"),
            ("atlas-litellm", "atlas-litellm"),
        ] {
            assert_eq!(public_url(url), public);
        }
    }
}
