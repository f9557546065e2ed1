-- name: retrieval/clear_extractions_v1
-- purpose: Removes the rows of a job from `extractions`
-- grain: chunk
-- reads: extractions
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from extractions
where ingestion_key = $ingestion_key
