-- name: ingest/remove/score_v1
-- purpose: Forgets what was read from a file, in store.score.
-- grain: none
-- reads: store.score
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.score where file_id = $file_id
