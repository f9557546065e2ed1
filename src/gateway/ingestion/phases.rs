//! What each phase does.
//!
//! Every phase removes what an earlier attempt of it left and writes anew, in one transaction; what asks models alone goes
//! on where it stopped, because that takes long.

use super::identity::identify;
use super::{IngestionError, Shared, blocking, contextual, graph};
use crate::gateway::chunking::{Chunker, Markup};
use crate::gateway::config::ProfileSource;
use crate::gateway::corpus::{
    ChunkRow, Contextual, CorpusError, DocumentRow, JobRow, PostingRow, TermRow, VectorRow, contextual_key,
};
use crate::gateway::discover::{CorpusFile, read_text};
use crate::gateway::identity::{chunk_id, contextual_collection};
use crate::gateway::terms::terms;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many chunks are embedded, or read for posting tables, at a time.
const BATCH_CHUNKS: usize = 256;
/// How many posting rows go to the database in one batch.
const BATCH_POSTINGS: usize = 200_000;
/// Why the graph phases do nothing.
const NO_GRAPH: &str = "no graph target is configured";

/// What a phase needs.
#[derive(Clone)]
pub(super) struct Work {
    pub shared: Arc<Shared>,
    pub source: ProfileSource,
    pub job: JobRow,
    pub cancelled: Arc<AtomicBool>,
}

/// How a phase went.
#[derive(Default)]
pub(super) struct Outcome {
    /// Totals for the record.
    pub counts: Map<String, Value>,
    /// Files that were left out: name and reason.
    pub problems: Vec<(String, String)>,
    /// Whether there was nothing for the phase to do.
    pub is_skipped: bool,
    /// What should be known: why the phase was skipped, or what it could not do.
    pub note: Option<String>,
    /// Whether it stopped because somebody asked.
    pub cancelled: bool,
}

/// Runs one phase.
pub(super) async fn run(name: &str, work: Work) -> Result<Outcome, IngestionError> {
    match name {
        "discover" => blocking(move || discover(&work)).await,
        "parse" => blocking(move || parse(&work)).await,
        "chunk" => blocking(move || chunk(&work)).await,
        "embed" => {
            let cancelled = !embed_chunks(&work, work.job.key).await?;
            Ok(Outcome { cancelled, ..Outcome::default() })
        }
        "vector_write" => vector_write(work).await,
        "finalize" => blocking(move || finalize(&work)).await,
        _ => match work.shared.models.extract.clone() {
            None => {
                Ok(Outcome { is_skipped: true, note: Some(NO_GRAPH.to_owned()), ..counted("documents_uploaded", 0) })
            }
            Some(extractor) if name == "lightrag_upload" => graph::upload(work, extractor).await,
            Some(_) => graph::drain(work).await,
        },
    }
}

impl Work {
    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }
}

pub(super) fn counted(name: &str, count: usize) -> Outcome {
    let mut counts = Map::new();
    counts.insert(name.to_owned(), json!(count));
    Outcome { counts, ..Outcome::default() }
}

/// Lists the corpus and checks that it is still the one that was submitted.
fn discover(work: &Work) -> Result<Outcome, IngestionError> {
    let (identity, discovery) = identify(&work.shared.corpus_root, &work.source, &work.shared.models)?;
    if identity.content_digest != work.job.content_digest {
        return Err(IngestionError::Phase("the corpus changed after it was submitted; submit it again".to_owned()));
    }
    let mut outcome = counted("files_discovered", discovery.files.len());
    outcome.problems = discovery.problems.into_iter().map(|problem| (problem.source, problem.message)).collect();
    Ok(outcome)
}

