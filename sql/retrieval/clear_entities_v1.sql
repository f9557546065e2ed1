-- name: retrieval/clear_entities_v1
-- purpose: Removes the rows of a job from `entities`
-- grain: entity
-- reads: entities
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from entities
where ingestion_key = $ingestion_key
