-- name: retrieval/clear_mentions_v1
-- purpose: Removes the rows of a job from `mentions`
-- grain: mention
-- reads: mentions
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from mentions
where ingestion_key = $ingestion_key
