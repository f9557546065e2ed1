-- name: retrieval/clear_vectors_v1
-- purpose: Removes the vectors of a job
-- grain: vector
-- reads: vectors
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from vectors
where ingestion_key = $ingestion_key
