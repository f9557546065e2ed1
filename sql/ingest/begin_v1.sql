-- name: ingest/begin_v1
-- purpose: Starts the one transaction of a file's ingest.
-- grain: none
-- reads: none
-- order: none
-- nulls: never
-- since: 0.1.0
begin transaction;
