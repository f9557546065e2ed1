-- name: ingest/remove/body_v1
-- purpose: Forgets what was read from a file, in store.body.
-- grain: none
-- reads: store.body
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.body where file_id = $file_id
