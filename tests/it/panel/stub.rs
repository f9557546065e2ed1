//! A scripted judge on a loopback port.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use ragsql::panel::input::{Answer, Input, Question};
use ragsql::panel::order::OrderRule;
use ragsql::panel::plan::{Limits, Plan};
use ragsql::panel::prompt::Template;
use ragsql::panel::run::{Outcome, run};
use ragsql::panel::settings::{Address, Settings};
use ragsql::wire::judging::sections;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One request as the stub saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    pub body: String,
    pub authorization: Option<String>,
}

impl Seen {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn prompt(&self) -> String {
        self.json()["messages"][0]["content"].as_str().unwrap().to_owned()
    }

    pub fn judge(&self) -> String {
        self.json()["model"].as_str().unwrap().to_owned()
    }

    /// Labels and texts of the answers shown.
    pub fn answers(&self) -> Vec<(String, String)> {
        let prompt = self.prompt();
        let named = |name: &str| name.strip_prefix("answer ").map(str::to_owned);
        sections(&prompt).iter().filter_map(|section| Some((named(section.name)?, section.text.to_owned()))).collect()
    }
}

/// What the stub sends back.
pub enum Reply {
    /// A completion with this text.
    Text(String),
    /// A whole body.
    Body(Value),
    /// A status, headers, and a plain body.
    Status(u16, Vec<(&'static str, String)>, &'static str),
    /// Nothing, ever.
    Silence,
}

type Script = dyn Fn(usize, &Seen) -> Reply + Send + Sync;

/// A running stub; it ends with the runtime of the test.
pub struct Stub {
    pub address: Address,
    seen: Arc<Mutex<Vec<Seen>>>,
}

#[derive(Clone)]
struct Shared {
    seen: Arc<Mutex<Vec<Seen>>>,
    script: Arc<Script>,
    keeps: bool,
    count: Arc<std::sync::atomic::AtomicUsize>,
}

impl Stub {
    /// Starts a stub. The script gets the number of the call, from 0, and the request.
    pub async fn start(script: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(script, true).await
    }

    /// Starts a stub that forgets what it saw, for long runs.
    pub async fn forgetful(script: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(script, false).await
    }

    async fn with(script: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static, keeps: bool) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Shared { seen: seen.clone(), script: Arc::new(script), keeps, count: Arc::default() };
        let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(shared);
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/v1/chat/completions", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address: Address { url, api_key: None }, seen }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn answer(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> Response {
    let authorization = headers.get("authorization").map(|value| value.to_str().unwrap().to_owned());
    let seen = Seen { body: String::from_utf8(body.to_vec()).unwrap(), authorization };
    let number = shared.count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    if shared.keeps {
        shared.seen.lock().unwrap().push(seen.clone());
    }
    match (shared.script)(number, &seen) {
        Reply::Text(text) => completion(&text).to_string().into_response(),
        Reply::Body(body) => body.to_string().into_response(),
        Reply::Status(status, headers, body) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Reply::Silence => std::future::pending().await,
    }
}

/// A completion around a text.
pub fn completion(text: &str) -> Value {
    json!({"model": "stub-1", "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text}}]})
}

/// A verdict that gives every answer shown the score that `score` makes of its position and text.
pub fn verdict(seen: &Seen, score: impl Fn(usize, &str) -> f64) -> Reply {
    let answers = seen.answers();
    let scores: serde_json::Map<String, Value> = answers
        .iter()
        .enumerate()
        .map(|(position, (label, text))| (label.clone(), json!(score(position, text))))
        .collect();
    Reply::Text(json!({"scores": scores, "best": answers[0].0, "reason": "so be it"}).to_string())
}

/// An input of `questions` questions answered by `approaches`; the answer names both.
pub fn input(questions: usize, approaches: &[&str]) -> Input {
    let questions = (1..=questions).map(|number| Question {
        id: format!("q{number}"),
        query: format!("What is number {number}?"),
        need: None,
        expect_winner: Value::Null,
        answers: approaches
            .iter()
            .map(|name| Answer::new(name, Some(&format!("{name} says that it is {number}."))))
            .collect(),
    });
    Input { run_id: Some("r".into()), dataset_id: Some("d".into()), questions: questions.collect(), ..Input::default() }
}

/// A plan for judges behind a stub.
pub fn plan(input: Input, judges: &[&str]) -> Plan {
    Plan {
        input,
        settings: Settings {
            judges: judges.iter().map(|name| (*name).to_owned()).collect(),
            backend: "openai-compatible",
            endpoint: "http://stub/v1/chat/completions".into(),
            temperature: 0.0,
            thinking: None,
        },
        order: OrderRule::Stable,
        with_canaries: false,
        asks_unscored_again: false,
        limits: Limits { concurrency: 4, timeout: Duration::from_secs(20), retry_wait: Duration::ZERO },
    }
}

/// Runs a plan with the program's own template.
pub async fn judge(plan: &Plan, address: &Address, sidecar: &Path) -> Outcome {
    run(plan, address, &Template::built_in().unwrap(), sidecar, &|_| {}).await.unwrap()
}
