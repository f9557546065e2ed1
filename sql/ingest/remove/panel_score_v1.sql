-- name: ingest/remove/panel_score_v1
-- purpose: Forgets what was read from a file, in store.panel_score.
-- grain: none
-- reads: store.panel_score
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.panel_score where file_id = $file_id
