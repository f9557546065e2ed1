-- name: retrieval/complete_graph_v1
-- purpose: Says that the graph of a job is complete, with its sizes
-- grain: ingestion
-- reads: entities, relations
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
insert into graphs (ingestion_key, entities_n, relations_n)
select
    $ingestion_key,
    (select count(*) from entities where ingestion_key = $ingestion_key),
    (select count(*) from relations where ingestion_key = $ingestion_key)