/// Reads documents; what is no text is reported and left out.
fn parse(work: &Work) -> Result<Outcome, IngestionError> {
    let (_, discovery) = identify(&work.shared.corpus_root, &work.source, &work.shared.models)?;
    let mut problems = Vec::new();
    let mut rows = Vec::new();
    for file in &discovery.files {
        match document(file) {
            Ok(row) => rows.push(row),
            Err(message) => problems.push((file.source.clone(), message)),
        }
    }
    let mut session = work.shared.corpus.session()?;
    session.transaction(|session| {
        session.clear(work.job.key, "documents")?;
        session.add_documents(work.job.key, &rows)
    })?;
    session.give_back();
    Ok(Outcome { problems, ..counted("documents_parsed", rows.len()) })
}

fn document(file: &CorpusFile) -> Result<DocumentRow, String> {
    let Some(markup) = file.markup else {
        return Err("unsupported: only `.md` and `.txt` files are read".to_owned());
    };
    let text = read_text(&file.path, &file.sha256)?;
    Ok(DocumentRow { source: file.source.clone(), is_markdown: markup == Markup::Markdown, text })
}

/// Cuts documents into chunks, numbered in the order of title and position.
fn chunk(work: &Work) -> Result<Outcome, IngestionError> {
    let mut session = work.shared.corpus.session()?;
    let mut chunker = Chunker::default();
    let mut rows: Vec<ChunkRow> = Vec::new();
    let mut problems = Vec::new();
    for (source, is_markdown, text) in session.documents(work.job.key)? {
        let markup = if is_markdown { Markup::Markdown } else { Markup::Plain };
        let chunks = chunker.split(&text, markup).map_err(|error| IngestionError::Phase(error.to_string()))?;
        if chunks.is_empty() {
            problems.push((source, "the file holds no text".to_owned()));
            continue;
        }
        for (index, text) in chunks.into_iter().enumerate() {
            rows.push(ChunkRow {
                chunk_key: rows.len() as i64,
                chunk_id: chunk_id(&work.job.collection, &source, index),
                title: source.clone(),
                chunk_index: index as i64,
                text: text.to_owned(),
            });
        }
    }
    session.transaction(|session| {
        // Whatever was made from other chunks is void.
        for table in ["chunks", "vectors", "blurbs", "extractions"] {
            session.clear(work.job.key, table)?;
            session.clear(contextual_key(work.job.key), table)?;
        }
        session.add_chunks(work.job.key, &rows)
    })?;
    session.give_back();
    Ok(Outcome { problems, ..counted("chunks", rows.len()) })
}

/// Embeds the chunks under a key batch by batch; batches that are stored already are not embedded again.
///
/// Gives false when somebody asked to stop.
pub(super) async fn embed_chunks(work: &Work, key: i64) -> Result<bool, IngestionError> {
    let shared = Arc::clone(&work.shared);
    let mut next = blocking(move || {
        let session = shared.corpus.session()?;
        let written = session.vectors_written(key)?;
        session.give_back();
        Ok(written)
    })
    .await?;
    loop {
        if work.is_cancelled() {
            return Ok(false);
        }
        let shared = Arc::clone(&work.shared);
        let batch = blocking(move || {
            let session = shared.corpus.session()?;
            let batch = session.chunk_texts(key, next, BATCH_CHUNKS)?;
            session.give_back();
            Ok(batch)
        })
        .await?;
        if batch.is_empty() {
            return Ok(true);
        }
        let (keys, texts): (Vec<i64>, Vec<String>) = batch.into_iter().unzip();
        let embedder = &work.shared.models.embed;
        let vectors = embedder.embed(&texts).await.map_err(|error| IngestionError::Phase(error.to_string()))?;
        if vectors.len() != texts.len() {
            let message =
                format!("the model `{}` gave {} vectors for {} texts", embedder.name(), vectors.len(), texts.len());
            return Err(IngestionError::Phase(message));
        }
        next += keys.len() as i64;
        let rows: Vec<VectorRow> =
            keys.into_iter().zip(vectors).map(|(chunk_key, embedding)| VectorRow { chunk_key, embedding }).collect();
        let shared = Arc::clone(&work.shared);
        blocking(move || {
            let mut session = shared.corpus.session()?;
            session.transaction(|session| session.add_vectors(key, &rows))?;
            session.give_back();
            Ok(())
        })
        .await?;
    }
}

