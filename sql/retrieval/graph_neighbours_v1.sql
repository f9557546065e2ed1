-- name: retrieval/graph_neighbours_v1
-- purpose: Walks one step from entities: the relations that start or end at one, those between two of them first, then those nearest to the question
-- grain: relation
-- reads: collections, relations, entities, graph_vectors, question_vector
-- param: collection (varchar, required): the collection that is searched
-- param: entity_keys (varchar, required): entity keys separated by commas; empty for none
-- param: limit (bigint, required): how many at most
-- column: relation_key (bigint, 0 or more): the relation
-- column: source_key (bigint, 0 or more): the entity it starts from
-- column: source (varchar): the name of that entity
-- column: kind (varchar): how chunks name the relation; may be empty
-- column: target_key (bigint, 0 or more): the entity it leads to
-- column: target (varchar): the name of that entity
-- column: description (varchar): what chunks say about it; may be empty
-- column: weight (bigint, 1 or more): how often it was found
-- column: score (double, -1 to 2): cosine similarity to the question, plus 1 for a relation between two of the entities
-- order: score desc, weight desc, relation_key
-- nulls: never
-- since: 0.1.0
with
active_collection as (
    select ingestion_key
    from collections
    where collection = $collection
),
start_entities as (
    select distinct cast(unnest(string_split($entity_keys, ',')) as bigint) as entity_key
    where $entity_keys <> ''
),
touched_relations as (
    select relations.ingestion_key, relations.relation_key, count(*) as ends_n
    from relations
    inner join active_collection on active_collection.ingestion_key = relations.ingestion_key
    inner join start_entities
        on start_entities.entity_key = relations.source_key or start_entities.entity_key = relations.target_key
    group by relations.ingestion_key, relations.relation_key
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
    cast(array_cosine_similarity(graph_vectors.embedding, question_vector.embedding) as double)
        + case when touched_relations.ends_n = 2 then 1.0 else 0.0 end as score
from touched_relations
inner join relations
    on relations.ingestion_key = touched_relations.ingestion_key
    and relations.relation_key = touched_relations.relation_key
inner join entities as sources
    on sources.ingestion_key = relations.ingestion_key and sources.entity_key = relations.source_key
inner join entities as targets
    on targets.ingestion_key = relations.ingestion_key and targets.entity_key = relations.target_key
inner join graph_vectors
    on graph_vectors.ingestion_key = relations.ingestion_key
    and graph_vectors.subject = 'relation'
    and graph_vectors.subject_key = relations.relation_key
cross join question_vector
order by score desc, relations.weight desc, relations.relation_key
limit $limit
