-- name: retrieval/graph_entities_v1
-- purpose: Finds the entities that a question's names mean: first those that bear one of them, then the nearest by meaning
-- grain: entity
-- reads: collections, entities, graph_vectors, keyword_vectors
-- param: collection (varchar, required): the collection that is searched
-- param: names (varchar, required): names in the form that is compared, one a line; empty for none
-- param: limit (bigint, required): how many at most
-- column: entity_key (bigint, 0 or more): the entity
-- column: name (varchar): its name
-- column: kind (varchar): its kind; may be empty
-- column: description (varchar): what chunks say about it; may be empty
-- column: score (double, -1 to 2): cosine similarity to the low-level keywords, plus 1 for one that bears a name asked for
-- order: score desc, entity_key
-- nulls: never
-- since: 0.1.0
with
active_collection as (
    select ingestion_key
    from collections
    where collection = $collection
),
asked_names as (
    select distinct concat(chr(10), unnest(string_split($names, chr(10))), chr(10)) as asked_name
),
named_entities as (
    select distinct entities.entity_key
    from entities
    inner join active_collection on active_collection.ingestion_key = entities.ingestion_key
    inner join asked_names on contains(entities.lookup_names, asked_names.asked_name)
    where $names <> ''
)
select
    entities.entity_key,
    entities.name,
    entities.kind,
    entities.description,
    cast(array_cosine_similarity(graph_vectors.embedding, keyword_vectors.embedding) as double)
        + case when named_entities.entity_key is null then 0.0 else 1.0 end as score
from entities
inner join active_collection on active_collection.ingestion_key = entities.ingestion_key
inner join graph_vectors
    on graph_vectors.ingestion_key = entities.ingestion_key
    and graph_vectors.subject = 'entity'
    and graph_vectors.subject_key = entities.entity_key
inner join keyword_vectors on keyword_vectors.keyword_level = 'low'
left join named_entities on named_entities.entity_key = entities.entity_key
order by score desc, entities.entity_key
limit $limit
