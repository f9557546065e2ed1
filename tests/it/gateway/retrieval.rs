//! Searches against a computation done here, by brute force.

use super::support::Site;
use ragsql::gateway::builtin::{DIMENSION, embed};
use ragsql::gateway::corpus::{ChunkRow, Contextual, Corpus, Hit, HybridQuery, NewJob, PostingRow, TermRow, VectorRow};
use ragsql::gateway::terms::terms;
use std::collections::BTreeMap;

const WORDS: [&str; 12] =
    ["pump", "grid", "valve", "lock", "harbor", "tide", "E-4417", "ship", "water", "power", "basin", "station"];
const CHUNKS: usize = 150;

/// Texts of 3 to 22 words from a small generator, so that terms repeat and lengths differ.
fn texts() -> Vec<String> {
    let mut state: u64 = 7;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    (0..CHUNKS).map(|_| (0..3 + next(20)).map(|_| WORDS[next(12) as usize]).collect::<Vec<_>>().join(" ")).collect()
}

fn title(key: usize) -> String {
    format!("harbor/{:03}.md", key / 2)
}

fn fill(corpus: &Corpus, texts: &[String]) {
    let mut session = corpus.session().unwrap();
    let new = NewJob {
        ingestion_id: "i",
        profile: "p",
        collection: "C",
        corpus_path: None,
        revision: "r",
        content_digest: "d",
    };
    let mut keys: BTreeMap<String, i64> = BTreeMap::new();
    let mut holders: BTreeMap<i64, BTreeMap<i64, i64>> = BTreeMap::new();
    let mut lengths = Vec::new();
    for (key, text) in texts.iter().enumerate() {
        let found = terms(text);
        lengths.push(found.len() as i64);
        for term in found {
            let count = keys.len() as i64;
            let term_key = *keys.entry(term).or_insert(count);
            *holders.entry(term_key).or_default().entry(key as i64).or_default() += 1;
        }
    }
    let term_rows: Vec<TermRow> = keys
        .iter()
        .map(|(term, key)| TermRow { term_key: *key, term: term.clone(), chunks_n: holders[key].len() as i64 })
        .collect();
    let postings: Vec<PostingRow> = holders
        .iter()
        .flat_map(|(term_key, chunks)| {
            chunks.iter().map(|(chunk_key, frequency)| PostingRow {
                term_key: *term_key,
                chunk_key: *chunk_key,
                frequency: *frequency,
                chunk_terms_n: lengths[*chunk_key as usize],
            })
        })
        .collect();
    let chunks: Vec<ChunkRow> = texts
        .iter()
        .enumerate()
        .map(|(key, text)| ChunkRow {
            chunk_key: key as i64,
            chunk_id: key.to_string(),
            title: title(key),
            chunk_index: (key % 2) as i64,
            text: text.clone(),
        })
        .collect();
    let vectors: Vec<VectorRow> = texts
        .iter()
        .enumerate()
        .map(|(key, text)| VectorRow { chunk_key: key as i64, embedding: embed(text) })
        .collect();
    session
        .transaction(|session| {
            let job = session.add_job(&new, &["only"])?;
            session.add_chunks(job, &chunks)?;
            session.add_vectors(job, &vectors)?;
            session.add_terms(job, &term_rows)?;
            session.add_postings(job, &postings)?;
            session.publish(job, "C", Contextual { collection: "CC", is_built: false })
        })
        .unwrap();
    session.give_back();
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    dot(left, right) / (dot(left, left).sqrt() * dot(right, right).sqrt())
}

fn bm25(texts: &[String], question: &str) -> Vec<(usize, f64)> {
    let documents: Vec<Vec<String>> = texts.iter().map(|text| terms(text)).collect();
    let mean = documents.iter().map(Vec::len).sum::<usize>() as f64 / documents.len() as f64;
    let asked = terms(question);
    let mut scores = Vec::new();
    for (key, document) in documents.iter().enumerate() {
        let mut score = 0.0;
        for term in &asked {
            let holders = documents.iter().filter(|document| document.contains(term)).count() as f64;
            let frequency = document.iter().filter(|word| *word == term).count() as f64;
            let rarity = (1.0 + (documents.len() as f64 - holders + 0.5) / (holders + 0.5)).ln();
            let length = 1.0 - 0.75 + 0.75 * document.len() as f64 / mean;
            score += rarity * frequency * 2.2 / (frequency + 1.2 * length);
        }
        if score > 0.0 {
            scores.push((key, score));
        }
    }
    sorted(scores)
}

/// By score, then by key, which is the order of title and chunk index.
fn sorted(mut scores: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    scores.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    scores
}

