-- name: reports/run_files_v1
-- purpose: Lists the evidence and judgment files behind the pages of runs.
-- grain: name
-- reads: cells, judge_scores
-- param: run_id (varchar, default null): only this run; null takes all
-- column: name (varchar): file name without its folder
-- column: path (varchar): where to read it, for its hash
-- column: sha256 (varchar): always null: taken from the file when a page is made
-- order: name, path
-- nulls: sha256 is null
-- since: 0.1.0
with
used as (
    select distinct cells.source_file as path
    from cells
    where $run_id is null or cells.run_id = $run_id
    union
    select distinct judge_scores.source_file as path
    from judge_scores
    inner join cells
        on cells.run_id = coalesce(judge_scores.run_id, cells.run_id)
        and cells.dataset_id = judge_scores.dataset_id
        and cells.question_id = judge_scores.question_id
    where $run_id is null or cells.run_id = $run_id
)
select file_name_of(used.path) as name, used.path, cast(null as varchar) as sha256
from used
order by name, used.path
