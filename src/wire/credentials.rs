//! What is sent along with every call of a service, apart from where the service is.
//!
//! Reads keys from the environment. Everything here can be checked before the address of a service is known.

use super::call::EndpointError;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

/// Headers, and the texts that no message may show.
#[derive(Clone, Default)]
pub struct Credentials {
    headers: HeaderMap,
    secrets: Vec<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "Credentials({} headers)", self.headers.len())
    }
}

impl Credentials {
    /// Sends `Authorization: Bearer <key>`; an empty key sends nothing.
    pub fn bearer(self, key: &str) -> Result<Self, EndpointError> {
        if key.is_empty() {
            return Ok(self);
        }
        let mut credentials = self.header(AUTHORIZATION.as_str(), &format!("Bearer {key}"))?;
        credentials.secrets.push(key.to_owned());
        Ok(credentials)
    }

    /// Like [`Credentials::bearer`] with the value of an environment variable, which must be set.
    pub fn bearer_from_env(self, variable: &str) -> Result<Self, EndpointError> {
        match std::env::var(variable) {
            Ok(key) if !key.is_empty() => self.bearer(&key),
            _ => Err(EndpointError::MissingKey(variable.to_owned())),
        }
    }

    /// Sends one header that everybody may see.
    pub fn open_header(mut self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let refuse = || EndpointError::Header(name.to_owned());
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refuse())?;
        self.headers.insert(header, HeaderValue::from_str(value).map_err(|_| refuse())?);
        Ok(self)
    }

    /// Sends one header, its value verbatim and treated as a secret.
    pub fn header(self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let mut credentials = self.open_header(name, value)?;
        if let Some(sent) = credentials.headers.get_mut(name) {
            sent.set_sensitive(true);
        }
        credentials.secrets.push(value.to_owned());
        // "Bearer <key>": a service that echoes the key alone must not slip through.
        if let Some((_, key)) = value.split_once(' ') {
            credentials.secrets.push(key.to_owned());
        }
        Ok(credentials)
    }

    /// Both together; a header that both have is taken from `other`.
    pub fn and(mut self, other: Self) -> Self {
        self.headers.extend(other.headers);
        self.secrets.extend(other.secrets);
        self
    }

    /// Hides texts that are sent in another way, such as a password in the URL.
    pub(super) fn hiding(secrets: Vec<String>) -> Self {
        Self { headers: HeaderMap::new(), secrets }
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Replaces every secret inside `text` by `***`.
    pub fn redact(&self, text: &str) -> String {
        let mut secrets: Vec<&String> = self.secrets.iter().filter(|secret| !secret.is_empty()).collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }
}
