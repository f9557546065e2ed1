-- name: retrieval/graph_relations_v1
-- purpose: Finds the relations nearest to a question's themes
-- grain: relation
-- reads: collections, relations, entities, graph_vectors, keyword_vectors
-- param: collection (varchar, required): the collection that is searched
-- param: limit (bigint, required): how many at most
-- column: relation_key (bigint, 0 or more): the relation
-- column: source_key (bigint, 0 or more): the entity it starts from
-- column: source (varchar): the name of that entity
-- column: kind (varchar): how chunks name the relation; may be empty
-- column: target_key (bigint, 0 or more): the entity it leads to
-- column: target (varchar): the name of that entity
-- column: description (varchar): what chunks say about it; may be empty
-- column: weight (bigint, 1 or more): how often it was found
-- column: score (double, -1 to 1): cosine similarity to the high-level keywords
-- order: score desc, weight desc, relation_key
-- nulls: never
-- since: 0.1.0
with
active_collection as (
    select ingestion_key
    from collections
    where collection = $collection
)
select
    relations.relation_key,
    relations.source_key,
    sources.name as source,
    relations.kind,
    relations.target_key,
    targets.name as target,
    relations.description,
    relations.weight,
    cast(array_cosine_similarity(graph_vectors.embedding, keyword_vectors.embedding) as double) as score
from relations
inner join active_collection on active_collection.ingestion_key = relations.ingestion_key
inner join entities as sources
    on sources.ingestion_key = relations.ingestion_key and sources.entity_key = relations.source_key
inner join entities as targets
    on targets.ingestion_key = relations.ingestion_key and targets.entity_key = relations.target_key
inner join graph_vectors
    on graph_vectors.ingestion_key = relations.ingestion_key
    and graph_vectors.subject = 'relation'
    and graph_vectors.subject_key = relations.relation_key
inner join keyword_vectors on keyword_vectors.keyword_level = 'high'
order by score desc, relations.weight desc, relations.relation_key
limit $limit
