//! A gateway on an ephemeral loopback port with its own folder, and scripted models.

use ragsql::gateway::graph::GraphConfig;
use ragsql::gateway::roles::{
    Context, Embedder, Generated, Generator, Reranked, Reranker, RoleError, RoleFuture, Roles, Usage,
};
use ragsql::gateway::routing::RoutingConfig;
use ragsql::gateway::{AliasProfile, Config, Param, ProfileSource, Running, builtin, start};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Documents that tests ask about.
pub const DOCUMENTS: [(&str, &str); 4] = [
    ("001-pump.md", "# Pump Alpha\n\nPump Alpha moves water from the lower basin. It needs power from Grid Nine.\n"),
    ("002-grid.md", "# Grid Nine\n\nGrid Nine powers the Valve Station and Pump Alpha since March 2021.\n"),
    ("003-valve.txt", "The Valve Station controls drainage near Harbor Lock. Error E-4417 means a stuck valve.\n"),
    ("004-lock.md", "# Harbor Lock\n\nHarbor Lock keeps ships afloat when the tide is out.\n"),
];

/// A folder with a corpus, and room for the index beside it.
pub struct Site {
    pub folder: TempDir,
}

impl Site {
    pub fn new() -> Self {
        let site = Self::empty();
        for (name, text) in DOCUMENTS {
            site.write(name, text.as_bytes());
        }
        site
    }

    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("corpus/harbor")).unwrap();
        Self { folder }
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.corpus().join(name), bytes).unwrap();
    }

    pub fn corpus(&self) -> PathBuf {
        self.folder.path().join("corpus/harbor")
    }

    pub fn index(&self) -> PathBuf {
        self.folder.path().join("made/index.duckdb")
    }

    pub fn config(&self) -> Config {
        config(self.folder.path())
    }
}

pub fn alias(alias: &str, base: &str, flavor: &str, params: &[(&str, Param)]) -> AliasProfile {
    let params: BTreeMap<String, Param> =
        params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    AliasProfile { alias: alias.to_owned(), base: base.to_owned(), flavor: flavor.to_owned(), params }
}

fn config(folder: &Path) -> Config {
    Config {
        aliases: vec![
            alias("vanilla-rag", "vanilla-rag", "default", &[]),
            alias("vanilla-rag-wide", "vanilla-rag", "wide", &[("k", Param::Integer(8))]),
            alias("hybrid-rag", "hybrid-rag", "default", &[]),
            alias(
                "hybrid-rag-fast",
                "hybrid-rag",
                "fast",
                &[("rerank", Param::Switch(false)), ("top_n", Param::Integer(2))],
            ),
            alias("lazy-graph-rag", "lazy-graph-rag", "default", &[]),
        ],
        profiles: vec![ProfileSource {
            name: "harbor".to_owned(),
            folder: folder.join("corpus/harbor"),
            label: "harbor".to_owned(),
        }],
        active_profile: "harbor".to_owned(),
        corpus_root: folder.join("corpus"),
        index_file: folder.join("made/index.duckdb"),
        lazy_graph_cache: folder.join("lazy"),
        roles: builtin::roles(),
        graph: GraphConfig::default(),
        routing: RoutingConfig::default(),
        bind: "127.0.0.1:0".parse().unwrap(),
        token: None,
    }
}

/// A served gateway and a client for it.
pub struct Served {
    pub running: Running,
    pub client: reqwest::Client,
    pub base: String,
}

impl Served {
    pub async fn start(config: Config) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let running = start(config).await.unwrap();
        let base = format!("http://{}", running.address);
        Self { running, client: reqwest::Client::new(), base }
    }

    /// Starts and ingests the corpus.
    pub async fn ready(config: Config) -> Self {
        let served = Self::start(config).await;
        let record = served.ingest().await;
        assert_eq!(record["status"], "completed", "{record}");
        served
    }

    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.post_text(path, body.to_string()).await
    }

    pub async fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> (u16, Value) {
        let response = self.client.post(format!("{}{path}", self.base)).body(body).send().await.unwrap();
        read(response).await
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        read(self.client.get(format!("{}{path}", self.base)).send().await.unwrap()).await
    }

    pub async fn ask(&self, model: &str, question: &str) -> (u16, Value) {
        self.post("/v1/chat/completions", &request(model, question)).await
    }

    pub async fn ingest(&self) -> Value {
        let (status, accepted) = self.post("/api/rag/ingestions", &json!({"profile": "harbor"})).await;
        assert_eq!(status, 202, "{accepted}");
        self.wait(accepted["ingestion_id"].as_str().unwrap()).await
    }

    /// Polls until the job has ended.
    pub async fn wait(&self, id: &str) -> Value {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let (status, record) = self.get(&format!("/api/rag/ingestions/{id}")).await;
            assert_eq!(status, 200, "{record}");
            if ["completed", "failed", "cancelled"].contains(&record["status"].as_str().unwrap()) {
                return record;
            }
            assert!(Instant::now() < deadline, "{record}");
            tokio::task::yield_now().await;
        }
    }
}

pub fn request(model: &str, question: &str) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": question}]})
}

async fn read(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// A model that fails, or answers as told.
#[derive(Clone)]
pub struct Scripted {
    pub answer: Result<String, String>,
    pub usage: Option<Usage>,
}

impl Scripted {
    fn failure(message: &str) -> RoleError {
        RoleError::new("scripted/model", message)
    }
}

impl Generator for Scripted {
    fn name(&self) -> &str {
        "scripted/model"
    }
    fn generate<'a>(&'a self, _: &'a str, _: &'a [Context]) -> RoleFuture<'a, Generated> {
        let usage = self.usage;
        let result = self.answer.clone().map(|answer| Generated { answer, usage, ..Generated::default() });
        Box::pin(async move { result.map_err(|message| Self::failure(&message)) })
    }
}

/// Embeds like the built-in model while `open` is true; fails otherwise.
pub struct Gated {
    pub open: Arc<std::sync::atomic::AtomicBool>,
}

impl Embedder for Gated {
    fn name(&self) -> &str {
        builtin::EMBEDDING
    }
    fn dimension(&self) -> usize {
        builtin::DIMENSION
    }
    fn embed<'a>(&'a self, texts: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>> {
        Box::pin(async move {
            if self.open.load(std::sync::atomic::Ordering::SeqCst) {
                Ok(texts.iter().map(|text| builtin::embed(text)).collect())
            } else {
                Err(Scripted::failure("status 503"))
            }
        })
    }
}

/// Never answers.
pub struct Silent {
    pub asked: Arc<tokio::sync::Notify>,
    pub dropped: Arc<tokio::sync::Notify>,
}

struct NotifyOnDrop(Arc<tokio::sync::Notify>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Embedder for Silent {
    fn name(&self) -> &str {
        builtin::EMBEDDING
    }
    fn dimension(&self) -> usize {
        builtin::DIMENSION
    }
    fn embed<'a>(&'a self, _: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>> {
        Box::pin(async move {
            let _dropped = NotifyOnDrop(Arc::clone(&self.dropped));
            self.asked.notify_one();
            std::future::pending().await
        })
    }
}

/// A reranker that is down.
pub struct DownReranker;

impl Reranker for DownReranker {
    fn name(&self) -> &str {
        "scripted/down"
    }
    fn rerank<'a>(&'a self, _: &'a str, _: &'a [String]) -> RoleFuture<'a, Vec<Reranked>> {
        Box::pin(async { Err(Scripted::failure("status 503")) })
    }
}

pub fn with_generator(mut roles: Roles, generator: impl Generator + 'static) -> Roles {
    roles.light_gen = Arc::new(generator);
    roles
}
