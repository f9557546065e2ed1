-- name: ingest/duplicate_rows_v1
-- purpose: Finds rows just read whose identity another row already has, in the same file or in another.
-- grain: line, other_path, other_line
-- reads: store.cell, store.file
-- param: file_id (integer, required): the file being read
-- param: after_line (bigint, required): lines up to here were known before
-- column: line (bigint, 1 or more): the row just read
-- column: row_id (varchar): the identity
-- column: other_path (varchar): the file of the other row; null when it is the same file
-- column: other_line (bigint, 1 or more): the other row
-- order: line, other_path, other_line
-- nulls: other_path is null for a repetition within the file
-- since: 0.1.0
select
    cell.line,
    cell.row_id,
    file.path as other_path,
    other_cell.line as other_line
from store.cell as cell
inner join store.cell as other_cell on other_cell.row_id = cell.row_id
left join store.file as file on file.file_id = other_cell.file_id and other_cell.file_id <> cell.file_id
where
    cell.file_id = $file_id
    and cell.line > $after_line
    and (other_cell.file_id <> cell.file_id or other_cell.line < cell.line)
order by cell.line, other_path, other_line
limit 10
