//! Search over a big collection, and how fast it is filled, beside `bm25s` and NumPy doing the same work.
//!
//! The collection goes through the whole ingestion of a gateway: passages of [`WORDS_N`] words whose frequencies follow
//! Zipf's law, one a file, with made-up vectors. The peer gets the same terms, vectors and questions.

use crate::report::{Report, median, seconds};
use ragsql::gateway::corpus::{Corpus, Hit, HybridQuery};
use ragsql::gateway::graph::GraphConfig;
use ragsql::gateway::roles::{Embedder, RoleFuture};
use ragsql::gateway::routing::RoutingConfig;
use ragsql::gateway::terms::terms;
use ragsql::gateway::{AliasProfile, Config, ProfileSource, builtin, identity, start};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Chunks of the collection.
pub const CHUNKS_N: usize = 100_000;
const DIMENSION: usize = 384;
const WORDS_N: usize = 100;
const VOCABULARY_N: usize = 50_000;
const QUESTIONS_N: usize = 60;
/// Questions before the clock counts.
const WARM_UP_N: usize = 5;
const LIMIT: usize = 20;
const PROFILE: &str = "passages";
/// The Python with the packages of the peer; `make bench` sets it.
const PEER_PYTHON: &str = "RAGSQL_PEERS_PYTHON";

/// Requirements of the 100,000-chunk collection.
const MOST_P50_MS: f64 = 110.0;
const MOST_P95_MS: f64 = 200.0;
const LEAST_CHUNKS_PER_S: f64 = 2_000.0;
/// Of our hits and the peer's; the peer adds in single precision, which may swap near ties.
const LEAST_SHARED_RATIO: f64 = 0.99;

/// Measures both and compares what they found.
pub fn measure(report: &mut Report, chunks_n: usize) {
    report.section(&format!(
        "retrieval: {chunks_n} chunks of {WORDS_N} words, {DIMENSION} dimensions, {QUESTIONS_N} questions"
    ));
    let folder = tempfile::Builder::new().prefix("retrieval-").tempdir_in(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.expect("cargo's folder can be written");
    let passages = passages(chunks_n);
    let questions = questions(&passages);
    let ingestion = ingest(folder.path(), &passages);
    report.line("ingestion with the made-up embedding model", seconds(ingestion.whole));
    report.line("of that, the model", seconds(ingestion.model));
    let own = ingestion.whole.saturating_sub(ingestion.model).as_secs_f64();
    report.at_least("chunks per second without the model", chunks_n as f64 / own, LEAST_CHUNKS_PER_S);

    let found = search(&folder.path().join("index.duckdb"), &questions);
    let peer = ask_peer(folder.path(), &passages, &questions);
    report.line("bm25s + NumPy, index of terms", seconds(Duration::from_secs_f64(peer.index_s)));
    report.line("bm25s + NumPy, p50 and p95", format!("{:.1} and {:.1} ms", peer.p50_ms(), peer.p95_ms()));
    let [p50, p95] = [50, 95].map(|percent| percentile(found.times_ms.clone(), percent));
    report.at_most("hybrid search, p50 in ms", p50, MOST_P50_MS);
    report.at_most("hybrid search, p95 in ms", p95, MOST_P95_MS);
    report.line("hybrid search against bm25s + NumPy, p50", format!("{:.2} x", p50 / peer.p50_ms()));
    report.at_least("share of hits that both found", found.shared(&peer), LEAST_SHARED_RATIO);
}

/// A small generator, the same in every run (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    /// A number from 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from 0 to below `below`.
    fn below(&mut self, below: usize) -> usize {
        (self.next() * below as f64) as usize
    }
}

/// The word of a rank, in letters alone so that it is one term.
fn word(mut rank: usize) -> String {
    let mut word = "w".to_owned();
    for _ in 0..4 {
        word.push(char::from(b'a' + (rank % 26) as u8));
        rank /= 26;
    }
    word
}

