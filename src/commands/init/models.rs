//! The models that a service lists.

use crate::commands::run::target::listed_models;
use crate::commands::runtime;
use crate::error::{Failure, Kind, Result};
use crate::wire::call::{Endpoint, HttpClient};

/// Deadline of the list, in seconds.
const TIMEOUT_S: f64 = 10.0;

/// A URL as the approaches file wants it: with the version, without what comes behind it.
pub fn base_url(given: &str) -> Result<String> {
    Endpoint::new(given)?;
    let url = given.trim_end_matches('/');
    let url = url.strip_suffix("/chat/completions").or_else(|| url.strip_suffix("/models")).unwrap_or(url);
    if url.contains(['?', '#', '@']) {
        return Err(Failure::new(Kind::Input, "the URL must hold no key, user name or query")
            .hint("name the variable that holds a key with `--api-key-env`"));
    }
    let (_, rest) = url.split_once("://").unwrap_or_default();
    Ok(if rest.contains('/') { url.to_owned() } else { format!("{url}/v1") })
}

/// The ids of `GET <base>/models`, sorted.
pub fn list(base: &str, api_key_env: Option<&str>) -> Result<Vec<String>> {
    let mut endpoint = Endpoint::new(&format!("{base}/models"))?;
    if let Some(name) = api_key_env {
        endpoint = endpoint.bearer_from_env(name)?;
    }
    let client = HttpClient::new(TIMEOUT_S)?;
    let reply = runtime()?.block_on(client.get(&endpoint, TIMEOUT_S)).map_err(|failure| {
        Failure::new(Kind::Outside, format!("the models cannot be listed: {}", failure.message))
            .hint("name them with `--endpoint URL --alias NAME,..`")
    })?;
    let ids = listed_models(&reply.body).unwrap_or_default();
    if ids.is_empty() {
        return Err(Failure::new(Kind::Outside, format!("`{}` lists no models", endpoint.shown()))
            .hint("name them with `--endpoint URL --alias NAME,..`"));
    }
    Ok(ids)
}
