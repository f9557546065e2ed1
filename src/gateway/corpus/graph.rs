//! The knowledge graph of an ingestion: what was read from chunks, entities, relations, mentions, vectors.
//!
//! Searching reads only; every order is complete. Merging is not done here.

use super::write::{batch, embedding_column, job_column, number_column, text_column};
use super::{CorpusError, Hit, Session};
use duckdb::named_params;

/// An entity on its way into the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityRow {
    /// Position in the order of the normalised name, from 0.
    pub entity_key: i64,
    /// The spelling met most often.
    pub name: String,
    /// May be empty.
    pub kind: String,
    /// Other spellings and names, sorted, one a line.
    pub aliases: String,
    /// All names in the form that is compared, each between two line feeds.
    pub lookup_names: String,
    /// May be empty.
    pub description: String,
    /// How many chunks mention it.
    pub chunks_n: i64,
}

/// A relation on its way into the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationRow {
    /// Position in the order of the two keys, from 0.
    pub relation_key: i64,
    /// Where it starts.
    pub source_key: i64,
    /// Where it leads.
    pub target_key: i64,
    /// May be empty.
    pub kind: String,
    /// May be empty.
    pub description: String,
    /// How often it was found.
    pub weight: i64,
}

/// What a chunk mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An entity.
    Entity,
    /// A relation.
    Relation,
}

impl Subject {
    fn as_str(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Relation => "relation",
        }
    }
}

/// A mention on its way into the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MentionRow {
    /// What is mentioned.
    pub subject: Subject,
    /// Its key.
    pub subject_key: i64,
    /// The chunk.
    pub chunk_key: i64,
}

/// An entity or relation without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphText {
    /// `entity` or `relation`.
    pub subject: String,
    /// Its key.
    pub subject_key: i64,
    /// What is embedded.
    pub text: String,
}

/// An entity that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEntity {
    /// Its key.
    pub entity_key: i64,
    /// Its name.
    pub name: String,
    /// May be empty.
    pub kind: String,
    /// May be empty.
    pub description: String,
}

/// A relation that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRelation {
    /// Its key.
    pub relation_key: i64,
    /// Key of the entity it starts from.
    pub source_key: i64,
    /// Name of the entity it starts from.
    pub source: String,
    /// May be empty.
    pub kind: String,
    /// Key of the entity it leads to.
    pub target_key: i64,
    /// Name of the entity it leads to.
    pub target: String,
    /// May be empty.
    pub description: String,
}

/// Vectors of a question and of its keywords.
#[derive(Debug, Clone, Copy)]
pub struct GraphVectors<'a> {
    /// The whole question.
    pub question: &'a [f32],
    /// The low-level keywords; none when there are none.
    pub low: Option<&'a [f32]>,
    /// The high-level keywords; none when there are none.
    pub high: Option<&'a [f32]>,
}

