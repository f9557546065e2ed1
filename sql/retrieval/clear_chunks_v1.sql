-- name: retrieval/clear_chunks_v1
-- purpose: Removes the chunks of a job
-- grain: chunk
-- reads: chunks
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from chunks
where ingestion_key = $ingestion_key
