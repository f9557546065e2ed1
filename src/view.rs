//! Results in a browser: the run list, the report, and a read-only SQL console, on the loopback interface only.
//!
//! Reads what [`Results`] gives, afresh for every request, so a run in progress can be watched. Writes nothing. Answers
//! only requests that name the loopback interface as their host, so that a page of another site cannot read results by
//! pointing its own name here (DNS rebinding), and nobody else's page can have statements run.

mod console;
mod guard;

pub use console::ROOM;

use crate::report::page::Pages;
use crate::warehouse::Table;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::json;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Requests that are worked on at the same time; others wait.
const AT_ONCE: usize = 2;

/// Why there is no answer: messages, then hints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem {
    /// At least one.
    pub messages: Vec<String>,
    /// What to do next.
    pub hints: Vec<String>,
}

/// What there is to show. Called on threads that may block.
pub trait Results: Send + Sync + 'static {
    /// The templates, the project's own included.
    fn pages(&self) -> Result<Pages, Problem>;
    /// Every run with how it stands.
    fn runs(&self) -> Result<Table, Problem>;
    /// The report of one run, or of all.
    fn report(&self, run_id: Option<&str>) -> Result<String, Problem>;
    /// Whether there are published files.
    fn has_published(&self) -> Result<bool, Problem>;
    /// The leaderboards of published files; nothing when there are none.
    fn published(&self) -> Result<Option<String>, Problem>;
    /// The answer to a statement, and where it comes from when that is not the warehouse.
    fn ask(&self, statement: &str) -> Result<(Table, Option<String>), Problem>;
}

/// A socket that is bound and not yet answering.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

/// Binds a port of the loopback interface; 0 takes any free one.
pub async fn bind(port: u16) -> std::io::Result<Bound> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    Ok(Bound { listener, address })
}

impl Bound {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` comes.
    pub async fn serve(
        self,
        results: Arc<dyn Results>,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        axum::serve(self.listener, router(results, self.address.port())).with_graceful_shutdown(stop).await
    }
}

#[derive(Clone)]
struct Shared {
    results: Arc<dyn Results>,
    places: Arc<Semaphore>,
}

/// All routes.
pub fn router(results: Arc<dyn Results>, port: u16) -> Router {
    let shared = Shared { results, places: Arc::new(Semaphore::new(AT_ONCE)) };
    Router::new()
        .route("/", get(home))
        .route("/report", get(report))
        .route("/published", get(published))
        .route("/sql", get(sql))
        .fallback(|| async { told(StatusCode::NOT_FOUND, Problem::new("there is no such page")) })
        .layer(from_fn_with_state(port, guard::check))
        .with_state(shared)
}

impl Problem {
    /// One message without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self { messages: vec![message.into()], hints: Vec::new() }
    }
}

#[derive(Deserialize)]
struct RunQuery {
    run: Option<String>,
}

#[derive(Deserialize)]
struct SqlQuery {
    statement: Option<String>,
}

async fn home(State(shared): State<Shared>) -> Response {
    blocking(shared, |results| {
        let runs = console::rows(&results.runs()?);
        let has_published = results.has_published()?;
        page(results, "home", "Results", &json!({"runs": runs, "has_published": has_published}))
    })
    .await
}

async fn report(State(shared): State<Shared>, Query(query): Query<RunQuery>) -> Response {
    blocking(shared, move |results| results.report(query.run.as_deref())).await
}

async fn published(State(shared): State<Shared>) -> Response {
    blocking(shared, |results| results.published()?.ok_or_else(|| Problem::new("nothing is published yet"))).await
}

async fn sql(State(shared): State<Shared>, Query(query): Query<SqlQuery>) -> Response {
    blocking(shared, move |results| {
        let statement = query.statement.unwrap_or_default();
        let answer = if statement.trim().is_empty() { None } else { Some(results.ask(&statement)) };
        page(results, "console", "SQL console", &console::values(&statement, answer))
    })
    .await
}

fn page(results: &dyn Results, name: &str, title: &str, values: &serde_json::Value) -> Result<String, Problem> {
    results.pages()?.render_view(name, title, values).map_err(|error| Problem::new(error.to_string()))
}

/// Runs work that reads files and databases; at most [`AT_ONCE`] at a time.
async fn blocking(
    shared: Shared,
    work: impl FnOnce(&dyn Results) -> Result<String, Problem> + Send + 'static,
) -> Response {
    let Ok(place) = shared.places.acquire_owned().await else {
        return told(StatusCode::SERVICE_UNAVAILABLE, Problem::new("the server is stopping"));
    };
    let done = tokio::task::spawn_blocking(move || {
        let answer = work(shared.results.as_ref());
        drop(place);
        answer
    });
    match done.await {
        Ok(Ok(text)) => Html(text).into_response(),
        Ok(Err(problem)) => told(StatusCode::UNPROCESSABLE_ENTITY, problem),
        Err(error) => told(StatusCode::INTERNAL_SERVER_ERROR, Problem::new(error.to_string())),
    }
}

fn told(status: StatusCode, problem: Problem) -> Response {
    let mut text: String = problem.messages.iter().map(|message| format!("error: {message}\n")).collect();
    text.extend(problem.hints.iter().map(|hint| format!("hint: {hint}\n")));
    (status, text).into_response()
}
