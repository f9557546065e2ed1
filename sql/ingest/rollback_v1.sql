-- name: ingest/rollback_v1
-- purpose: Undoes a file's ingest.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
rollback;
