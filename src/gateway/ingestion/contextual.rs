//! The contextual collection: a blurb for every chunk, then vectors and postings of both together.
//!
//! Source: `contract/gateway.md` section 3.3, with blurbs written concurrently and kept as they arrive. Nothing answers
//! from it before the job is published, so a failure leaves the collection before it as it was.

use super::phases::{Outcome, Work, counted, embed_chunks, write_postings};
use super::{IngestionError, blocking};
use crate::gateway::contextual::{ChunkOf, Document, contextual_text, document_text, request};
use crate::gateway::corpus::{ChunkRow, contextual_key};
use crate::gateway::identity::{chunk_id, contextual_collection};
use crate::gateway::roles::{BlurbRequest, BlurbWriter};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::path::Path;
use std::sync::Arc;

/// So many documents are read at a time.
const BATCH_DOCUMENTS: usize = 16;
/// At most so many blurbs are stored in one transaction.
const BATCH_BLURBS: usize = 64;

/// A chunk's key and what its blurb is written from.
type Waiting = (i64, BlurbRequest);

/// Builds the rows of the contextual collection.
pub(super) async fn build(work: &Work, writer: Arc<dyn BlurbWriter>) -> Result<Outcome, IngestionError> {
    if !write_blurbs(work, writer).await? {
        return Ok(Outcome { cancelled: true, ..Outcome::default() });
    }
    let (this, key) = (work.clone(), contextual_key(work.job.key));
    let chunks_n = blocking(move || put_together(&this)).await?;
    if !embed_chunks(work, key).await? {
        return Ok(Outcome { cancelled: true, ..Outcome::default() });
    }
    let this = work.clone();
    if !blocking(move || write_postings(&this, key)).await? {
        return Ok(Outcome { cancelled: true, ..Outcome::default() });
    }
    Ok(counted("contextual_chunks", chunks_n))
}

/// Asks for the blurbs that are missing and keeps each as it arrives; false when somebody asked to stop.
async fn write_blurbs(work: &Work, writer: Arc<dyn BlurbWriter>) -> Result<bool, IngestionError> {
    let key = work.job.key;
    let shared = Arc::clone(&work.shared);
    let titles = blocking(move || {
        let session = shared.corpus.session()?;
        let titles = session.titles_without_blurbs(key)?;
        session.give_back();
        Ok(titles)
    })
    .await?;
    let batches: Vec<Vec<String>> = titles.chunks(BATCH_DOCUMENTS).map(<[String]>::to_vec).collect();
    let waiting = stream::iter(batches)
        .then(|titles| {
            let work = work.clone();
            blocking(move || waiting_chunks(&work, &titles))
        })
        .map_ok(|waiting| stream::iter(waiting.into_iter().map(Ok)))
        .try_flatten();
    let arriving = waiting
        .map_ok(|(chunk_key, request): Waiting| {
            let writer = Arc::clone(&writer);
            async move {
                let blurb = writer.blurb(&request).await;
                blurb.map(|blurb| (chunk_key, blurb)).map_err(|error| IngestionError::Phase(error.to_string()))
            }
        })
        .try_buffer_unordered(writer.max_concurrency().max(1))
        .ready_chunks(BATCH_BLURBS);
    let mut arriving = std::pin::pin!(arriving);
    while let Some(batch) = arriving.next().await {
        let (mut blurbs, mut failure) = (Vec::new(), None);
        for blurb in batch {
            match blurb {
                Ok((chunk_key, blurb)) => blurbs.push((chunk_key, blurb.trim().to_owned())),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let shared = Arc::clone(&work.shared);
        blocking(move || {
            let mut session = shared.corpus.session()?;
            session.transaction(|session| session.add_blurbs(key, &blurbs))?;
            session.give_back();
            Ok(())
        })
        .await?;
        if let Some(error) = failure {
            return Err(error);
        }
        if work.is_cancelled() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The chunks of some documents that wait for a blurb, with what it is written from.
fn waiting_chunks(work: &Work, titles: &[String]) -> Result<Vec<Waiting>, IngestionError> {
    let session = work.shared.corpus.session()?;
    let mut waiting = Vec::new();
    for title in titles {
        let chunks = session.document_chunks(work.job.key, title)?;
        let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let document = document_of(&work.shared.corpus_root, title, &texts);
        let missing = chunks.iter().enumerate().filter(|(_, chunk)| !chunk.has_blurb);
        waiting.extend(missing.map(|(index, chunk)| {
            let chunk_of = ChunkOf { title, text: &chunk.text, index, chunks_n: chunks.len() };
            (chunk.chunk_key, request(&document, chunk_of))
        }));
    }
    session.give_back();
    Ok(waiting)
}

fn document_of(corpus_root: &Path, title: &str, chunks: &[&str]) -> Document {
    let is_markdown = title.to_ascii_lowercase().ends_with(".md");
    Document::new(document_text(corpus_root, title, chunks), is_markdown)
}

/// Stores blurbs and chunks as the chunks of the contextual collection; gives their number.
fn put_together(work: &Work) -> Result<usize, IngestionError> {
    let mut session = work.shared.corpus.session()?;
    let collection = contextual_collection(&work.job.profile);
    let rows: Vec<ChunkRow> = session
        .blurbed_chunks(work.job.key)?
        .into_iter()
        .map(|(chunk, blurb)| ChunkRow {
            chunk_id: chunk_id(&collection, &chunk.title, chunk.chunk_index as usize),
            text: contextual_text(&blurb, &chunk.text),
            ..chunk
        })
        .collect();
    if rows.is_empty() {
        let message = "the corpus has no chunk, so there is nothing to write blurbs for";
        return Err(IngestionError::Phase(message.to_owned()));
    }
    let key = contextual_key(work.job.key);
    session.transaction(|session| {
        session.clear(key, "chunks")?;
        session.add_chunks(key, &rows)
    })?;
    session.give_back();
    Ok(rows.len())
}
