-- name: retrieval/vectors_written_v1
-- purpose: Counts the vectors of a job; they are written in the order of chunk_key
-- grain: job
-- reads: vectors
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: vectors_n (bigint, 0 or more): vectors so far
-- order: none
-- nulls: never
-- since: 0.1.0
select count(*) as vectors_n
from vectors
where ingestion_key = $ingestion_key
