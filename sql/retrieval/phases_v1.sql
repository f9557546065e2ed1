-- name: retrieval/phases_v1
-- purpose: Lists the phases of a job
-- grain: phase
-- reads: phases
-- param: ingestion_key (bigint, required): the ingestion the rows belong to
-- column: name (varchar): the phase
-- column: status (varchar): pending, running, completed, skipped, failed or cancelled
-- column: started_at (varchar): UTC
-- column: ended_at (varchar): UTC
-- column: duration_ms (bigint, 0 or more): wall time
-- column: counts (varchar): JSON object
-- column: note (varchar): why it was skipped
-- column: error (varchar): why it failed
-- order: position
-- nulls: times before it ran, note and error when there is nothing to say
-- since: 0.1.0
select
    name,
    status,
    strftime(started_at, '%Y-%m-%dT%H:%M:%S.%gZ') as started_at,
    strftime(ended_at, '%Y-%m-%dT%H:%M:%S.%gZ') as ended_at,
    duration_ms,
    counts,
    note,
    error
from phases
where ingestion_key = $ingestion_key
order by position
