-- name: retrieval/clear_blurbs_v1
-- purpose: Removes the rows of a job from `blurbs`
-- grain: chunk
-- reads: blurbs
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from blurbs
where ingestion_key = $ingestion_key
