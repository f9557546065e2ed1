//! The embedded gateway from experiment files: which aliases, which corpus, which models, which index file.

use super::roles::Models;
use crate::commands::context::Context;
use crate::commands::import::make_folder;
use crate::error::{Failure, Kind, Result};
use crate::experiment::dataset::Dataset;
use crate::experiment::flavor::{Param, Profile};
use crate::experiment::load::Experiment;
use crate::gateway::corpus::CorpusError;
use crate::gateway::graph::GraphConfig;
use crate::gateway::ingestion::IngestionModels;
use crate::gateway::routing::RoutingConfig;
use crate::gateway::{self, AliasProfile, Config, GatewayError, IngestionIdentity, ProfileSource, Running};
use crate::ui;
use crate::wire::ingest::client::{self, Ingested, Submission};
use serde_json::{Map, Value};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an ingestion by our own gateway may take, in seconds: a day, because models behind endpoints may read every
/// chunk, and Ctrl-C ends the wait.
const INGESTION_BUDGET_S: f64 = 86_400.0;
/// Pause between two looks at an ingestion, in seconds.
const POLL_S: f64 = 0.02;

/// The part of an index file's name that comes from the model.
const LONGEST_SLUG_CHARS: usize = 80;
/// Hash digits behind a name that lost characters.
const SLUG_HASH_CHARS: usize = 8;

/// Our gateway over one dataset's corpus, ready to be started.
pub struct Embedded {
    aliases: Vec<AliasProfile>,
    profile: ProfileSource,
    corpus_root: PathBuf,
    index_file: PathBuf,
    lazy_graph_cache: PathBuf,
    models: Models,
    graph: GraphConfig,
    routing: RoutingConfig,
    /// Null without documents.
    identity: Option<IngestionIdentity>,
}

/// A started gateway; its private index, when it has one, lives as long.
pub struct Started {
    running: Running,
    _private_index: Option<tempfile::TempDir>,
}

impl Started {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// Stops it and waits until it is gone.
    pub async fn stop(self) {
        if let Err(error) = self.running.stop().await {
            ui::warning(&error.to_string());
        }
    }
}

impl Embedded {
    /// Reads the corpus to name its ingestion; starts nothing.
    pub fn prepare(context: &Context, experiment: &Experiment, dataset: &Dataset) -> Result<Self> {
        let folder = &dataset.corpus_path;
        if !folder.is_dir() {
            let message =
                format!("the corpus folder `{}` of dataset `{}` does not exist", context.shown(folder), dataset.id);
            return Err(Failure::new(Kind::Input, message).hint("nothing was called"));
        }
        let bases: Vec<&str> = experiment.manifest.approaches.iter().map(|approach| approach.model.as_str()).collect();
        let offered = experiment.flavors.iter().filter(|profile| bases.contains(&profile.base.as_str()));
        let aliases: Vec<AliasProfile> = offered.map(|profile| alias(profile)).collect();
        let mut embedded = Self::without_documents(context, experiment, dataset)?;
        let needed = IngestionModels::needed(&aliases, &embedded.models.roles, &embedded.graph, &embedded.routing);
        let identity = gateway::ingestion::offline_record(&embedded.corpus_root, &embedded.profile, &needed)?;
        embedded.aliases = aliases;
        embedded.identity = Some(identity);
        Ok(embedded)
    }

    /// A gateway for its evaluator and its judges alone: it answers to no alias and reads no document.
    pub fn without_documents(context: &Context, experiment: &Experiment, dataset: &Dataset) -> Result<Self> {
        let folder = &dataset.corpus_path;
        let label = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let corpus_root = folder.parent().unwrap_or(folder).to_path_buf();
        let profile = ProfileSource { name: dataset.ingestion_profile.clone(), folder: folder.clone(), label };
        let models = Models::choose(context, &experiment.roles)?;
        let index_file = context.results().join(index_name(models.roles.embed.name()));
        let graph = super::roles::graph(&experiment.roles)?;
        let routing = super::roles::routing(&experiment.roles)?;
        Ok(Self {
            aliases: Vec::new(),
            profile,
            graph,
            routing,
            corpus_root,
            index_file,
            lazy_graph_cache: context.results().join("lazy-graph"),
            models,
            identity: None,
        })
    }

    /// The aliases it answers to, sorted.
    pub fn aliases(&self) -> Vec<String> {
        let mut names: Vec<String> = self.aliases.iter().map(|alias| alias.alias.clone()).collect();
        names.sort();
        names
    }

    /// The model of each role with its provider and settings.
    pub fn roles(&self) -> Map<String, Value> {
        self.models.inventory.clone()
    }

    /// The models that score answers: the evaluator, and what it embeds with.
    pub fn scoring_roles(&self) -> Map<String, Value> {
        self.roles().into_iter().filter(|(role, _)| ["embed", "ragas_evaluator"].contains(&role.as_str())).collect()
    }

    /// Whether answers come from a built-in heuristic.
    pub fn answers_by_itself(&self) -> bool {
        self.answer_provider() == Some("builtin")
    }

    /// Which models embed and answer.
    pub fn models_described(&self) -> String {
        let roles = &self.models.roles;
        format!("embed {}, answers {}", roles.embed.name(), roles.light_gen.name())
    }

