-- name: retrieval/set_ingestion_v1
-- purpose: Keeps the state of a job
-- grain: job
-- reads: ingestions
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: status (varchar, required): the new state
-- param: errors (varchar, required): JSON array
-- param: counts (varchar, required): JSON object
-- order: none
-- nulls: never
-- since: 0.1.0
update ingestions
set status = $status, errors = $errors, counts = $counts
where ingestion_key = $ingestion_key
