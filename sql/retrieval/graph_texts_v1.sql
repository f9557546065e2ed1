-- name: retrieval/graph_texts_v1
-- purpose: Reads the entities and relations of a job that have no vector yet, as the text that is embedded
-- grain: entity or relation
-- reads: entities, relations, graph_vectors
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: limit (bigint, required): how many at most
-- column: subject (varchar): entity or relation
-- column: subject_key (bigint, 0 or more): entity_key or relation_key
-- column: text (varchar): names, kind and description
-- order: subject, subject_key
-- nulls: never
-- since: 0.1.0
with
subjects as (
    select
        'entity' as subject,
        entity_key as subject_key,
        concat_ws(chr(10), name, nullif(aliases, ''), nullif(description, '')) as text
    from entities
    where ingestion_key = $ingestion_key
    union all
    select
        'relation' as subject,
        relations.relation_key as subject_key,
        concat_ws(chr(10), concat_ws(' ', sources.name, relations.kind, targets.name), nullif(relations.description, ''))
            as text
    from relations
    inner join entities as sources
        on sources.ingestion_key = relations.ingestion_key and sources.entity_key = relations.source_key
    inner join entities as targets
        on targets.ingestion_key = relations.ingestion_key and targets.entity_key = relations.target_key
    where relations.ingestion_key = $ingestion_key
)
select subjects.subject, subjects.subject_key, subjects.text
from subjects
left join graph_vectors
    on graph_vectors.ingestion_key = $ingestion_key
    and graph_vectors.subject = subjects.subject
    and graph_vectors.subject_key = subjects.subject_key
where graph_vectors.subject_key is null
order by subjects.subject, subjects.subject_key
limit $limit