/// Builds the posting tables, and the contextual collection when one is wanted.
async fn vector_write(work: Work) -> Result<Outcome, IngestionError> {
    let this = work.clone();
    let counted = blocking(move || {
        if !write_postings(&this, this.job.key)? {
            return Ok(None);
        }
        let session = this.shared.corpus.session()?;
        let written = usize::try_from(session.vectors_written(this.job.key)?).unwrap_or_default();
        session.give_back();
        Ok(Some(counted("vectors_written", written)))
    });
    let Some(mut outcome) = counted.await? else { return Ok(Outcome { cancelled: true, ..Outcome::default() }) };
    if let Some(writer) = work.shared.models.contextual_blurb.clone() {
        let Outcome { counts, cancelled, .. } = contextual::build(&work, writer).await?;
        outcome.counts.extend(counts);
        outcome.cancelled = cancelled;
    }
    Ok(outcome)
}

/// Builds the posting tables of the chunks under a key; false when somebody asked to stop.
pub(super) fn write_postings(work: &Work, key: i64) -> Result<bool, IngestionError> {
    let mut session = work.shared.corpus.session()?;
    let mut term_keys: HashMap<String, i64> = HashMap::new();
    let mut postings: Vec<PostingRow> = Vec::new();
    let mut next = 0;
    loop {
        if work.is_cancelled() {
            return Ok(false);
        }
        let batch = session.chunk_texts(key, next, BATCH_CHUNKS)?;
        if batch.is_empty() {
            break;
        }
        next += batch.len() as i64;
        for (chunk_key, text) in batch {
            add_postings(chunk_key, terms(&text), &mut term_keys, &mut postings);
        }
    }
    postings.sort_unstable_by_key(|posting| (posting.term_key, posting.chunk_key));
    let term_rows = term_rows(term_keys, &postings);
    session.transaction(|session| {
        session.clear(key, "terms")?;
        session.clear(key, "postings")?;
        session.add_terms(key, &term_rows)?;
        postings.chunks(BATCH_POSTINGS).try_for_each(|rows| session.add_postings(key, rows))
    })?;
    session.give_back();
    Ok(true)
}

fn add_postings(
    chunk_key: i64,
    terms: Vec<String>,
    term_keys: &mut HashMap<String, i64>,
    postings: &mut Vec<PostingRow>,
) {
    let chunk_terms_n = terms.len() as i64;
    let mut frequencies: BTreeMap<i64, i64> = BTreeMap::new();
    for term in terms {
        let new_key = term_keys.len() as i64;
        *frequencies.entry(*term_keys.entry(term).or_insert(new_key)).or_default() += 1;
    }
    let rows = frequencies.into_iter();
    postings.extend(rows.map(|(term_key, frequency)| PostingRow { term_key, chunk_key, frequency, chunk_terms_n }));
}

/// Counts the chunks of every term; terms come in the order of their key.
fn term_rows(term_keys: HashMap<String, i64>, postings: &[PostingRow]) -> Vec<TermRow> {
    let mut rows: Vec<TermRow> =
        term_keys.into_iter().map(|(term, term_key)| TermRow { term_key, term, chunks_n: 0 }).collect();
    rows.sort_unstable_by_key(|row| row.term_key);
    for posting in postings {
        rows[posting.term_key as usize].chunks_n += 1;
    }
    rows
}

/// Lets the job answer for its collections, all at once.
fn finalize(work: &Work) -> Result<Outcome, IngestionError> {
    let mut session = work.shared.corpus.session()?;
    let collection = contextual_collection(&work.job.profile);
    let contextual = Contextual { collection: &collection, is_built: work.shared.models.contextual_blurb.is_some() };
    let published: Result<(), CorpusError> =
        session.transaction(|session| session.publish(work.job.key, &work.job.collection, contextual));
    published?;
    session.give_back();
    Ok(Outcome::default())
}
