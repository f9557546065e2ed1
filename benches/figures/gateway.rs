//! A gateway and evaluator that answer at once, in a process of their own.
//!
//! `/small` gives a short answer, `/large` one whose row takes about 9 KB. Sixty-four different answers take turns, so
//! that compression does not flatter the warehouse.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The argument that makes this binary the gateway.
pub const SERVE: &str = "serve";
/// The approaches it offers.
pub const MODELS: [&str; 4] = ["vanilla-rag", "hybrid-rag", "graph-rag", "lazy-graph-rag"];
const ANSWERS_N: usize = 64;

/// A running gateway; it ends with its owner.
pub struct Gateway {
    child: Child,
    url: String,
}

impl Gateway {
    /// Starts this binary again as a gateway on an ephemeral loopback port.
    pub fn start() -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let mut child = Command::new(program)
            .arg(SERVE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the gateway starts");
        let mut url = String::new();
        let output = child.stdout.as_mut().expect("its output is a pipe");
        BufReader::new(output).read_line(&mut url).expect("it says where it listens");
        Self { child, url: url.trim().to_owned() }
    }

    /// Base URL of the short answers.
    pub fn small(&self) -> String {
        format!("{}/small", self.url)
    }

    /// Base URL of the long answers.
    pub fn large(&self) -> String {
        format!("{}/large", self.url)
    }

    /// Where the judges answer: completions with a verdict on as many answers as [`crate::judges`] shows.
    pub fn judges(&self) -> String {
        format!("{}/judges/v1/chat/completions", self.url)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves until the process that started it is gone.
pub fn serve() -> ExitCode {
    std::thread::spawn(|| {
        // Standard input ends with the other process, however that ends.
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        println!("http://{}", listener.local_addr().expect("an address"));
        std::io::stdout().flush().expect("the owner listens");
        let app = Router::new()
            .nest("/small", service(|_| small()))
            .nest("/large", service(large))
            .nest("/judges", service(verdict));
        axum::serve(listener, app).await.expect("it serves");
    });
    ExitCode::SUCCESS
}

struct Answers {
    bodies: Vec<Bytes>,
    next: AtomicUsize,
}

fn service(body: impl Fn(usize) -> serde_json::Value) -> Router {
    let bodies = (0..ANSWERS_N).map(|number| Bytes::from(body(number).to_string())).collect();
    let models = json!({"data": MODELS.map(|id| json!({"id": id}))}).to_string();
    let scores = Bytes::from(
        json!({
            "metrics": ["faithfulness", "answer_relevancy", "context_precision", "context_recall"],
            "record_count": 1,
            "evaluator_model": "bench/evaluator",
            "embeddings_model": "bench/embeddings",
            "results": [{
                "record_index": 0,
                "scores": {
                    "faithfulness": 0.75, "answer_relevancy": 0.8125, "context_precision": 1.0, "context_recall": 0.5,
                },
                "metadata": {"reasons": {}, "details": {}},
            }],
            "metadata": {},
        })
        .to_string(),
    );
    Router::new()
        .route("/v1/models", get(move || async move { ([(CONTENT_TYPE, "application/json")], models) }))
        .route("/api/rag/evaluate", post(move |_: Bytes| async move { ([(CONTENT_TYPE, "application/json")], scores) }))
        .route("/v1/chat/completions", post(answer))
        .with_state(Arc::new(Answers { bodies, next: AtomicUsize::new(0) }))
}

async fn answer(
    State(answers): State<Arc<Answers>>,
    _request: Bytes,
) -> ([(axum::http::HeaderName, &'static str); 1], Bytes) {
    let number = answers.next.fetch_add(1, Ordering::Relaxed) % answers.bodies.len();
    ([(CONTENT_TYPE, "application/json")], answers.bodies[number].clone())
}

fn small() -> serde_json::Value {
    json!({
        "id": "bench", "model": "bench",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Forty-two."}, "finish_reason": "stop"}],
    })
}

/// A whole verdict, a different one for each number.
fn verdict(number: usize) -> serde_json::Value {
    let scores: serde_json::Map<String, serde_json::Value> = (0..crate::judges::ANSWERS_N)
        .map(|place| (ragsql::panel::order::label(place), json!(1 + (number * 7 + place * 3) % 5)))
        .collect();
    let content = json!({"scores": scores, "best": "A", "reason": "so be it"}).to_string();
    json!({
        "id": "bench", "model": "bench",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
    })
}

fn large(number: usize) -> serde_json::Value {
    let mut words = Words { state: 0x9E37_79B9_7F4A_7C15 ^ number as u64 };
    let sources: Vec<_> = (0..4)
        .map(|place| {
            json!({"title": format!("folder/document-{place}.md"), "snippet": words.text(720), "score": 1.0 / (place + 2) as f64})
        })
        .collect();
    json!({
        "id": format!("bench-{number}"), "model": "bench",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": words.text(500)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 120, "total_tokens": 1020},
        "rag_showcase": {
            "schema_version": 1,
            "approach": "bench",
            "sources": sources,
            "metrics": {"latency_s": 1.25, "prompt_tokens": 900, "completion_tokens": 120, "llm_calls": 1, "chunks": 4},
            "metadata": {},
        },
    })
}

/// Made-up words, the same in every run.
struct Words {
    state: u64,
}

impl Words {
    fn text(&mut self, length: usize) -> String {
        let mut text = String::with_capacity(length + 12);
        while text.len() < length {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            let letters = 2 + self.state % 8;
            text.extend((0..letters).map(|place| char::from(b'a' + (self.state >> (8 + 5 * place)) as u8 % 26)));
            text.push(if self.state.is_multiple_of(11) { '\n' } else { ' ' });
        }
        text
    }
}
