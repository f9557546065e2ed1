-- name: ingest/move_file_v1
-- purpose: Notes that a file is found in another place now.
-- grain: none
-- reads: none
-- param: file_id (integer, required): number of the file in this database
-- param: path (varchar, required): where it is found now
-- order: none
-- nulls: never
-- since: 0.1.0
update store.file set path = $path where file_id = $file_id
