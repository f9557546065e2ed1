-- name: ingest/remove/cell_v1
-- purpose: Forgets what was read from a file, in store.cell.
-- grain: none
-- reads: store.cell
-- param: file_id (integer, required): the file
-- order: none
-- nulls: never
-- since: 0.1.0
delete from store.cell where file_id = $file_id
