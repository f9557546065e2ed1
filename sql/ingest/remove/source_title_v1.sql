-- name: ingest/remove/source_title_v1
-- purpose: Forgets what was read from a file, in store.source_title.
-- grain: none
-- reads: store.source_title
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.source_title where file_id = $file_id
