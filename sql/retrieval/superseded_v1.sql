-- name: retrieval/superseded_v1
-- purpose: Lists jobs whose rows no collection uses any more
-- grain: job
-- reads: ingestions
-- param: collection (varchar, required): the collection that is searched
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: ingestion_key (bigint, 1 or more): another job of the same collection
-- order: ingestion_key
-- nulls: never
-- since: 0.1.0
select ingestion_key
from ingestions
where collection = $collection and ingestion_key <> $ingestion_key
order by ingestion_key
