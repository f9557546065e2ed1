//! The HTTP server: one router, small handlers, two error shapes.
//!
//! Reads requests, asks the approaches, the ingestion manager and the evaluator, writes responses. Listens on loopback
//! unless a token protects it. A client that goes away takes the work behind its request with it.

mod auth;
mod chat;
mod embeddings;
mod errors;
mod evaluate;
mod ingestions;
mod inventory;
mod judges;
mod reply;
mod request;
mod stream;

use super::GatewayError;
use super::approaches::Approach;
use super::config::{AliasProfile, Config};
use super::corpus::Corpus;
use super::engine::{Engine, turns};
use super::identity::{collection, contextual_collection};
use super::ingestion::{IngestionError, IngestionIdentity, IngestionModels, Ingestions, offline_record};
use super::lazy_graph::LazyGraph;
use super::routing::RouteMap;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Larger request bodies are refused with 413.
const LARGEST_BODY_BYTES: usize = 32 * 1024 * 1024;
/// How long requests in flight may go on after a shutdown was asked for.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);
/// How long to wait for the last statement before the index file may still be open.
const CLOSING_GRACE: Duration = Duration::from_secs(10);

/// What handlers share.
struct State {
    engine: Arc<Engine>,
    ingestions: Ingestions,
    aliases: Vec<Alias>,
    active_profile: String,
    token: Option<String>,
    /// Unix seconds.
    started_at: u64,
}

/// An alias with its checked approach.
struct Alias {
    profile: AliasProfile,
    approach: Approach,
}

/// A gateway that serves.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Cancel it to stop; requests in flight get a second.
    pub shutdown: CancellationToken,
    /// Ends when the server has stopped.
    pub join: JoinHandle<Result<(), GatewayError>>,
}

impl Running {
    /// Stops the gateway and waits until it is gone; jobs stop where they stand and can be submitted again.
    pub async fn stop(self) -> Result<(), GatewayError> {
        self.shutdown.cancel();
        self.join.await.unwrap_or(Ok(()))
    }
}

/// Computes the identity that ingesting a profile would have, from files alone.
pub fn identity_of(config: &Config, profile: &str) -> Result<IngestionIdentity, IngestionError> {
    let Some(source) = config.profiles.iter().find(|source| source.name == profile) else {
        let known: Vec<&str> = config.profiles.iter().map(|source| source.name.as_str()).collect();
        return Err(IngestionError::UnknownProfile { profile: profile.to_owned(), known: known.join("`, `") });
    };
    let models = IngestionModels::needed(&config.aliases, &config.roles, &config.graph, &config.routing);
    offline_record(&config.corpus_root, source, &models)
}

/// Checks the configuration, opens the corpus index, and starts serving.
///
/// Asks an embedding model behind an endpoint for its dimension first.
pub async fn start(config: Config) -> Result<Running, GatewayError> {
    config.roles.embed.prepare().await?;
    check(&config)?;
    let aliases = aliases(&config.aliases, &config.routing.routes)?;
    let (file, embedder) = (config.index_file.clone(), Arc::clone(&config.roles.embed));
    let open = move || Corpus::open(&file, embedder.name(), embedder.dimension());
    let opened = tokio::task::spawn_blocking(open).await;
    let corpus =
        opened.map_err(|_| GatewayError::Configuration("the corpus index could not be opened".to_owned()))??;
    let corpus = Arc::new(corpus);
    let models = IngestionModels::needed(&config.aliases, &config.roles, &config.graph, &config.routing);
    let ingestions = Ingestions::new(Arc::clone(&corpus), models, config.corpus_root, config.profiles);
    let engine = Arc::new(Engine {
        corpus,
        quiet_query: Arc::clone(&config.roles.query),
        roles: config.roles,
        collection: collection(&config.active_profile),
        contextual_collection: contextual_collection(&config.active_profile),
        graph: config.graph,
        n8n: config.routing.webhook,
        lazy_graph: Arc::new(LazyGraph::new(config.lazy_graph_cache)),
        turns: turns(),
    });
    let started_at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (active_profile, token) = (config.active_profile, config.token);
    let state = Arc::new(State { engine, ingestions, aliases, active_profile, token, started_at });
    let failed = |source| GatewayError::Listen { address: config.bind, source };
    let listener = TcpListener::bind(config.bind).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let shutdown = CancellationToken::new();
    let join = tokio::spawn(serve(listener, address, state, shutdown.clone()));
    Ok(Running { address, shutdown, join })
}

