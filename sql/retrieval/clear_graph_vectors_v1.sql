-- name: retrieval/clear_graph_vectors_v1
-- purpose: Removes the rows of a job from `graph_vectors`
-- grain: vector
-- reads: graph_vectors
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
delete from graph_vectors
where ingestion_key = $ingestion_key
