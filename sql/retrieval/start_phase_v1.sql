-- name: retrieval/start_phase_v1
-- purpose: Keeps that a phase began
-- grain: phase
-- reads: phases
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: name (varchar, required): the phase
-- param: now_ms (bigint, required): milliseconds since 1970
-- order: none
-- nulls: never
-- since: 0.1.0
update phases
set status = 'running', started_at = epoch_ms($now_ms), ended_at = null, duration_ms = null, error = null
where ingestion_key = $ingestion_key and name = $name