async fn serve(
    listener: TcpListener,
    address: SocketAddr,
    state: Arc<State>,
    shutdown: CancellationToken,
) -> Result<(), GatewayError> {
    let ingestions = state.ingestions.clone();
    let corpus = Arc::downgrade(&state.engine.corpus);
    let server = axum::serve(listener, router(state)).with_graceful_shutdown(shutdown.clone().cancelled_owned());
    let result = tokio::select! {
        result = async { server.await } => result,
        () = async {
            shutdown.cancelled().await;
            tokio::time::sleep(SHUTDOWN_GRACE).await;
        } => Ok(()),
    };
    ingestions.abandon();
    drop(ingestions);
    // Whoever waits for the end may open the index file again, so it has to be closed by then.
    let closed = async {
        while corpus.strong_count() > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    if tokio::time::timeout(CLOSING_GRACE, closed).await.is_err() {
        tracing::warn!("the corpus index is still in use after the gateway stopped");
    }
    result.map_err(|source| GatewayError::Listen { address, source })
}

fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/health", get(inventory::health))
        .route("/v1/models", get(inventory::models))
        .route("/v1/chat/completions", post(chat::by_alias))
        .route("/v1/embeddings", post(embeddings::embed))
        .route("/rag/health", get(inventory::rag_health))
        .route("/rag/{base}/v1/chat/completions", post(chat::by_base))
        .route("/api/rag/ingestions", post(ingestions::submit).get(ingestions::list))
        .route("/api/rag/ingestions/{id}", get(ingestions::poll))
        .route("/api/rag/ingestions/{id}/cancel", post(ingestions::cancel))
        .route("/api/rag/evaluate", post(evaluate::evaluate))
        .fallback(errors::not_found)
        .method_not_allowed_fallback(errors::method_not_allowed)
        .layer(DefaultBodyLimit::max(LARGEST_BODY_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), auth::require_token))
        .with_state(state)
}

fn check(config: &Config) -> Result<(), GatewayError> {
    let wrong = |message: String| Err(GatewayError::Configuration(message));
    if config.token.is_none() && !config.bind.ip().is_loopback() {
        return Err(GatewayError::TokenNeeded { address: config.bind });
    }
    if config.token.as_deref().is_some_and(|token| token.trim().is_empty()) {
        return wrong("the token is blank".to_owned());
    }
    if config.roles.embed.dimension() == 0 {
        return wrong(format!("the model `{}` gives vectors without components", config.roles.embed.name()));
    }
    let mut names = HashSet::new();
    for profile in &config.profiles {
        if !valid_profile_name(&profile.name) {
            return wrong(format!("`{}` is no profile name: use a-z, 0-9, then also `.`, `_`, `-`", profile.name));
        }
        if !names.insert(&profile.name) {
            return wrong(format!("the profile `{}` appears twice", profile.name));
        }
    }
    if !names.contains(&config.active_profile) {
        return wrong(format!("the active profile `{}` is not among the profiles", config.active_profile));
    }
    check_graph(config)
}

/// Every alias of `graph-rag` needs a query profile of its name that can be used.
fn check_graph(config: &Config) -> Result<(), GatewayError> {
    for alias in config.aliases.iter().filter(|alias| alias.base == "graph-rag") {
        let Some(profile) = config.graph.profile(&alias.alias) else {
            let known: Vec<&str> = config.graph.profiles.iter().map(|profile| profile.name.as_str()).collect();
            return Err(GatewayError::Configuration(format!(
                "the alias `{}` has no graph query profile of its name; known are `{}`",
                alias.alias,
                known.join("`, `")
            )));
        };
        if config.graph.lightrag.is_none() {
            config.graph.settings(Some(profile), None).map_err(GatewayError::Configuration)?;
        }
    }
    Ok(())
}

fn valid_profile_name(name: &str) -> bool {
    let plain = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    name.starts_with(plain) && name.chars().all(|character| plain(character) || matches!(character, '.' | '_' | '-'))
}

fn aliases(profiles: &[AliasProfile], routes: &RouteMap) -> Result<Vec<Alias>, GatewayError> {
    let mut names = HashSet::new();
    profiles
        .iter()
        .map(|profile| {
            if !names.insert(&profile.alias) {
                return Err(GatewayError::Configuration(format!("the alias `{}` appears twice", profile.alias)));
            }
            let approach = Approach::from_alias(profile, profiles, routes).map_err(GatewayError::Configuration)?;
            Ok(Alias { profile: profile.clone(), approach })
        })
        .collect()
}
