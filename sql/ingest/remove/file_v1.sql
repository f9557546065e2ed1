-- name: ingest/remove/file_v1
-- purpose: Forgets what was read from a file, in store.file.
-- grain: none
-- reads: store.file
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.file where file_id = $file_id