fn passages(chunks_n: usize) -> Vec<String> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let weights = (1..=VOCABULARY_N).map(|rank| 1.0 / rank as f64);
    let sums: Vec<f64> = weights
        .scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        })
        .collect();
    let whole = sums[VOCABULARY_N - 1];
    let mut passage = || {
        let ranks = (0..WORDS_N).map(|_| sums.partition_point(|sum| *sum < random.next() * whole));
        ranks.map(word).collect::<Vec<_>>().join(" ")
    };
    (0..chunks_n).map(|_| passage()).collect()
}

/// A vector of length 1 that a text always gets.
fn vector(text: &str) -> Vec<f32> {
    let seed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mut random = Random(seed | 1);
    unit((0..DIMENSION).map(|_| random.next() - 0.5).collect())
}

fn unit(vector: Vec<f64>) -> Vec<f32> {
    let length = vector.iter().map(|component| component * component).sum::<f64>().sqrt();
    vector.iter().map(|component| (component / length) as f32).collect()
}

struct Question {
    vector: Vec<f32>,
    terms: Vec<String>,
}

/// Questions of eight words of a passage, frequent ones among them, and a vector near that of the passage.
fn questions(passages: &[String]) -> Vec<Question> {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut question = || {
        let passage = &passages[random.below(passages.len())];
        let words: Vec<&str> = passage.split(' ').collect();
        let asked: BTreeSet<&str> = (0..8).map(|_| words[random.below(WORDS_N)]).collect();
        let near =
            vector(passage).iter().map(|component| f64::from(*component) + (random.next() - 0.5) * 0.05).collect();
        Question { vector: unit(near), terms: asked.into_iter().map(str::to_owned).collect() }
    };
    (0..QUESTIONS_N + WARM_UP_N).map(|_| question()).collect()
}

/// Gives made-up vectors, and knows how long it took.
struct MadeUp {
    nanoseconds: AtomicU64,
}

impl Embedder for MadeUp {
    fn name(&self) -> &str {
        "bench/made-up"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> RoleFuture<'a, Vec<Vec<f32>>> {
        Box::pin(async move {
            let start = Instant::now();
            let vectors = texts.iter().map(|text| vector(text)).collect();
            self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            Ok(vectors)
        })
    }
}

struct Ingestion {
    whole: Duration,
    model: Duration,
}

fn ingest(folder: &Path, passages: &[String]) -> Ingestion {
    let corpus = folder.join("corpus").join(PROFILE);
    fs::create_dir_all(&corpus).expect("a folder");
    for (number, passage) in passages.iter().enumerate() {
        fs::write(corpus.join(format!("{number:06}.txt")), passage).expect("a file");
    }
    let model = Arc::new(MadeUp { nanoseconds: AtomicU64::new(0) });
    let mut roles = builtin::roles();
    roles.embed = Arc::clone(&model) as Arc<dyn Embedder>;
    let config = Config {
        aliases: vec![AliasProfile {
            alias: "hybrid-rag".to_owned(),
            base: "hybrid-rag".to_owned(),
            flavor: "default".to_owned(),
            params: BTreeMap::new(),
        }],
        profiles: vec![ProfileSource { name: PROFILE.to_owned(), folder: corpus, label: PROFILE.to_owned() }],
        active_profile: PROFILE.to_owned(),
        corpus_root: folder.join("corpus"),
        index_file: folder.join("index.duckdb"),
        lazy_graph_cache: folder.join("lazy"),
        roles,
        routing: RoutingConfig::default(),
        graph: GraphConfig::default(),
        bind: "127.0.0.1:0".parse().expect("an address"),
        token: None,
    };
    // Another section may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let whole = runtime.block_on(async {
        let running = start(config).await.expect("the gateway starts");
        let url = format!("http://{}/api/rag/ingestions", running.address);
        let client = reqwest::Client::new();
        let begin = Instant::now();
        let submitted = client.post(&url).body(json!({"profile": PROFILE}).to_string()).send().await;
        let accepted = document(submitted.expect("an answer")).await;
        let job = format!("{url}/{}", accepted["ingestion_id"].as_str().expect("a job"));
        let record = loop {
            let record = document(client.get(&job).send().await.expect("an answer")).await;
            match record["status"].as_str() {
                Some("pending" | "running") => tokio::time::sleep(Duration::from_millis(20)).await,
                _ => break record,
            }
        };
        assert_eq!(record["status"], "completed", "{record}");
        let whole = begin.elapsed();
        running.stop().await.expect("it stops");
        whole
    });
    Ingestion { whole, model: Duration::from_nanos(model.nanoseconds.load(Ordering::Relaxed)) }
}