fn scaled(set: &[(usize, f64)], weight: f64) -> BTreeMap<usize, f64> {
    let worst = set.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
    let best = set.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let scale = |score: f64| if best > worst { weight * (score - worst) / (best - worst) } else { weight };
    set.iter().map(|(key, score)| (*key, scale(*score))).collect()
}

fn assert_close(hits: &[Hit], expected: &[(usize, f64)], tolerance: f64, what: &str) {
    assert_eq!(hits.len(), expected.len(), "{what}");
    for (position, (hit, (key, score))) in hits.iter().zip(expected).enumerate() {
        assert!((hit.score - score).abs() <= tolerance, "{what} {position}: {} is not {score}", hit.score);
        let near = expected.iter().any(|(other, value)| {
            (value - score).abs() <= tolerance && title(*other) == hit.title && (*other % 2) as i64 == hit.chunk_index
        });
        assert!(near, "{what} {position}: {} {} instead of {key}", hit.title, hit.chunk_index);
    }
    for pair in hits.windows(2) {
        let ordered = pair[0].score > pair[1].score
            || (pair[0].score == pair[1].score
                && (&pair[0].title, pair[0].chunk_index) < (&pair[1].title, pair[1].chunk_index));
        assert!(ordered, "{what}: {:?} before {:?}", pair[0], pair[1]);
    }
}

#[test]
fn searches_equal_a_brute_force_computation() {
    let site = Site::empty();
    let corpus = Corpus::open(&site.index(), "m", DIMENSION).unwrap();
    let texts = texts();
    fill(&corpus, &texts);
    let session = corpus.session().unwrap();
    let collection = session.collection("C").unwrap();
    for question in ["what is E-4417", "harbor lock tide", "pump pump pump", "ship", "nothing known zzz", ""] {
        let vector = embed(question);
        let asked = terms(question);
        let dense_all =
            sorted(texts.iter().enumerate().map(|(key, text)| (key, cosine(&vector, &embed(text)))).collect());
        let lexical_all = bm25(&texts, question);
        let dense = session.dense(&collection, &vector, 30).unwrap();
        assert_close(&dense, &dense_all[..30], 1e-5, "dense");
        let lexical = session.bm25(&collection, &asked, 30).unwrap();
        assert_close(&lexical, &lexical_all[..lexical_all.len().min(30)], 1e-9, "bm25");
        for alpha in [0.0, 0.3, 0.5, 1.0] {
            let mut fused: BTreeMap<usize, f64> = BTreeMap::new();
            if alpha > 0.0 {
                for (key, score) in scaled(&dense_all[..100], alpha) {
                    *fused.entry(key).or_default() += score;
                }
            }
            if alpha < 1.0 {
                for (key, score) in scaled(&lexical_all[..lexical_all.len().min(100)], 1.0 - alpha) {
                    *fused.entry(key).or_default() += score;
                }
            }
            let mut expected = sorted(fused.into_iter().collect());
            expected.truncate(20);
            let query = HybridQuery { collection: &collection, vector: &vector, terms: &asked, alpha, limit: 20 };
            let hits = session.hybrid(&query).unwrap();
            assert_close(&hits, &expected, 1e-4, &format!("hybrid {alpha} `{question}`"));
        }
    }
}

#[test]
fn an_identifier_is_found_by_its_whole_and_by_its_number() {
    let site = Site::empty();
    let corpus = Corpus::open(&site.index(), "m", DIMENSION).unwrap();
    let texts: Vec<String> = ["code E-4417 stuck", "code E-4418 stuck", "code 4417 plain"].map(str::to_owned).into();
    fill(&corpus, &texts);
    let session = corpus.session().unwrap();
    let collection = session.collection("C").unwrap();
    let whole = session.bm25(&collection, &terms("E-4417"), 3).unwrap();
    assert_eq!(whole[0].text, "code E-4417 stuck");
    let number = session.bm25(&collection, &terms("4417"), 3).unwrap();
    assert_eq!(number.len(), 2);
}

#[test]
fn vectors_are_stored_as_they_are_so_that_a_scan_need_not_unpack_them() {
    let site = Site::empty();
    let corpus = Corpus::open(&site.index(), "m", DIMENSION).unwrap();
    let vectors: Vec<VectorRow> = (0..150)
        .map(|chunk_key: i64| VectorRow {
            chunk_key,
            embedding: (0..DIMENSION).map(|place| (chunk_key as f32 * 0.7 + place as f32 * 1.3).sin()).collect(),
        })
        .collect();
    let mut session = corpus.session().unwrap();
    session.transaction(|session| session.add_vectors(1, &vectors)).unwrap();
    drop(session);
    drop(corpus);
    let connection = duckdb::Connection::open(site.index()).unwrap();
    let compression: String = connection
        .query_row(
            "select string_agg(distinct compression) from pragma_storage_info('vectors') where segment_type = 'FLOAT'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(compression, "Uncompressed");
}
