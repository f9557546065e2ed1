//! What a gateway is started with.
//!
//! Plain values, checked once at start-up; reads and writes nothing.

use super::graph::GraphConfig;
use super::roles::Roles;
use super::routing::RoutingConfig;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Everything a gateway needs.
pub struct Config {
    /// The aliases it answers to, bases included, in the order `/v1/models` lists them.
    pub aliases: Vec<AliasProfile>,
    /// The corpora it can ingest.
    pub profiles: Vec<ProfileSource>,
    /// Name of the profile whose collection answers questions.
    pub active_profile: String,
    /// The corpus mount: no document may lie outside, and `corpus_path` of a request is relative to it.
    pub corpus_root: PathBuf,
    /// The DuckDB file of the corpus index.
    pub index_file: PathBuf,
    /// Folder of the lazy graph's cache files.
    pub lazy_graph_cache: PathBuf,
    /// Who embeds, answers, reranks and evaluates.
    pub roles: Roles,
    /// How the knowledge graph is asked.
    pub graph: GraphConfig,
    /// How `n8n-adaptive-rag` finds who answers.
    pub routing: RoutingConfig,
    /// Where to listen; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Asked for in `Authorization: Bearer`; needed for any address but loopback.
    pub token: Option<String>,
}

/// One alias: a base approach with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct AliasProfile {
    /// What a client asks for.
    pub alias: String,
    /// Whose code answers.
    pub base: String,
    /// `default` for a base.
    pub flavor: String,
    /// Only what the base reads; missing ones take the base's defaults.
    pub params: BTreeMap<String, Param>,
}

/// A parameter value.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// At least 1.
    Integer(u64),
    /// 0 to 1.
    Number(f64),
    /// On or off.
    Switch(bool),
    /// A word.
    Text(String),
}

/// One corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileSource {
    /// The profile's name, normally the dataset id; its collection is `RagBase_<name>`.
    pub name: String,
    /// The folder with the documents, inside the corpus root.
    pub folder: PathBuf,
    /// Path of the folder relative to the corpus mount; every title begins with it.
    pub label: String,
}

/// Reads the parameters of one alias and notices those that nobody asked for.
pub(super) struct ParamReader<'a> {
    alias: &'a AliasProfile,
    known: Vec<&'static str>,
    wrong: Option<String>,
}

impl<'a> ParamReader<'a> {
    pub(super) fn new(alias: &'a AliasProfile) -> Self {
        Self { alias, known: Vec::new(), wrong: None }
    }

    pub(super) fn integer(&mut self, name: &'static str, default: usize) -> usize {
        match self.take(name) {
            None => default,
            Some(Param::Integer(value)) if *value >= 1 => usize::try_from(*value).unwrap_or(usize::MAX),
            Some(_) => self.refuse(name, "a whole number of 1 or more", default),
        }
    }

    pub(super) fn ratio(&mut self, name: &'static str, default: f64) -> f64 {
        match self.take(name) {
            None => default,
            Some(Param::Number(value)) if (0.0..=1.0).contains(value) => *value,
            Some(Param::Integer(value)) if *value <= 1 => *value as f64,
            Some(_) => self.refuse(name, "a number from 0 to 1", default),
        }
    }

    pub(super) fn switch(&mut self, name: &'static str, default: bool) -> bool {
        match self.take(name) {
            None => default,
            Some(Param::Switch(value)) => *value,
            Some(_) => self.refuse(name, "true or false", default),
        }
    }

    pub(super) fn word(&mut self, name: &'static str, default: &'static str) -> &'a str {
        match self.take(name) {
            None => default,
            Some(Param::Text(value)) => value,
            Some(_) => self.refuse(name, "a word", default),
        }
    }

    /// Ends the reading; the message names the first parameter that is wrong or unknown.
    pub(super) fn finish(self) -> Result<(), String> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        match self.alias.params.keys().find(|name| !self.known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let known = self.known.join("`, `");
                Err(format!(
                    "the alias `{}` has an unknown parameter `{name}`; its base reads `{known}`",
                    self.alias.alias
                ))
            }
        }
    }

    fn take(&mut self, name: &'static str) -> Option<&'a Param> {
        self.known.push(name);
        self.alias.params.get(name)
    }

    fn refuse<T>(&mut self, name: &str, wanted: &str, default: T) -> T {
        self.wrong.get_or_insert_with(|| {
            format!("the parameter `{name}` of the alias `{}` must be {wanted}", self.alias.alias)
        });
        default
    }
}