impl Session<'_> {
    /// Reads chunks that nothing was taken from yet, as (key, title, text).
    pub fn unread_chunks(
        &self,
        job: i64,
        from_key: i64,
        limit: usize,
    ) -> Result<Vec<(i64, String, String)>, CorpusError> {
        let names = named_params! {"ingestion_key": job, "from_key": from_key, "limit": limit as i64};
        self.rows("unread_chunks", names, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    /// Adds what was read from chunks as (chunk key, JSON).
    pub fn add_extractions(&self, job: i64, rows: &[(i64, String)]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("chunk_key", rows.iter().map(|(chunk_key, _)| *chunk_key)),
            text_column("extraction", rows.iter().map(|(_, text)| text.as_str())),
        ];
        self.append("extractions", batch(columns)?)
    }

    /// Reads what was read from all chunks as (chunk key, JSON).
    pub fn extractions(&self, job: i64) -> Result<Vec<(i64, String)>, CorpusError> {
        self.rows("extractions", named_params! {"ingestion_key": job}, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Adds entities of a job.
    pub fn add_entities(&self, job: i64, rows: &[EntityRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("entity_key", rows.iter().map(|row| row.entity_key)),
            text_column("name", rows.iter().map(|row| row.name.as_str())),
            text_column("kind", rows.iter().map(|row| row.kind.as_str())),
            text_column("aliases", rows.iter().map(|row| row.aliases.as_str())),
            text_column("lookup_names", rows.iter().map(|row| row.lookup_names.as_str())),
            text_column("description", rows.iter().map(|row| row.description.as_str())),
            number_column("chunks_n", rows.iter().map(|row| row.chunks_n)),
        ];
        self.append("entities", batch(columns)?)
    }

    /// Adds relations of a job.
    pub fn add_relations(&self, job: i64, rows: &[RelationRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            number_column("relation_key", rows.iter().map(|row| row.relation_key)),
            number_column("source_key", rows.iter().map(|row| row.source_key)),
            number_column("target_key", rows.iter().map(|row| row.target_key)),
            text_column("kind", rows.iter().map(|row| row.kind.as_str())),
            text_column("description", rows.iter().map(|row| row.description.as_str())),
            number_column("weight", rows.iter().map(|row| row.weight)),
        ];
        self.append("relations", batch(columns)?)
    }

    /// Adds mentions of a job.
    pub fn add_mentions(&self, job: i64, rows: &[MentionRow]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            text_column("subject", rows.iter().map(|row| row.subject.as_str())),
            number_column("subject_key", rows.iter().map(|row| row.subject_key)),
            number_column("chunk_key", rows.iter().map(|row| row.chunk_key)),
        ];
        self.append("mentions", batch(columns)?)
    }

    /// Reads entities and relations that have no vector yet.
    pub fn graph_texts(&self, job: i64, limit: usize) -> Result<Vec<GraphText>, CorpusError> {
        self.rows("graph_texts", named_params! {"ingestion_key": job, "limit": limit as i64}, |row| {
            Ok(GraphText { subject: row.get(0)?, subject_key: row.get(1)?, text: row.get(2)? })
        })
    }

    /// Adds the vectors of entities and relations; one of another width is refused.
    pub fn add_graph_vectors(&self, job: i64, rows: &[(GraphText, Vec<f32>)]) -> Result<(), CorpusError> {
        let columns = [
            job_column(job, rows.len()),
            text_column("subject", rows.iter().map(|(text, _)| text.subject.as_str())),
            number_column("subject_key", rows.iter().map(|(text, _)| text.subject_key)),
            embedding_column(self.corpus.dimension, rows.iter().map(|(_, vector)| vector.as_slice()))?,
        ];
        self.append("graph_vectors", batch(columns)?)
    }

    /// Counts the vectors of a job's graph.
    pub fn graph_vectors_written(&self, job: i64) -> Result<i64, CorpusError> {
        let names = named_params! {"ingestion_key": job};
        let found = self.rows("graph_vectors_written", names, |row| row.get::<_, i64>(0))?;
        Ok(found.first().copied().unwrap_or(0))
    }

    /// Says that the graph of a job is complete.
    pub fn complete_graph(&self, job: i64) -> Result<(), CorpusError> {
        self.clear(job, "graphs")?;
        self.execute("complete_graph", named_params! {"ingestion_key": job}).map(|_| ())
    }

    /// Finds the graph of a collection as (entities, relations); an error when it has none.
    pub fn graph(&self, collection: &str) -> Result<(i64, i64), CorpusError> {
        self.collection(collection)?;
        let names = named_params! {"collection": collection};
        let found = self.rows("graph", names, |row| Ok((row.get(0)?, row.get(1)?)))?;
        found.into_iter().next().ok_or_else(|| CorpusError::NoGraph { collection: collection.to_owned() })
    }

    /// Carries the vectors of a question into the searches that follow on this connection.
    pub fn put_graph_question(&self, vectors: GraphVectors<'_>) -> Result<(), CorpusError> {
        self.put_question(vectors.question)?;
        self.execute("clear_keywords", [])?;
        let levels = [("low", vectors.low), ("high", vectors.high)];
        for (level, vector) in levels.into_iter().filter_map(|(level, vector)| Some((level, vector?))) {
            let columns = [
                text_column("keyword_level", std::iter::once(level)),
                embedding_column(self.corpus.dimension, [vector])?,
            ];
            self.append("keyword_vectors", batch(columns)?)?;
        }
        Ok(())
    }

    /// Finds entities by the low-level keywords; `names` are in the form that is compared.
    pub fn graph_entities(
        &self,
        collection: &str,
        names: &[String],
        limit: usize,
    ) -> Result<Vec<FoundEntity>, CorpusError> {
        let names = names.join("\n");
        let parameters = named_params! {"collection": collection, "names": names, "limit": limit as i64};
        self.rows("graph_entities", parameters, found_entity)
    }

    /// Finds relations by the high-level keywords.
    pub fn graph_relations(&self, collection: &str, limit: usize) -> Result<Vec<FoundRelation>, CorpusError> {
        self.rows("graph_relations", named_params! {"collection": collection, "limit": limit as i64}, found_relation)
    }

    /// Walks one step from entities.
    pub fn graph_neighbours(
        &self,
        collection: &str,
        entities: &[i64],
        limit: usize,
    ) -> Result<Vec<FoundRelation>, CorpusError> {
        let parameters =
            named_params! {"collection": collection, "entity_keys": listed(entities), "limit": limit as i64};
        self.rows("graph_neighbours", parameters, found_relation)
    }

    /// Reads the entities at the ends of relations.
    pub fn graph_ends(
        &self,
        collection: &str,
        relations: &[i64],
        limit: usize,
    ) -> Result<Vec<FoundEntity>, CorpusError> {
        let parameters =
            named_params! {"collection": collection, "relation_keys": listed(relations), "limit": limit as i64};
        self.rows("graph_ends", parameters, found_entity)
    }

    /// Ranks the chunks that mention entities and relations; both lists are best first.
    pub fn graph_chunks(
        &self,
        collection: &str,
        entities: &[i64],
        relations: &[i64],
        limit: usize,
    ) -> Result<Vec<Hit>, CorpusError> {
        self.hits(
            "graph_chunks",
            named_params! {
                "collection": collection, "entity_keys": listed(entities), "relation_keys": listed(relations),
                "limit": limit as i64,
            },
        )
    }
}

fn listed(keys: &[i64]) -> String {
    keys.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

fn found_entity(row: &duckdb::Row<'_>) -> duckdb::Result<FoundEntity> {
    Ok(FoundEntity { entity_key: row.get(0)?, name: row.get(1)?, kind: row.get(2)?, description: row.get(3)? })
}

fn found_relation(row: &duckdb::Row<'_>) -> duckdb::Result<FoundRelation> {
    Ok(FoundRelation {
        relation_key: row.get(0)?,
        source_key: row.get(1)?,
        source: row.get(2)?,
        kind: row.get(3)?,
        target_key: row.get(4)?,
        target: row.get(5)?,
        description: row.get(6)?,
    })
}
