-- name: asking/portions_v1
-- purpose: Cuts evidence files into ranges of lines that are about equally large, so that an export of long rows holds a few
--   of them at a time; ranges without a wanted row are left out, so that an export of one run reads no other.
-- grain: file_id, first_line
-- reads: store.file, store.cell
-- param: portion_bytes (bigint, required): bytes of a range, about
-- param: runs (varchar, default null): JSON list of the runs wanted; null takes all
-- param: dataset_id (varchar, default null): only this dataset; null takes all
-- column: file_id (bigint): the file, by its number
-- column: first_line (bigint, 1 or more): first line of the range
-- column: last_line (bigint, 1 or more): last line of the range
-- order: file name, path, first_line
-- nulls: never
-- since: 0.2.0
with
measured as (
    select
        file.file_id,
        file.path,
        greatest(1, cast(floor(cast($portion_bytes as double) * file.lines_n / file.size_bytes) as bigint)) as portion_n
    from store.file as file
    where file.kind = 'evidence' and file.lines_n > 0
),
wanted as (
    select distinct
        measured.file_id,
        measured.path,
        measured.portion_n,
        (cell.line - 1) // measured.portion_n as portions_before_n
    from store.cell as cell
    inner join measured on measured.file_id = cell.file_id
    where
        ($dataset_id is null or cell.dataset_id = $dataset_id)
        and ($runs is null or list_contains(cast(cast($runs as json) as varchar[]), cell.run_id))
)
select
    cast(wanted.file_id as bigint) as file_id,
    wanted.portions_before_n * wanted.portion_n + 1 as first_line,
    (wanted.portions_before_n + 1) * wanted.portion_n as last_line
from wanted
order by file_name_of(wanted.path), wanted.path, first_line
