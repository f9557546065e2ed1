-- name: ingest/known_files_v1
-- purpose: Lists the files that were read, and how far.
-- grain: file_id
-- reads: store.file
-- column: file_id (integer, 1 or more): number of the file in this database
-- column: path (varchar): where it was found
-- column: kind (varchar): evidence or judgments
-- column: size_bytes (bigint, bytes): how far it was read
-- column: lines_n (bigint, lines): physical lines in those bytes
-- column: head_sha256 (varchar): hash of the first bytes of them
-- column: tail_sha256 (varchar): hash of the last bytes of them
-- order: file_id
-- nulls: never
-- since: 0.1.0
select
    file.file_id, file.path, file.kind, file.size_bytes, file.lines_n, file.head_sha256, file.tail_sha256
from store.file as file
order by file.file_id
