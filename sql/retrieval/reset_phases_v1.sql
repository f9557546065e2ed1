-- name: retrieval/reset_phases_v1
-- purpose: Makes every phase of a job pending again
-- grain: phase
-- reads: phases
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- order: none
-- nulls: never
-- since: 0.1.0
update phases
set status = 'pending', started_at = null, ended_at = null, duration_ms = null, counts = '{}', note = null, error = null
where ingestion_key = $ingestion_key
