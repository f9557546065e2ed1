-- name: retrieval/clear_relations_v1
-- purpose: Removes the rows of a job from `relations`
-- grain: relation
-- reads: relations
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from relations
where ingestion_key = $ingestion_key
