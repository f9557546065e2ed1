-- name: exports/evidence_v1
-- purpose: Gives every canonical row as it stands in its file, so that an export loses nothing.
-- grain: one canonical row
-- reads: store.cell, store.file, store.body
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- param: file_id (bigint, default null): only this evidence file, by its number; null takes all
-- param: first_line (bigint, default null): first line wanted; null begins with the first
-- param: last_line (bigint, default null): last line wanted; null ends with the last
-- column: run_id (varchar): names the run
-- column: dataset_id (varchar): the dataset asked about
-- column: row_id (varchar): identity of the cell, 64 hex digits
-- column: evidence (varchar): the line of the file, byte for byte, as JSON text
-- column: source_file (varchar): name of the evidence file
-- column: source_line (bigint, 1 or more): line in it
-- order: source_file, path of the file, source_line
-- nulls: never
-- since: 0.2.0
select
    cell.run_id,
    cell.dataset_id,
    cell.row_id,
    body.body as evidence,
    file_name_of(file.path) as source_file,
    cell.line as source_line
from store.cell as cell
inner join store.file as file on file.file_id = cell.file_id
inner join store.body as body on body.file_id = cell.file_id and body.line = cell.line
where
    ($file_id is null or (cell.file_id = $file_id and body.file_id = $file_id))
    and ($first_line is null or (cell.line >= $first_line and body.line >= $first_line))
    and ($last_line is null or (cell.line <= $last_line and body.line <= $last_line))
    and ($dataset_id is null or cell.dataset_id = $dataset_id)
    and ($runs is null or list_contains(cast(cast($runs as json) as varchar[]), cell.run_id))
order by source_file, file.path, source_line
