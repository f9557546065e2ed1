-- name: reports/summary_runs_v1
-- purpose: Lists the runs that the rows of a summary come from.
-- grain: run_id
-- reads: cells
-- param: source_file (varchar, default null): only this evidence file; null takes all
-- column: run_id (varchar): the run
-- order: run_id
-- nulls: never
-- since: 0.1.0
select distinct cells.run_id
from cells
where $source_file is null or cells.source_file = $source_file
order by cells.run_id