async fn document(response: reqwest::Response) -> Value {
    serde_json::from_slice(&response.bytes().await.expect("a body")).expect("JSON")
}

struct Found {
    times_ms: Vec<f64>,
    hits: Vec<Vec<usize>>,
}

fn search(index: &Path, questions: &[Question]) -> Found {
    let corpus = Corpus::open(index, "bench/made-up", DIMENSION).expect("the index");
    let mut found = Found { times_ms: Vec::new(), hits: Vec::new() };
    for (number, question) in questions.iter().enumerate() {
        let start = Instant::now();
        let session = corpus.session().expect("a connection");
        let collection = session.collection(&identity::collection(PROFILE)).expect("the collection");
        let query = HybridQuery {
            collection: &collection,
            vector: &question.vector,
            terms: &question.terms,
            alpha: 0.5,
            limit: LIMIT,
        };
        let hits = session.hybrid(&query).expect("hits");
        session.give_back();
        if number >= WARM_UP_N {
            found.times_ms.push(start.elapsed().as_secs_f64() * 1_000.0);
            found.hits.push(hits.iter().map(chunk).collect());
        }
    }
    found
}

/// The number of the passage that a hit came from.
fn chunk(hit: &Hit) -> usize {
    let name = Path::new(&hit.title).file_stem().and_then(|stem| stem.to_str()).expect("a file name");
    name.parse().expect("a number")
}

impl Found {
    /// Share of the peer's hits that were found here too, 0 to 1.
    fn shared(&self, peer: &Peer) -> f64 {
        let pairs = self.hits.iter().zip(&peer.hits);
        let shared: usize = pairs.map(|(ours, theirs)| theirs.iter().filter(|hit| ours.contains(hit)).count()).sum();
        shared as f64 / (QUESTIONS_N * LIMIT) as f64
    }
}

/// What the peer's script prints.
#[derive(Deserialize)]
struct Peer {
    index_s: f64,
    times_ms: Vec<f64>,
    hits: Vec<Vec<usize>>,
}

impl Peer {
    fn p50_ms(&self) -> f64 {
        percentile(self.times_ms.clone(), 50)
    }

    fn p95_ms(&self) -> f64 {
        percentile(self.times_ms.clone(), 95)
    }
}

fn ask_peer(folder: &Path, passages: &[String], questions: &[Question]) -> Peer {
    let python =
        std::env::var(PEER_PYTHON).unwrap_or_else(|_| panic!("{PEER_PYTHON} is not set; `make bench` sets it"));
    let bytes: Vec<u8> = passages.iter().flat_map(|text| vector(text)).flat_map(f32::to_le_bytes).collect();
    fs::write(folder.join("vectors.f32"), bytes).expect("a file");
    let lines = passages.iter().fold(String::new(), |mut lines, text| {
        writeln!(lines, "{}", terms(text).join(" ")).expect("a text can be written to");
        lines
    });
    fs::write(folder.join("terms.txt"), lines).expect("a file");
    let asked: Vec<Value> =
        questions.iter().map(|question| json!({"vector": question.vector, "terms": question.terms})).collect();
    fs::write(folder.join("questions.json"), Value::from(asked).to_string()).expect("a file");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/retrieval_peer.py");
    let sizes = [DIMENSION, LIMIT, WARM_UP_N].map(|size| size.to_string());
    let output = Command::new(python).arg(script).arg(folder).args(sizes).output().expect("the peer's script runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the peer's report")
}

/// The smallest of some measurements that at least `percent` of 100 do not exceed; the median is that of the report.
fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    if percent == 50 {
        return median(values);
    }
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent).div_ceil(100) - 1]
}
