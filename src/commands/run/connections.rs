//! The approaches file as calls: which URL, which key, which headers.
//!
//! Reads keys from the environment; calls nobody.

use crate::commands::context::Selected;
use crate::commands::variable;
use crate::error::{Failure, Kind, Result};
use crate::evidence::provenance::public_url;
use crate::experiment::connection::{Connection, HeaderValue};
use crate::experiment::load::Experiment;
use crate::runner::Asking;
use crate::wire::call::{Endpoint, EndpointError};
use crate::wire::credentials::Credentials;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// `approach.provider` of every service that is not ours.
pub const PROVIDER: &str = "openai-compatible";

/// How each selected alias is asked that the approaches file names.
pub fn askings(experiment: &Experiment, selected: &Selected, gateway: &Asking) -> Result<HashMap<String, Asking>> {
    let mut askings = HashMap::new();
    for (alias, connection) in named(experiment, selected) {
        let (endpoint, provider) = match own_endpoint(connection)? {
            Some(endpoint) => (endpoint, PROVIDER.to_owned()),
            None => (gateway.endpoint.clone(), gateway.provider.clone()),
        };
        let endpoint = endpoint.with(credentials(connection)?);
        let refuse_cache = connection.fresh.unwrap_or(connection.base_url.is_none() && gateway.refuse_cache);
        let connection = Some(Arc::clone(connection));
        askings.insert(alias.to_owned(), Asking { endpoint, provider, refuse_cache, connection });
    }
    Ok(askings)
}

/// Fails when a URL cannot be called or a key is missing; tells all of them.
pub fn try_all(experiment: &Experiment, selected: &Selected) -> Result<()> {
    let mut failures: Vec<String> = Vec::new();
    for (alias, connection) in named(experiment, selected) {
        let tried = own_endpoint(connection).and_then(|_| credentials(connection));
        failures.extend(tried.err().map(|failure| format!("approach `{alias}`: {failure}")));
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(Failure { kind: Kind::Input, messages: failures, hints: vec!["nothing was called".to_owned()] })
}

/// The different base URLs of the selected aliases; null when one of them has none.
pub fn urls_of_all(experiment: &Experiment, selected: &Selected) -> Option<Vec<String>> {
    let mut urls: Vec<String> = Vec::new();
    for (profile, _) in &selected.profiles {
        let url = experiment.connections.get(&profile.alias)?.base_url.clone()?;
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    Some(urls)
}

/// `reproducibility.runtime.gateway.approaches`: where an alias is asked and for which model, as far as the file says.
pub fn described(experiment: &Experiment, selected: &Selected) -> Map<String, Value> {
    let describe = |(alias, connection): (&str, &Arc<Connection>)| {
        let url = connection.base_url.as_deref().map(public_url);
        (alias.to_owned(), json!({"url": url, "model": connection.model}))
    };
    named(experiment, selected).map(describe).collect()
}

fn named<'a>(
    experiment: &'a Experiment,
    selected: &'a Selected,
) -> impl Iterator<Item = (&'a str, &'a Arc<Connection>)> {
    selected.profiles.iter().filter_map(|(profile, _)| {
        let connection = experiment.connections.get(&profile.alias)?;
        Some((profile.alias.as_str(), connection))
    })
}

/// The chat completions of a base URL, without key and headers; null when the connection has none.
fn own_endpoint(connection: &Connection) -> Result<Option<Endpoint>> {
    let url = connection.base_url.as_ref().map(|base| format!("{base}/chat/completions"));
    Ok(url.map(|url| Endpoint::new(&url)).transpose()?)
}

/// The connection's key and headers.
fn credentials(connection: &Connection) -> Result<Credentials> {
    let mut credentials = Credentials::default();
    if let Some(name) = &connection.api_key_env {
        credentials = credentials.bearer_from_env(name)?;
    }
    for (name, value) in &connection.headers {
        credentials = match value {
            HeaderValue::Text(text) => credentials.open_header(name, text)?,
            HeaderValue::Variable(variable_name) => match variable(variable_name) {
                Some(value) => credentials.header(name, &value)?,
                None => return Err(EndpointError::MissingKey(variable_name.clone()).into()),
            },
        };
    }
    Ok(credentials)
}
