-- name: ingest/remove/judgment_v1
-- purpose: Forgets what was read from a file, in store.judgment.
-- grain: none
-- reads: store.judgment
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.judgment where file_id = $file_id
