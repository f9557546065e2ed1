//! Searching our own graph: what a question's keywords find, joined from both levels.
//!
//! Reads the corpus index through one connection; all ranking and walking is SQL.

use super::name::normalised;
use super::profile::{Mode, Settings};
use crate::gateway::corpus::{CorpusError, FoundEntity, FoundRelation, GraphVectors, Hit, Session};
use crate::gateway::roles::Keywords;
use std::collections::HashSet;
use std::hash::Hash;

/// When chunks are reranked, so many times as many are looked at.
const RERANK_CANDIDATES: usize = 4;

/// Vectors of a question and its keywords.
pub struct Vectors {
    /// The whole question.
    pub question: Vec<f32>,
    /// The low-level keywords; none when there are none.
    pub low: Option<Vec<f32>>,
    /// The high-level keywords; none when there are none.
    pub high: Option<Vec<f32>>,
}

/// What was found, best first.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// Entities.
    pub entities: Vec<FoundEntity>,
    /// Relations.
    pub relations: Vec<FoundRelation>,
    /// Chunks.
    pub chunks: Vec<Hit>,
}

/// Searches a collection's graph.
///
/// Local starts from entities and takes the relations that touch them; global starts from relations and takes their ends;
/// hybrid and mix take both in turns. Chunks are those that mention what was found; mix adds the nearest ones in turns, and
/// naive has the nearest ones alone.
pub fn search(
    session: &Session<'_>,
    collection: &str,
    keywords: &Keywords,
    vectors: &Vectors,
    settings: &Settings,
) -> Result<Found, CorpusError> {
    let chunks_n = settings.chunk_top_k.saturating_mul(if settings.enable_rerank { RERANK_CANDIDATES } else { 1 });
    if settings.mode == Mode::Naive {
        session.collection(collection)?;
        return Ok(Found { chunks: session.dense(collection, &vectors.question, chunks_n)?, ..Found::default() });
    }
    session.graph(collection)?;
    session.put_graph_question(GraphVectors {
        question: &vectors.question,
        low: vectors.low.as_deref(),
        high: vectors.high.as_deref(),
    })?;
    let mut found = Found::default();
    if settings.mode != Mode::Global {
        let names: Vec<String> =
            keywords.low_level.iter().map(|name| normalised(name)).filter(|name| !name.is_empty()).collect();
        found.entities = session.graph_entities(collection, &names, settings.top_k)?;
        let keys: Vec<i64> = found.entities.iter().map(|entity| entity.entity_key).collect();
        found.relations = session.graph_neighbours(collection, &keys, settings.top_k)?;
    }
    if settings.mode != Mode::Local {
        let relations = session.graph_relations(collection, settings.top_k)?;
        let keys: Vec<i64> = relations.iter().map(|relation| relation.relation_key).collect();
        let entities = session.graph_ends(collection, &keys, settings.top_k)?;
        found.relations = in_turns(found.relations, relations, |relation| relation.relation_key);
        found.entities = in_turns(found.entities, entities, |entity| entity.entity_key);
    }
    let entities: Vec<i64> = found.entities.iter().map(|entity| entity.entity_key).collect();
    let relations: Vec<i64> = found.relations.iter().map(|relation| relation.relation_key).collect();
    found.chunks = session.graph_chunks(collection, &entities, &relations, chunks_n)?;
    if settings.mode == Mode::Mix {
        let nearest = session.dense(collection, &vectors.question, chunks_n)?;
        found.chunks = in_turns(found.chunks, nearest, |hit| (hit.title.clone(), hit.chunk_index));
        found.chunks.truncate(chunks_n);
    }
    Ok(found)
}

/// One of the first list, one of the second, and so on; what came already is left out.
fn in_turns<T, K: Eq + Hash>(first: Vec<T>, second: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = HashSet::new();
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut joined = Vec::new();
    loop {
        let pair = [first.next(), second.next()];
        if pair.iter().all(Option::is_none) {
            return joined;
        }
        joined.extend(pair.into_iter().flatten().filter(|item| seen.insert(key(item))));
    }
}

#[cfg(test)]
mod tests {
    use super::in_turns;

    #[test]
    fn lists_are_joined_in_turns_without_repeats() {
        assert_eq!(in_turns(vec![1, 2, 3, 4], vec![3, 5, 1], |item| *item), [1, 3, 2, 5, 4]);
        assert_eq!(in_turns(vec![], vec![1, 1], |item| *item), [1]);
    }
}
