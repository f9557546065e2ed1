-- name: ingest/remove/panel_verdict_v1
-- purpose: Forgets what was read from a file, in store.panel_verdict.
-- grain: none
-- reads: store.panel_verdict
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.panel_verdict where file_id = $file_id
