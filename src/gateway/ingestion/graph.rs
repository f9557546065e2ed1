//! The knowledge graph of a job: reading chunks, merging what was found, embedding entities and relations.
//!
//! What was read from a chunk is kept as it arrives, so a killed job goes on from there. Nothing answers from the graph
//! before the job is published.

use super::phases::{Outcome, Work, counted};
use super::{IngestionError, blocking};
use crate::gateway::graph::merge::merge;
use crate::gateway::roles::{Extraction, Extractor, Fault};
use crate::json;
use futures_util::{StreamExt, stream};
use serde_json::json;
use std::sync::Arc;

/// How many chunks are read from the index, or texts embedded, at a time.
const BATCH: usize = 256;
/// At most so many extractions are stored in one transaction.
const BATCH_EXTRACTIONS: usize = 64;

/// Phase `lightrag_upload`: reads every chunk with the extract role and merges the graph.
pub(super) async fn upload(work: Work, extractor: Arc<dyn Extractor>) -> Result<Outcome, IngestionError> {
    let mut from_key = 0;
    loop {
        let (shared, key) = (Arc::clone(&work.shared), work.job.key);
        let batch = blocking(move || {
            let session = shared.corpus.session()?;
            let batch = session.unread_chunks(key, from_key, BATCH)?;
            session.give_back();
            Ok(batch)
        })
        .await?;
        let Some((last, _, _)) = batch.last() else { break };
        from_key = last + 1;
        if !read(&work, &extractor, batch).await? {
            return Ok(Outcome { cancelled: true, ..Outcome::default() });
        }
    }
    blocking(move || store(&work)).await
}

/// Reads a batch of chunks, several at once; false when somebody asked to stop.
async fn read(
    work: &Work,
    extractor: &Arc<dyn Extractor>,
    batch: Vec<(i64, String, String)>,
) -> Result<bool, IngestionError> {
    let key = work.job.key;
    let arriving = stream::iter(batch)
        .map(|(chunk_key, title, text)| {
            let extractor = Arc::clone(extractor);
            async move {
                // One chunk that a model cannot put into the asked form is told and counted; it does not cost the graph.
                let extraction = match extractor.extract(&title, &text).await {
                    Err(error) if matches!(error.fault, Fault::Unreadable | Fault::Empty { .. }) => {
                        Extraction { unreadable: Some(error.to_string()), ..Extraction::default() }
                    }
                    other => other.map_err(|error| IngestionError::Phase(error.to_string()))?,
                };
                let value =
                    serde_json::to_value(extraction).map_err(|error| IngestionError::Record(error.to_string()))?;
                Ok((chunk_key, json::compact(&value)?))
            }
        })
        .buffer_unordered(extractor.max_concurrency().max(1))
        .ready_chunks(BATCH_EXTRACTIONS);
    let mut arriving = std::pin::pin!(arriving);
    while let Some(arrived) = arriving.next().await {
        let (mut rows, mut failure) = (Vec::new(), None);
        for extraction in arrived {
            match extraction {
                Ok(row) => rows.push(row),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let shared = Arc::clone(&work.shared);
        blocking(move || {
            let mut session = shared.corpus.session()?;
            session.transaction(|session| session.add_extractions(key, &rows))?;
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

/// Merges everything that was read and stores the graph without its vectors.
fn store(work: &Work) -> Result<Outcome, IngestionError> {
    let key = work.job.key;
    let mut session = work.shared.corpus.session()?;
    let mut extractions: Vec<(i64, Extraction)> = Vec::new();
    for (chunk_key, text) in session.extractions(key)? {
        let extraction = serde_json::from_str(&text).map_err(|error| {
            IngestionError::Record(format!("the extraction of chunk {chunk_key} is not readable: {error}"))
        })?;
        extractions.push((chunk_key, extraction));
    }
    let unreadable: Vec<&String> = extractions.iter().filter_map(|(_, found)| found.unreadable.as_ref()).collect();
    if let (Some(first), true) = (unreadable.first(), unreadable.len() == extractions.len()) {
        session.transaction(|session| session.clear(key, "extractions"))?;
        return Err(IngestionError::Phase(format!("no chunk of {} could be read: {first}", extractions.len())));
    }
    let graph = merge(extractions.iter().map(|(chunk_key, extraction)| (*chunk_key, extraction)));
    session.transaction(|session| {
        for table in ["entities", "relations", "mentions", "graph_vectors", "graphs"] {
            session.clear(key, table)?;
        }
        session.add_entities(key, &graph.entities)?;
        session.add_relations(key, &graph.relations)?;
        session.add_mentions(key, &graph.mentions)
    })?;
    let documents_n = session.chunk_titles(key)?.len();
    session.give_back();
    let mut outcome = counted("documents_uploaded", documents_n);
    if let Some(first) = unreadable.first() {
        outcome.counts.insert("chunks_unreadable".to_owned(), json!(unreadable.len()));
        let (unreadable_n, all_n) = (unreadable.len(), extractions.len());
        outcome.note = Some(format!("{unreadable_n} of {all_n} chunks could not be read, the first because {first}"));
    }
    outcome.counts.insert("entities".to_owned(), json!(graph.entities.len()));
    outcome.counts.insert("relations".to_owned(), json!(graph.relations.len()));
    Ok(outcome)
}

/// Phase `drain`: embeds entities and relations that have no vector yet, and completes the graph.
pub(super) async fn drain(work: Work) -> Result<Outcome, IngestionError> {
    let key = work.job.key;
    let embedder = Arc::clone(&work.shared.models.embed);
    loop {
        if work.is_cancelled() {
            return Ok(Outcome { cancelled: true, ..Outcome::default() });
        }
        let shared = Arc::clone(&work.shared);
        let batch = blocking(move || {
            let session = shared.corpus.session()?;
            let batch = session.graph_texts(key, BATCH)?;
            session.give_back();
            Ok(batch)
        })
        .await?;
        if batch.is_empty() {
            break;
        }
        let texts: Vec<String> = batch.iter().map(|subject| subject.text.clone()).collect();
        let vectors = embedder.embed(&texts).await.map_err(|error| IngestionError::Phase(error.to_string()))?;
        if vectors.len() != texts.len() {
            let message =
                format!("the model `{}` gave {} vectors for {} texts", embedder.name(), vectors.len(), texts.len());
            return Err(IngestionError::Phase(message));
        }
        let rows: Vec<_> = batch.into_iter().zip(vectors).collect();
        let shared = Arc::clone(&work.shared);
        blocking(move || {
            let mut session = shared.corpus.session()?;
            session.transaction(|session| session.add_graph_vectors(key, &rows))?;
            session.give_back();
            Ok(())
        })
        .await?;
    }
    blocking(move || {
        let mut session = work.shared.corpus.session()?;
        session.transaction(|session| session.complete_graph(key))?;
        let written = session.graph_vectors_written(key)?;
        session.give_back();
        Ok(counted("graph_vectors_written", usize::try_from(written).unwrap_or_default()))
    })
    .await
}
