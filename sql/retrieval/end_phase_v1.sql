-- name: retrieval/end_phase_v1
-- purpose: Keeps how a phase ended
-- grain: phase
-- reads: phases
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- param: name (varchar, required): the phase
-- param: status (varchar, required): completed, skipped, failed or cancelled
-- param: now_ms (bigint, required): milliseconds since 1970
-- param: counts (varchar, required): JSON object
-- param: note (varchar, required): why it was skipped, or null
-- param: error (varchar, required): why it failed, or null
-- order: none
-- nulls: never
-- since: 0.1.0
update phases
set
    status = $status,
    ended_at = epoch_ms($now_ms),
    duration_ms = greatest(0, $now_ms - epoch_ms(coalesce(started_at, epoch_ms($now_ms)))),
    counts = $counts,
    note = $note,
    error = $error
where ingestion_key = $ingestion_key and name = $name
