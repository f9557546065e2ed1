-- name: ingest/record_file_v1
-- purpose: Notes how far a file was read.
-- grain: none
-- reads: none
-- param: file_id (integer, required): number of the file in this database
-- param: path (varchar, required): where it was found
-- param: kind (varchar, required): evidence or judgments
-- param: size_bytes (bigint, required): how far it was read
-- param: lines_n (bigint, required): physical lines in those bytes
-- param: head_sha256 (varchar, required): hash of the first bytes of them
-- param: tail_sha256 (varchar, required): hash of the last bytes of them
-- order: none
-- nulls: never
-- since: 0.1.0
insert into store.file (file_id, path, kind, size_bytes, lines_n, head_sha256, tail_sha256)
values ($file_id, $path, $kind, $size_bytes, $lines_n, $head_sha256, $tail_sha256)
