//! A scripted HTTP service on an ephemeral loopback port: a gateway, an evaluator or a judge that does as told.
//!
//! The script is a function from what was seen to a reply. Everything that came in is kept, with the time and the
//! number of requests in flight, so that tests can look at order, pauses and crowding.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// One request as it came in.
#[derive(Debug, Clone)]
pub struct Seen {
    /// When the request was complete.
    pub at: Instant,
    /// 0 for the first request of this stub.
    pub number: usize,
    /// Requests being answered at that moment, this one included.
    pub in_flight: usize,
    pub path: String,
    /// What stands behind the question mark; null when there is none.
    pub query: Option<String>,
    pub headers: HeaderMap,
    /// The body as JSON; null when it is not JSON.
    pub body: Value,
}

impl Seen {
    /// The text of a header; empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The alias that was asked for.
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }
}

/// What the stub does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A status with headers and a whole body.
    Whole { status: u16, headers: Vec<(&'static str, String)>, body: Vec<u8> },
    /// Waits, then does the other.
    After(Duration, Box<Reply>),
    /// Never answers.
    Hang,
    /// Sends status 200 and blanks, one every few milliseconds, for ever.
    Trickle,
    /// Sends status 200 and half a body, then breaks the connection.
    Break,
    /// Sends status 200 and an event stream piece by piece; before piece i it waits for permit i of the gate, when there
    /// is one. Counts as in flight until its end.
    Events { pieces: Vec<Vec<u8>>, gate: Option<Arc<tokio::sync::Semaphore>> },
}

impl Reply {
    pub fn json(value: Value) -> Self {
        Self::text(200, &value.to_string())
    }

    pub fn text(status: u16, body: &str) -> Self {
        Self::Whole { status, headers: Vec::new(), body: body.as_bytes().to_vec() }
    }

    pub fn status(status: u16) -> Self {
        Self::text(status, "")
    }

    /// An event stream in one piece.
    pub fn events(text: &str) -> Self {
        Self::Events { pieces: vec![text.as_bytes().to_vec()], gate: None }
    }

    /// Adds a header to a whole reply.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if let Self::Whole { headers, .. } = &mut self {
            headers.push((name, value.into()));
        }
        self
    }

    /// A completion of plain text.
    pub fn answer(content: &str) -> Self {
        Self::json(json!({
            "id": "r-1", "model": "stub-model",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        }))
    }

    pub fn after_ms(self, wait_ms: u64) -> Self {
        Self::After(Duration::from_millis(wait_ms), Box::new(self))
    }
}

/// A running stub; it stops when dropped.
pub struct Stub {
    /// `http://127.0.0.1:<port>`.
    pub url: String,
    state: Arc<State>,
    server: JoinHandle<()>,
}

struct State {
    script: Box<dyn Fn(&Seen) -> Reply + Send + Sync>,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    seen: Vec<Seen>,
    in_flight: usize,
}

impl Stub {
    /// Starts a stub that answers every request of every path by the script.
    pub async fn start(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", script).await
    }

    /// Starts a stub at an address, for instance that of one that has gone.
    pub async fn start_at(address: &str, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let state = Arc::new(State { script: Box::new(script), log: Mutex::new(Log::default()) });
        let listener = bind(address).await;
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::clone(&state);
        let app = axum::Router::new().fallback(move |uri: Uri, headers: HeaderMap, body: Bytes| {
            let state = Arc::clone(&shared);
            async move { state.handle(&uri, headers, &body).await }
        });
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, state, server }
    }

    /// The chat completions URL.
    pub fn chat_url(&self) -> String {
        format!("{}/v1/chat/completions", self.url)
    }

    /// Everything that came in so far, in order.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.log.lock().unwrap().seen.clone()
    }

    /// How many requests are being answered.
    pub fn in_flight(&self) -> usize {
        self.state.log.lock().unwrap().in_flight
    }

    /// How many requests came in so far.
    pub fn count(&self) -> usize {
        self.state.log.lock().unwrap().seen.len()
    }
}

/// Binds, also where a stub has just been dropped and its task is still letting go.
async fn bind(address: &str) -> tokio::net::TcpListener {
    for _ in 0..200 {
        if let Ok(listener) = tokio::net::TcpListener::bind(address).await {
            return listener;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{address} stays taken");
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Counts a request as in flight until its answer is ready, or its client is gone.
struct InFlight(Arc<State>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.log.lock().unwrap().in_flight -= 1;
    }
}

impl State {
    async fn handle(self: Arc<Self>, uri: &Uri, headers: HeaderMap, body: &[u8]) -> Response {
        let seen = {
            let mut log = self.log.lock().unwrap();
            log.in_flight += 1;
            let seen = Seen {
                at: Instant::now(),
                number: log.seen.len(),
                in_flight: log.in_flight,
                path: uri.path().to_owned(),
                query: uri.query().map(str::to_owned),
                headers,
                body: serde_json::from_slice(body).unwrap_or_default(),
            };
            log.seen.push(seen.clone());
            seen
        };
        let in_flight = InFlight(Arc::clone(&self));
        let mut reply = (self.script)(&seen);
        while let Reply::After(wait, next) = reply {
            tokio::time::sleep(wait).await;
            reply = *next;
        }
        match reply {
            Reply::Whole { status, headers, body } => {
                let mut response = Response::new(Body::from(body));
                *response.status_mut() = StatusCode::from_u16(status).unwrap();
                for (name, value) in headers {
                    response.headers_mut().append(name, value.parse().unwrap());
                }
                response
            }
            Reply::Hang => std::future::pending().await,
            Reply::Trickle => Response::new(Body::from_stream(futures_util::stream::unfold((), async |()| {
                tokio::time::sleep(Duration::from_millis(5)).await;
                Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
            }))),
            Reply::Break => {
                let parts = [Ok(Bytes::from_static(b"{\"choices\"")), Err(std::io::Error::other("broken on purpose"))];
                Response::new(Body::from_stream(futures_util::stream::iter(parts)))
            }
            Reply::Events { pieces, gate } => {
                let rest = (pieces.into_iter(), gate, in_flight);
                let body = futures_util::stream::unfold(rest, async |(mut pieces, gate, in_flight)| {
                    let piece = pieces.next()?;
                    if let Some(gate) = &gate {
                        gate.acquire().await.unwrap().forget();
                    }
                    Some((Ok::<_, Infallible>(Bytes::from(piece)), (pieces, gate, in_flight)))
                });
                let mut response = Response::new(Body::from_stream(body));
                response.headers_mut().insert("content-type", "text/event-stream".parse().unwrap());
                response
            }
            Reply::After(..) => unreachable!("unwrapped above"),
        }
    }
}

/// Posts JSON to a service; gives the body of its answer, and null when none came.
pub async fn post(url: String, body: String) -> Option<String> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let request = reqwest::Client::new().post(url).header("content-type", "application/json").body(body);
    request.send().await.ok()?.text().await.ok()
}
