-- name: asking/portions_v1
-- purpose: Cuts evidence files into ranges of lines that are about equally large, so that an export of long rows holds a few
--   of them at a time.
-- grain: file_id, first_line
-- reads: store.file
-- param: portion_bytes (bigint, required): bytes of a range, about
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
        file.lines_n,
        greatest(1, cast(floor(cast($portion_bytes as double) * file.lines_n / file.size_bytes) as bigint)) as portion_n
    from store.file as file
    where file.kind = 'evidence' and file.lines_n > 0
),
cut as (
    select measured.*, unnest(generate_series(1, measured.lines_n, measured.portion_n)) as first_line
    from measured
)
select cast(cut.file_id as bigint) as file_id, cut.first_line, cut.first_line + cut.portion_n - 1 as last_line
from cut
order by file_name_of(cut.path), cut.file_id, cut.first_line
