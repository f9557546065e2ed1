-- name: retrieval/clear_graphs_v1
-- purpose: Removes the rows of a job from `graphs`
-- grain: ingestion
-- reads: graphs
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from graphs
where ingestion_key = $ingestion_key
