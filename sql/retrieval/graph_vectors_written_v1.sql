-- name: retrieval/graph_vectors_written_v1
-- purpose: Counts the vectors of a job's graph
-- grain: ingestion
-- reads: graph_vectors
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: vectors_n (bigint, 0 or more): how many
-- order: none
-- nulls: never
-- since: 0.1.0
select count(*) as vectors_n
from graph_vectors
where ingestion_key = $ingestion_key
