-- name: retrieval/next_ingestion_v1
-- purpose: Gives the number of the next job
-- grain: file
-- reads: ingestions
-- column: ingestion_key (bigint, 1 or more): one more than the highest so far
-- order: none
-- nulls: never
-- since: 0.1.0
select coalesce(max(ingestion_key), 0) + 1 as ingestion_key
from ingestions
