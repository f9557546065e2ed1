-- name: retrieval/graph_ends_v1
-- purpose: Reads the entities at the ends of relations, those of the first relation first
-- grain: entity
-- reads: collections, relations, entities
-- param: collection (varchar, required): the collection that is searched
-- param: relation_keys (varchar, required): relation keys separated by commas, best first; empty for none
-- param: limit (bigint, required): how many at most
-- column: entity_key (bigint, 0 or more): the entity
-- column: name (varchar): its name
-- column: kind (varchar): its kind; may be empty
-- column: description (varchar): what chunks say about it; may be empty
-- column: score (double, 0 to 1): 1 for an end of the first relation, 1/2 for one of the second, and so on
-- order: score desc, entity_key
-- nulls: never
-- since: 0.1.0
with
active_collection as (
    select ingestion_key
    from collections
    where collection = $collection
),
ranked_relations as (
    select
        cast(unnest(string_split($relation_keys, ',')) as bigint) as relation_key,
        unnest(range(1, len(string_split($relation_keys, ',')) + 1)) as position
    where $relation_keys <> ''
),
ranked_ends as (
    select relations.ingestion_key, relations.source_key as entity_key, ranked_relations.position
    from relations
    inner join active_collection on active_collection.ingestion_key = relations.ingestion_key
    inner join ranked_relations on ranked_relations.relation_key = relations.relation_key
    union all
    select relations.ingestion_key, relations.target_key as entity_key, ranked_relations.position
    from relations
    inner join active_collection on active_collection.ingestion_key = relations.ingestion_key
    inner join ranked_relations on ranked_relations.relation_key = relations.relation_key
),
best_ends as (
    select ingestion_key, entity_key, min(position) as position
    from ranked_ends
    group by ingestion_key, entity_key
)
select
    entities.entity_key,
    entities.name,
    entities.kind,
    entities.description,
    1.0 / cast(best_ends.position as double) as score
from best_ends
inner join entities
    on entities.ingestion_key = best_ends.ingestion_key and entities.entity_key = best_ends.entity_key
order by score desc, entities.entity_key
limit $limit
