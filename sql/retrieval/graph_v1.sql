-- name: retrieval/graph_v1
-- purpose: Finds the graph of a collection
-- grain: ingestion
-- reads: collections, graphs
-- param: collection (varchar, required): the collection that is searched
-- column: entities_n (bigint, 0 or more): entities
-- column: relations_n (bigint, 0 or more): relations
-- order: none
-- nulls: never
-- since: 0.1.0
select graphs.entities_n, graphs.relations_n
from graphs
inner join collections on collections.ingestion_key = graphs.ingestion_key
where collections.collection = $collection