    /// Who provides the model that answers.
    pub fn answer_provider(&self) -> Option<&str> {
        self.models.inventory.get("light_gen")?.get("provider")?.as_str()
    }

    /// `reproducibility.ingestion` of the rows.
    pub fn ingestion(&self) -> Map<String, Value> {
        let Some(IngestionIdentity { id, revision, content_digest }) = &self.identity else { return Map::new() };
        let parts = [
            ("id", id.as_str()),
            ("job_id", id),
            ("profile", &self.profile.name),
            ("revision", revision),
            ("content_digest", content_digest),
            ("mode", "embedded"),
        ];
        parts.into_iter().map(|(key, value)| (key.to_owned(), Value::String(value.to_owned()))).collect()
    }

    /// Starts serving. While another process has the index open, a private one is built for as long as this gateway runs.
    pub async fn start(&self, bind: SocketAddr, token: Option<String>) -> Result<Started> {
        if self.identity.is_none() {
            return self.start_private(bind, token).await;
        }
        if let Some(folder) = self.index_file.parent() {
            make_folder(folder)?;
        }
        match gateway::start(self.config(bind, token.clone(), &self.index_file)).await {
            Ok(running) => Ok(Started { running, _private_index: None }),
            Err(GatewayError::Corpus(CorpusError::Busy { .. })) => {
                tracing::info!("the corpus index is in use; building a private one");
                self.start_private(bind, token).await
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn start_private(&self, bind: SocketAddr, token: Option<String>) -> Result<Started> {
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::new(Kind::Outside, format!("no temporary folder can be made: {error}")))?;
        let file = folder.path().join("corpus.duckdb");
        let running = gateway::start(self.config(bind, token, &file)).await?;
        Ok(Started { running, _private_index: Some(folder) })
    }

    fn config(&self, bind: SocketAddr, token: Option<String>, index_file: &Path) -> Config {
        Config {
            aliases: self.aliases.clone(),
            profiles: vec![self.profile.clone()],
            active_profile: self.profile.name.clone(),
            corpus_root: self.corpus_root.clone(),
            index_file: index_file.to_path_buf(),
            lazy_graph_cache: self.lazy_graph_cache.clone(),
            roles: self.models.roles.clone(),
            graph: self.graph.clone(),
            routing: self.routing.clone(),
            bind,
            token,
        }
    }

    /// Has the corpus ingested over HTTP, like any client, and says what came of it in one line.
    pub async fn ingest(&self, address: SocketAddr, token: Option<&str>) -> Result<String> {
        let started = Instant::now();
        let submission = Submission {
            base_url: &format!("http://{address}"),
            token,
            profile: &self.profile.name,
            corpus_path: None,
            budget_s: INGESTION_BUDGET_S,
            poll_s: POLL_S,
        };
        let ingested = client::ingest(&submission).await?;
        Ok(told(&ingested, started.elapsed()))
    }
}

fn alias(profile: &Profile) -> AliasProfile {
    let value = |param: &Param| match param {
        Param::Integer(value) => gateway::Param::Integer(*value),
        Param::Number(value) => gateway::Param::Number(*value),
        Param::Switch(value) => gateway::Param::Switch(*value),
        Param::Text(value) => gateway::Param::Text(value.clone()),
    };
    AliasProfile {
        alias: profile.alias.clone(),
        base: profile.base.clone(),
        flavor: profile.flavor.clone(),
        params: profile.params.iter().map(|(name, param)| (name.clone(), value(param))).collect(),
    }
}

/// The index file of an embedding model: every model has its own, so that switching presets loses nothing.
fn index_name(embedding: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let mut slug: String = embedding.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    let told_apart = embedding.chars().all(|c| plain(c) || matches!(c, '/' | '@' | ':'));
    if !told_apart || slug.len() > LONGEST_SLUG_CHARS {
        slug.truncate(LONGEST_SLUG_CHARS);
        let hash = gateway::identity::sha256_hex(embedding.as_bytes());
        slug.push_str(&format!("-{}", &hash[..SLUG_HASH_CHARS]));
    }
    format!("corpus-{slug}.duckdb")
}

fn told(ingested: &Ingested, elapsed: Duration) -> String {
    let count = |name: &str| ingested.record.get("counts").and_then(|counts| counts[name].as_u64()).unwrap_or(0);
    let errors = ingested.record.get("errors").and_then(Value::as_array);
    let skipped = errors.map_or(0, |errors| errors.iter().filter(|error| error["file"].is_string()).count());
    let several = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let mut line = format!("{}, {}", several(count("documents_parsed"), "file"), several(count("chunks"), "chunk"));
    if skipped > 0 {
        line.push_str(&format!(", {} skipped", several(skipped as u64, "file")));
    }
    if count("chunks_unreadable") > 0 {
        let unreadable = several(count("chunks_unreadable"), "chunk");
        line.push_str(&format!(", {unreadable} that the extract role could not read"));
        let phases = ingested.record.get("phases").and_then(Value::as_array).into_iter().flatten();
        let noted = phases.filter(|phase| phase["counts"]["chunks_unreadable"].is_u64());
        for note in noted.filter_map(|phase| phase["note"].as_str()) {
            line.push_str(&format!(": {note}"));
        }
    }
    match ingested.was_there {
        true => line.push_str(" (there already)"),
        false => line.push_str(&format!(" ({:.1} s)", elapsed.as_secs_f64())),
    }
    line
}
