-- name: ingest/commit_v1
-- purpose: Makes a file's ingest durable.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
commit;
